"""What a script wrote is told line by line: the bytes are the truth, known prints give line and phase."""

from jittutor.event import Printed, Stream
from jittutor.transcript import FIRST, LAST, Transcript


def told(transcript: Transcript) -> list[tuple[str, str, int | None]]:
    return [(p.text, p.stream, p.line) for p in transcript.merged()[0]]


def say(transcript: Transcript, *prints: tuple[str, int, Stream]) -> None:
    for text, line, stream in prints:
        assert transcript.hears(Printed(1, text, stream, line))


def test_a_print_has_its_line() -> None:
    transcript = Transcript()
    transcript.stdout.add(b"one\ntwo\n")
    say(transcript, ("one", 1, "stdout"), ("\n", 1, "stdout"), ("two\n", 2, "stdout"))
    assert told(transcript) == [("one", "stdout", 1), ("two", "stdout", 2)]


def test_a_line_that_python_did_not_print_stands_where_it_was_written() -> None:
    transcript = Transcript()
    transcript.stdout.add(b"one\nfrom a child process\ntwo\n")
    say(transcript, ("one\n", 1, "stdout"), ("two\n", 2, "stdout"))
    assert told(transcript) == [
        ("one", "stdout", 1),
        ("from a child process", "stdout", None),
        ("two", "stdout", 2),
    ]


def test_both_streams_come_in_the_order_of_the_prints() -> None:
    transcript = Transcript()
    transcript.stdout.add(b"a\nc\n")
    transcript.stderr.add(b"b\n")
    say(transcript, ("a\n", 1, "stdout"), ("b\n", 2, "stderr"), ("c\n", 3, "stdout"))
    assert [line[0] for line in told(transcript)] == ["a", "b", "c"]


def test_a_line_without_an_end_and_split_letters_are_whole() -> None:
    transcript = Transcript()
    for byte in "größe".encode():
        transcript.stdout.add(bytes([byte]))
    assert [line[0] for line in told(transcript)] == ["größe"]


def test_bytes_that_are_no_text_are_told_as_such() -> None:
    transcript = Transcript()
    transcript.stdout.add(b"\xff\xfe\n")
    assert [line[0] for line in told(transcript)] == ["\ufffd\ufffd"]


def test_a_million_lines_keep_their_start_and_end_and_say_how_many_are_dropped() -> None:
    transcript = Transcript()
    for start in range(0, 1_000_000, 10_000):
        transcript.stdout.add(b"".join(b"%d\n" % n for n in range(start, start + 10_000)))
    lines, dropped = transcript.merged()
    assert (lines[0].text, lines[-1].text) == ("0", "999999")
    assert len(lines) == FIRST + LAST
    assert dropped == 1_000_000 - FIRST - LAST


def test_one_endless_line_stays_small() -> None:
    transcript = Transcript()
    for _ in range(100):
        transcript.stdout.add(b"x" * 1_000_000)
    assert len(transcript.merged()[0][0].text) < 2_100_000
