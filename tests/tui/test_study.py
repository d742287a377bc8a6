"""The rules behind the screen: guesses, what counts as done, output lines, rows of calls."""

from pathlib import Path

import msgspec
import pytest

from jittutor.event import Answered, Called, Done, Ended, Outcome, Printed, Run
from jittutor.lesson import Choice, Predict
from jittutor.record import Record
from jittutor.state import State
from jittutor.study.guess import Guess
from jittutor.study.output import CUT, LINES, Output, mark
from jittutor.study.source import normal
from jittutor.study.study import Study
from jittutor.tui import figures
from tests.tui import fake

PREDICT = Predict("p", "How many?", (Choice("1", "too few"), Choice("`3`", "yes"), Choice("5")), "3", 1)


def guess(*texts: str, answer: str = "3") -> Guess:
    found = Guess(PREDICT)
    for text in texts:
        found = found.lock(text).judge(Answered(1, "p", ok=True, text=answer))
    return found


class TestGuesses:
    def test_a_right_guess_settles_the_question(self) -> None:
        assert guess("`3`").right
        assert guess("`3`").is_settled

    def test_two_wrong_guesses_settle_it_too_and_the_answer_is_known(self) -> None:
        assert not guess("1").is_settled
        assert guess("1", "5").is_settled
        assert not guess("1", "5").right
        assert guess("1", "5").answer == "`3`"

    def test_a_wrong_choice_is_not_offered_again(self) -> None:
        assert [choice.text for choice in guess("1").open] == ["`3`", "5"]

    @pytest.mark.parametrize("answer", ["3", "'3'", '"3"', " 3 "])
    def test_quotes_around_a_value_do_not_matter(self, answer: str) -> None:
        assert guess("`3`", answer=answer).right

    def test_an_answer_that_is_no_choice_judges_nothing(self) -> None:
        waits = guess("1", answer="4")
        assert waits.locked == "1"
        assert not waits.judged
        assert "none of the choices" in waits.trouble

    def test_a_run_without_an_answer_judges_nothing(self) -> None:
        found = Guess(PREDICT).lock("1").judge(Answered(1, "p", ok=False, text="NameError: f"))
        assert not found.judged
        assert "NameError" in found.trouble


class TestDone:
    def study(self, folder: Path, step: str = "one-kind-only") -> Study:
        return Study(fake.course(), State.open(folder), ("what-recompiles", step))

    def test_an_exercise_is_done_when_its_check_holds(self, tmp_path: Path) -> None:
        study = self.study(tmp_path)
        study.hear(fake.refuses(study.begin("x = 1")))
        assert not study.known.done
        study.hear(fake.shapes(study.begin("x = 1")))
        assert study.known.done

    def test_a_step_with_questions_is_not_done_before_they_are_settled(self, tmp_path: Path) -> None:
        study = self.study(tmp_path, "new-numbers-old-program")
        study.hear(fake.shapes(study.begin("x = 1")))
        assert not study.known.done

    def test_a_run_that_fails_does_not_count(self, tmp_path: Path) -> None:
        study = self.study(tmp_path)
        request = study.begin("x = 1")
        study.hear([Answered(request.run, "check", ok=True), Done(request.run, "error", 0.1)])
        assert not study.known.done

    @pytest.mark.parametrize("outcome", ["error", "interrupted", "timeout"])
    def test_a_run_that_did_not_end_as_the_step_means_it_judges_no_guess(
        self, outcome: Outcome, tmp_path: Path
    ) -> None:
        study = self.study(tmp_path, "new-numbers-old-program")
        guess = next(iter(study.guesses.values()))
        study.lock(guess.predict, guess.predict.choices[0].text)
        request = study.begin("x = (")
        zero = Answered(request.run, guess.predict.id, ok=True, text=guess.predict.choices[0].text)
        stopped = Done(request.run, outcome, 0.1)
        study.hear([zero, stopped])
        after = study.guesses[guess.predict.id]
        assert not after.judged
        assert after.trouble

    def test_what_is_done_stays_done(self, tmp_path: Path) -> None:
        study = self.study(tmp_path)
        study.hear(fake.shapes(study.begin("x = 1")))
        study.hear(fake.refuses(study.begin("x = 2")))
        assert study.known.done

    def test_the_lessons_own_text_is_no_edit(self, tmp_path: Path) -> None:
        study = self.study(tmp_path)
        study.keep("x = 1")
        assert study.known.edit == "x = 1"
        study.keep(study.step.source)
        assert study.known.edit is None

    def test_a_worker_ended_on_purpose_does_not_end_the_next_run(self, tmp_path: Path) -> None:
        study = self.study(tmp_path)
        study.begin("while True: pass")
        study.lose("you stopped it")
        assert not study.running
        study.begin("x = 1")
        study.hear([Ended("killed")])
        assert study.record.lost is None
        study.hear([Ended("out of memory")])
        assert study.record.lost == "out of memory"

    def test_a_place_that_is_no_longer_there_opens_what_is_nearest(self, tmp_path: Path) -> None:
        assert self.study(tmp_path, "gone").step.id == "new-numbers-old-program"
        assert Study(fake.course(), State.open(tmp_path), ("gone", "gone")).lesson.slug == "what-recompiles"


