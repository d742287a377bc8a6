"""What the tutor sends to a real terminal: few bytes, and yet the right picture."""

import sys

import pytest

from tests.pty.console import Console

pytestmark = pytest.mark.pty

PROGRAM = """
import sys, tempfile
from pathlib import Path
from tests.tui import fake
from jittutor.tui import inside
if sys.argv[1] == "everything":
    del inside.SparingApp._display
fake.tutor(folder=Path(tempfile.mkdtemp()))[0].run()
"""
KEYS = ("b", "\n", "e", "xy", "\x1b", "c", "\x1b[B", "g", "m", "?", "\x1b", "n", "z", "p", "z")


def console(what: str) -> Console:
    return Console([sys.executable, "-c", PROGRAM, what], TERM="xterm-256color", COLORTERM="truecolor")


def hear_all(terminal: Console) -> None:
    """Listen until the program has nothing more to say."""
    while terminal._hear(0.3):
        pass


def test_a_typed_key_costs_at_most_600_bytes() -> None:
    with console("sparing") as terminal:
        terminal.until("ready", 30)
        terminal.type("e")
        terminal.until("esc leave")
        terminal.type("a")
        terminal.until("edited")
        hear_all(terminal)
        before = len(terminal.heard)
        terminal.type("b")
        terminal.until("ab@jax")
        assert len(terminal.heard) - before <= 600


def test_the_picture_is_the_same_as_with_all_bytes() -> None:
    with console("sparing") as sparing, console("everything") as everything:
        for terminal in (sparing, everything):
            terminal.until("ready", 30)
        for key in KEYS:
            for terminal in (sparing, everything):
                terminal.type(key)
            for terminal in (sparing, everything):
                hear_all(terminal)

            def same() -> bool:
                # One of the two may be slow; a piece that was wrongly left out stays wrong.
                hear_all(everything)
                return sparing.text == everything.text

            sparing.until(same)
