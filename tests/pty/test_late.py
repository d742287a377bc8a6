"""Answers of a terminal at the far end of a slow line: they come when keys are already read."""

import pytest

from jittutor.tui.late import LateAnswers
from tests.pty.console import Console, jittutor

ANSWERS = "\x1bP1+r524742=382F382F38\x1b\\\x1bP>|XTerm(370)\x1b\\\x1b[?0u\x1b[?64;1;2;22c"


def test_answers_are_taken_out_wherever_the_line_cuts_them() -> None:
    typed = f"a{ANSWERS}\x1b[A\x1b[?2026;2$yb"
    for cut in range(len(typed) + 1):
        if typed[:cut].endswith(("\x1b", "\x1bP", "\x1b[")):
            continue  # they are keys: Escape, alt+P, alt+[
        late = LateAnswers()
        assert late.without(typed[:cut]) + late.without(typed[cut:]) == "a\x1b[A\x1b[?2026;2$yb"


@pytest.mark.parametrize(
    "keys", ["\x1b", "\x1bP", "\x1b[1;5C", "\x1b[200~x\x1b[201~", "?62c", "\x1b[<0;1;1M"]
)
def test_keys_stay_keys(keys: str) -> None:
    assert LateAnswers().without(keys) == keys


@pytest.mark.pty
def test_a_late_answer_presses_no_key() -> None:
    with Console(jittutor("--cpu"), answer=b"") as console:
        console.until("The device that does the work"[:20])
        console.type(ANSWERS)
        console.type("l")
        console.until("search titles")
        assert "64;1;2" not in console.text
        console.type("\x1b")
        console.until(lambda: "search titles" not in console.text)
        console.type("\x11")
        console.until("Leave the tutor?")
        assert "Keys" not in console.text
        console.type("\x11")
        assert console.end() == 0
