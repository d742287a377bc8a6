"""A program that is told to end saves its work and gives the terminal back."""

import signal
import sys

import pytest

from jittutor.tui.terminal import RESET
from tests.pty.console import Console

PROGRAM = """
import signal
from jittutor.tui import terminal
with terminal.restored(lambda: print("saved", flush=True)):
    print("ready", flush=True)
    while True:
        signal.pause()
"""

pytestmark = pytest.mark.pty


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_saves_the_work_and_puts_the_terminal_back(number: signal.Signals) -> None:
    with Console([sys.executable, "-c", PROGRAM]) as console:
        console.until("ready")
        console.process.send_signal(number)
        assert console.end() == 128 + number
        assert b"saved" in console.heard
        assert RESET.encode() in console.heard
