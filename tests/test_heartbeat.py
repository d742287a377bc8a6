"""A long run says that it lives, on a terminal and nowhere else."""

import io
import sys
import threading

import pytest

from jittutor.heartbeat import Heartbeat


class Terminal(io.StringIO):
    """A stderr that is a terminal, and lets a test wait for words."""

    def __init__(self, *, terminal: bool = True) -> None:
        super().__init__()
        self._terminal = terminal
        self.spoken = threading.Event()

    def isatty(self) -> bool:
        return self._terminal

    def flush(self) -> None:
        self.spoken.set()


def test_a_terminal_hears_that_the_run_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with Heartbeat(first=0.01) as heart:
        heart.compiled = 7
        assert terminal.spoken.wait(10)
    assert "7 programs compiled so far" in terminal.getvalue()


@pytest.mark.parametrize(("terminal", "silent"), [(False, False), (True, True)])
def test_nobody_else_hears_anything(monkeypatch: pytest.MonkeyPatch, terminal: bool, silent: bool) -> None:
    stream = Terminal(terminal=terminal)
    monkeypatch.setattr(sys, "stderr", stream)
    before = threading.active_count()
    with Heartbeat(silent=silent, first=0.01):
        assert threading.active_count() == before
    assert stream.getvalue() == ""