def lines(*texts: str, **where: object) -> list[str]:
    output = Output()
    output.add([Printed(1, text) for text in texts])
    return [line.text for line in output.lines]


class TestOutput:
    def test_pieces_join_until_the_newline(self) -> None:
        assert lines("a", "b\n", "c\nd\n", "\n", "e") == ["ab", "c", "d", "", "e"]

    def test_a_carriage_return_overwrites_the_line(self) -> None:
        assert lines("10%\r20%\r30%\n") == ["30%"]
        assert lines("10%\r", "20%\r", "30%\n", "x\n") == ["30%", "x"]
        assert lines("long line\rab\n") == ["abng line"]
        assert lines("windows\r\n", "next\r\n") == ["windows", "next"]

    def test_tracing_in_the_middle_of_a_line_starts_a_line_of_its_own(self) -> None:
        output = Output()
        output.add(
            [Printed(1, "a"), Printed(1, "b\n", during="trace", function="f", line=3), Printed(1, "c\n")]
        )
        assert [(mark(line), line.where, line.text) for line in output.lines] == [
            ("R ", "", "a"),
            ("T ", "f:3", "b"),
            ("R ", "", "c"),
        ]

    def test_it_keeps_the_newest_lines_and_counts_the_others(self) -> None:
        output = Output()
        output.add(Printed(1, f"{n}\n") for n in range(LINES + 7))
        assert len(output.lines) == LINES
        assert output.dropped == 7
        assert output.lines[0].text == "7"

    def test_a_line_without_end_does_not_grow_without_end(self) -> None:
        output = Output()
        output.add(Printed(1, "x" * 1000) for _ in range(100))
        assert len(output.lines[0].text) == CUT
        assert output.lines[0].cut == 100_000 - CUT


class TestRows:
    def record(self, *calls: Called) -> Record:
        record = Record(1)
        for call in calls:
            record = record.after(call)
        return record

    def test_many_equal_hits_become_one_row_that_counts_them(self) -> None:
        hits = [Called(1, n, "f", 7, "x: f32[3]", dispatch_ms=0.1) for n in range(1, 101)]
        folded = figures.entries(self.record(*hits), folded=True)
        assert [(entry.number, entry.many) for entry in folded] == [(1, 100)]
        assert len(figures.entries(self.record(*hits), folded=False)) == 100

    def test_hits_told_as_one_are_counted_in_the_numbers(self) -> None:
        shown = figures.entries(
            self.record(
                Called(1, 1, "f", 7, "x", dispatch_ms=0.1, repeats=50), Called(1, 2, "g", 8, "x", hit=False)
            ),
            folded=True,
        )
        assert [(entry.number, entry.many) for entry in shown] == [(1, 50), (51, 1)]

    def test_an_inlined_call_has_no_number_and_is_no_cell_of_the_strip(self) -> None:
        shown = figures.entries(
            self.record(
                Called(1, 1, "f", 7, "x", hit=False), Called(1, 2, "g", 3, "x", hit=False, within="f")
            ),
            folded=True,
        )
        assert [entry.number for entry in shown] == [1, None]
        assert figures.strip(shown, 40).plain == "M"
        assert "inlined" in figures.line(shown[1], figures.columns(shown, 60)).plain

    def test_a_result_nobody_waited_for_is_called_dispatched(self) -> None:
        shown = figures.entries(self.record(Called(1, 1, "f", 7, "x", dispatch_ms=0.1)), folded=True)
        assert "dispatched 0.10 ms" in figures.detail(shown[0], 60).plain

    @pytest.mark.parametrize("ratio", [1, 10, 1000, 100_000])
    @pytest.mark.parametrize("width", [40, 57, 80, 150])
    def test_a_row_fits_and_every_phase_can_be_seen(self, ratio: int, width: int) -> None:
        call = Called(1, 1, "f", 7, "x: f32[100]", hit=False, trace_ms=1.0, lower_ms=1.0)
        call = msgspec.structs.replace(call, compile_ms=1.0 * ratio, dispatch_ms=1.0)
        shown = figures.entries(self.record(call), folded=True)
        row = figures.line(shown[0], figures.columns(shown, width))
        assert row.cell_length <= max(width, 48)
        for letter in "TLCR":
            assert letter in row.plain

    def test_the_strip_never_grows_wider_than_its_place(self) -> None:
        calls = [Called(1, n, "f", 7, f"x: f32[{n}]", hit=False) for n in range(1, 200)]
        shown = figures.entries(self.record(*calls), folded=True)
        assert figures.strip(shown, 40).cell_length <= 40


@pytest.mark.parametrize(
    ("pasted", "text"),
    [("a\r\nb\rc", "a\nb\nc"), ("\tx", "    x"), ("\u00a0\u201cx\u201d", ' "x"'), ("\x1b[31mx", "x")],
)
def test_pasted_text_becomes_plain_python_text(pasted: str, text: str) -> None:
    assert normal(pasted) == text


def test_a_request_has_an_ask_for_each_question_and_the_check(tmp_path: Path) -> None:
    study = Study(fake.course(), State.open(tmp_path), ("what-recompiles", "one-kind-only"))
    request: Run = study.begin("x = 1\n")
    assert request.source == "x = 1\n"
    assert [(ask.id, ask.kind) for ask in request.asks] == [("check", "check")]
    assert study.step.check is not None
    assert request.asks[0].line == study.step.check.line
