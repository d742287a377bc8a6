"""What is typed ahead, in one burst, does what it would have done key by key."""

from pathlib import Path

import pytest

from jittutor import course
from jittutor.state import State
from tests.pty.console import Console, jittutor

pytestmark = pytest.mark.pty
FIRST = course.load(course.home()).lessons[0]
PASTE = "\x1b[200~{}\x1b[201~"


@pytest.mark.parametrize(
    ("burst", "step", "start"),
    [
        ("ex = 1", 0, "x = 1"),
        ("e" + PASTE.format("x = 1\n"), 0, "x = 1\n"),
        ("gex = 1\r" + PASTE.format("y = 2\n") + "z", 0, "x = 1\ny = 2\nz"),
        ("nex = 1", 1, "x = 1"),
        ("ex\x1bn", 1, ""),
        ("ex = 1\x1bnpe\x1bn\x1b[A\x1bpz", 0, "x = 1"),
        ("/import\x7f\x1b", 0, ""),
    ],
)
def test_text_behind_the_key_that_opens_the_code_is_all_there(
    tmp_path: Path, burst: str, step: int, start: str
) -> None:
    command = jittutor("--cpu", "1")
    with Console(command, columns=80, rows=24, TERM="xterm", JITTUTOR_STATE=str(tmp_path)) as console:
        console.until("ready", 60)
        console.type(burst)
        # The keys behind are heard when those before have had their effect: no wait is needed.
        console.type("\x11\x11")
        assert console.end() == 0
    state, shown = State.open(tmp_path), FIRST.steps[step]
    assert state.place == (FIRST.slug, shown.id)
    edit = state.step(FIRST.slug, shown.id).edit
    assert edit == (start + shown.source if start else None)
