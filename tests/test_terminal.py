"""The terminal is asked and judged before Textual starts, and left as it was found."""

import io
import os
import pty
import signal
import sys
import termios
import threading
from collections.abc import Iterator

import pytest

from jittutor.tui import terminal
from jittutor.tui.asking import QUESTIONS, Answers, Asking

DA1 = b"\x1b[?62;22c"
KITTY = b"\x1bP1+r524742=38\x1b\\\x1bP>|kitty(0.40.1)\x1b\\\x1b[?0u\x1b[?62c"
TMUX = b"\x1bP>|tmux 3.3a\x1b\\\x1b[?1;2;4c"


class Scripted:
    """A terminal on the other side of a pty that hears everything and gives one prepared answer."""

    def __init__(self, answer: bytes) -> None:
        self.far, self.near = pty.openpty()
        self.heard = b""
        self.answered = threading.Event()
        self._answer = answer
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        try:
            while more := os.read(self.far, 4096):
                self.heard += more
                if QUESTIONS in self.heard and not self.answered.is_set():
                    os.write(self.far, self._answer)
                    self.answered.set()
        except OSError:
            pass  # the near side was closed

    def close(self) -> None:
        os.close(self.near)
        self._thread.join(5)
        os.close(self.far)


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Scripted]]:
    # The pty is not this process's controlling terminal, so "are we in front?" cannot be asked of it.
    monkeypatch.setattr("jittutor.tui.asking.os.tcgetpgrp", lambda _: os.getpgrp())
    made: list[Scripted] = []
    yield made
    for one in made:
        one.close()


def ask(made: list[Scripted], answer: bytes) -> Answers:
    made.append(Scripted(answer))
    with Asking(made[-1].near, made[-1].near) as asking:
        return asking.answers()


def test_a_terminal_that_answers_everything_is_understood(scripted: list[Scripted]) -> None:
    answers = ask(scripted, KITTY)
    assert (answers.rgb, answers.kitty_keys, answers.name) == (True, True, "kitty(0.40.1)")
    assert answers.seconds < 0.25


def test_a_terminal_that_answers_only_the_last_question_costs_no_wait(scripted: list[Scripted]) -> None:
    answers = ask(scripted, DA1)
    assert (answers.complete, answers.rgb, answers.kitty_keys, answers.name) == (True, False, False, "")
    assert answers.seconds < 0.25


def test_a_silent_terminal_costs_the_limit_and_no_more(scripted: list[Scripted]) -> None:
    answers = ask(scripted, b"")
    assert not answers.complete
    assert 0.25 < answers.seconds < 0.9


def test_after_asking_the_terminal_is_as_before_and_no_answer_is_left_as_typed_text(
    scripted: list[Scripted],
) -> None:
    scripted.append(Scripted(KITTY + b"late"))
    near = scripted[0].near
    before = termios.tcgetattr(near)
    with Asking(near, near):
        assert not termios.tcgetattr(near)[3] & termios.ECHO
        assert scripted[0].answered.wait(5)
    assert termios.tcgetattr(near) == before
    os.set_blocking(near, False)
    with pytest.raises(BlockingIOError):
        os.read(near, 1)


def test_nobody_is_asked_when_input_is_no_terminal() -> None:
    read, write = os.pipe()
    with Asking(read, write) as asking:
        assert asking.answers() == Answers(seconds=asking.answers().seconds)
    os.set_blocking(read, False)
    with pytest.raises(BlockingIOError):
        os.read(read, 1)
    os.close(read)
    os.close(write)


@pytest.mark.parametrize(
    ("environ", "color", "raw", "expected"),
    [
        ({"TERM": "xterm"}, None, b"", "256"),
        ({"TERM": "xterm"}, None, TMUX, "256"),
        ({"TERM": "xterm"}, None, KITTY, "truecolor"),
        ({"TERM": "xterm"}, None, b"\x1bP>|xterm.js(5.5.0)\x1b\\" + DA1, "truecolor"),
        ({}, None, b"", "256"),
        ({"TERM": "xterm-kitty"}, None, b"", "truecolor"),
        ({"TERM": "linux"}, None, KITTY, "16"),
        ({"TERM": "vt100"}, None, b"", "16"),
        ({"TERM": "linux", "COLORTERM": "truecolor"}, None, b"", "truecolor"),
        ({"TERM": "xterm", "COLORTERM": "24bit"}, None, b"", "truecolor"),
        ({"TERM": "xterm", "COLORTERM": "yes"}, None, b"", "256"),
        ({"TERM": "xterm", "NO_COLOR": "1", "COLORTERM": "truecolor"}, None, b"", "none"),
        ({"TERM": "xterm", "NO_COLOR": ""}, None, b"", "256"),
        ({"TERM": "xterm", "NO_COLOR": "1"}, "truecolor", b"", "truecolor"),
        ({"TERM": "xterm", "JITTUTOR_COLOR": "16"}, None, KITTY, "16"),
        ({"TERM": "xterm", "JITTUTOR_COLOR": "16"}, "auto", KITTY, "truecolor"),
        ({"TERM": "xterm", "JITTUTOR_COLOR": "nonsense"}, None, b"", "256"),
        ({"TERM": "xterm", "TEXTUAL_COLOR_SYSTEM": "standard"}, None, KITTY, "16"),
        ({"TERM": "xterm", "TEXTUAL_COLOR_SYSTEM": "nonsense"}, None, b"", "256"),
        ({"TERM": "xterm", "TEXTUAL_COLOR_SYSTEM": ""}, None, b"", "256"),
    ],
)
def test_colours_come_from_wish_then_environment_then_answer(
    environ: dict[str, str], color: str | None, raw: bytes, expected: str
) -> None:
    look = terminal.prepare(environ, color, ask=lambda: Answers(raw))
    assert look.colors == expected
    system = {"none": "standard", "16": "standard", "256": "256", "truecolor": "truecolor"}[expected]
    assert environ["TEXTUAL_COLOR_SYSTEM"] == system
    assert ("NO_COLOR" in environ) == (expected == "none")
    assert look.ansi == (expected in ("none", "16"))


def test_a_wish_for_colours_asks_nobody() -> None:
    def never() -> Answers:
        raise AssertionError

    assert terminal.prepare({"TERM": "xterm"}, "16", ask=never).answers is None


def test_slow_takes_fewer_colours_and_frames() -> None:
    environ = {"COLORTERM": "truecolor"}
    assert terminal.prepare(environ, slow=True).colors == "256"
    terminal.set_pace(environ, slow=True)
    assert (environ["TEXTUAL_FPS"], environ["TEXTUAL_ANIMATIONS"]) == ("10", "none")


@pytest.mark.parametrize(
    ("environ", "raw", "disabled"),
    [
        ({"LC_TERMINAL": "iTerm2"}, b"", True),
        ({"TERM_PROGRAM": "iTerm.app"}, b"", True),
        ({}, b"\x1bP>|iTerm2 3.5.0\x1b\\" + DA1, True),
        ({"LC_TERMINAL": "iTerm2", "TMUX": "/tmp/tmux,1,0"}, b"", False),  # noqa: S108 - only a value
        ({}, KITTY, False),
    ],
)
def test_kitty_keys_are_off_in_iterm2(environ: dict[str, str], raw: bytes, disabled: bool) -> None:
    terminal.prepare(environ, ask=lambda: Answers(raw))
    assert (environ.get("TEXTUAL_DISABLE_KITTY_KEY") == "1") == disabled


def test_columns_and_lines_are_dropped_only_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Tty(io.StringIO):
        def isatty(self) -> bool:
            return True

    environ = {"COLUMNS": "80", "LINES": "24"}
    monkeypatch.setattr(sys, "__stdin__", io.StringIO())
    terminal.prepare(environ)
    assert "COLUMNS" in environ
    monkeypatch.setattr(sys, "__stdin__", Tty())
    terminal.prepare(environ)
    assert not {"COLUMNS", "LINES"} & environ.keys()


def test_without_a_terminal_or_with_a_dumb_one_the_refusal_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Tty(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "__stdin__", io.StringIO())
    assert "kubectl exec -it" in (terminal.refusal({"TERM": "xterm"}) or "")
    monkeypatch.setattr(sys, "__stdin__", Tty())
    monkeypatch.setattr(sys, "__stderr__", Tty())
    assert "TERM=dumb" in (terminal.refusal({"TERM": "dumb"}) or "")
    assert terminal.refusal({"TERM": "xterm"}) is None


def test_text_is_utf8_whatever_the_locale_says(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    terminal.force_utf8()
    stream.write("λ → │ \udc80")
    stream.flush()
    assert raw.getvalue() == "λ → │ \\udc80".encode()


def test_an_error_leaves_the_terminal_put_back(scripted: list[Scripted]) -> None:
    scripted.append(Scripted(b""))
    near = scripted[0].near
    before = termios.tcgetattr(near)
    broken = [*before]
    broken[3] = 0

    def crash() -> None:
        with terminal.restored(lambda: None, near, near):
            termios.tcsetattr(near, termios.TCSANOW, broken)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        crash()
    assert termios.tcgetattr(near) == before
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    scripted[0].close()
    assert b"\x1b[?1049l" in scripted[0].heard
    assert b"\x1b[?1003l" in scripted[0].heard
    scripted.clear()
