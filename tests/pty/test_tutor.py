"""The tutor on a real terminal: it starts, paints, follows the size, and leaves everything as it was."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from tests.pty.console import Console, jittutor

pytestmark = pytest.mark.pty
MOUSE, ALTERNATE, PASTE, FOCUS = (1000, 1003, 1006), 1049, 2004, 1004
FIRST = "The device that does the work"


def assert_left_clean(console: Console) -> None:
    modes = console.last_modes()
    assert modes[25], "the cursor must be visible again"
    assert not any(modes.get(mode, False) for mode in (*MOUSE, ALTERNATE, PASTE, FOCUS, 2026, 2048))
    assert termios.tcgetattr(console.far) == console.modes


def leave(console: Console) -> None:
    console.type("\x11")  # ctrl+q: asks
    console.until("Leave the tutor?")
    console.type("\x11")  # asked twice: leaves
    assert console.end() == 0


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40)])
def test_it_starts_paints_the_first_lesson_and_leaves_the_terminal_as_it_was(columns: int, rows: int) -> None:
    with Console(jittutor("--cpu"), columns=columns, rows=rows, TERM="xterm") as console:
        console.until(FIRST[:20])
        assert console.last_modes()[ALTERNATE]
        leave(console)
        assert_left_clean(console)


def test_ctrl_j_runs_the_snippet_and_the_result_is_on_the_screen() -> None:
    with Console(jittutor("--cpu")) as console:
        console.until("ready", 60)
        assert "Device 0:" not in console.text
        console.type("\n")
        console.until("Device 0: cpu", 60)
        leave(console)


def test_the_next_start_is_where_the_last_one_ended(tmp_path: Path) -> None:
    with Console(jittutor("--cpu", "loops"), JITTUTOR_STATE=str(tmp_path)) as console:
        console.until("step 1 of ")
        console.type("n")
        console.until("step 2 of ")
        leave(console)
    with Console(jittutor("--cpu"), JITTUTOR_STATE=str(tmp_path)) as console:
        console.until("step 2 of ")
        assert "Loops" in console.text
        leave(console)


def test_no_terminal_means_one_line_of_help_and_exit_2() -> None:
    done = subprocess.run(jittutor(), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "kubectl exec -it" in done.stderr


def test_a_dumb_terminal_gets_lines_of_plain_text() -> None:
    with Console(jittutor("--cpu"), TERM="dumb") as console:
        console.until("> ")
        console.type("quit\n")
        assert console.end() == 0
        assert b"Lesson 1" in console.heard
        assert b"\x1b" not in console.heard


def test_it_follows_the_size_of_the_terminal() -> None:
    with Console(jittutor("--cpu"), columns=120, rows=40, COLUMNS="200", LINES="60") as console:
        console.until(FIRST)
        console.resize(80, 24)
        console.until(lambda: console.screen.display[-1].strip() and len(console.screen.display) == 24)
        console.until(FIRST[:20])
        leave(console)


@pytest.mark.parametrize(("columns", "rows"), [(0, 0), (1, 1)])
def test_a_terminal_without_a_size_at_the_start_is_no_trouble(columns: int, rows: int) -> None:
    with Console(jittutor("--cpu"), columns=columns, rows=rows) as console:
        console.until(lambda: console.last_modes().get(ALTERNATE))
        console.resize(100, 30)
        console.until(FIRST[:20])
        leave(console)
        assert_left_clean(console)


def test_a_terminal_that_never_answers_still_gets_its_screen() -> None:
    with Console(jittutor("--cpu"), answer=b"") as console:
        console.until(FIRST)
        leave(console)
        assert_left_clean(console)


def test_without_the_mouse_no_mouse_mode_is_ever_switched_on() -> None:
    with Console(jittutor("--cpu", "--no-mouse")) as console:
        console.until(FIRST)
        leave(console)
        assert b"\x1b[?1003h" not in console.heard


def test_plain_xterm_gets_256_colours_and_no_24_bit_ones() -> None:
    with Console(jittutor("--cpu"), TERM="xterm") as console:
        console.until(FIRST)
        leave(console)
        assert b"38;5;" in console.heard
        assert b"38;2;" not in console.heard


@pytest.mark.parametrize(("more", "seconds"), [((), 1 / 120), (("--slow",), 1 / 10)])
def test_how_often_it_draws_is_said_before_textual_reads_it(more: tuple[str, ...], seconds: float) -> None:
    program = """
import atexit, sys
from jittutor.cli.main import start
atexit.register(lambda: print("PERIOD", sys.modules["textual.screen"].UPDATE_PERIOD))
sys.exit(start(sys.argv[1:]))
"""
    with Console([sys.executable, "-c", program, "--cpu", *more]) as console:
        console.until(FIRST)
        leave(console)
        assert f"PERIOD {seconds}".encode() in console.heard


def test_sigterm_saves_the_edit_and_puts_the_terminal_back(tmp_path: Path) -> None:
    with Console(jittutor("--cpu"), JITTUTOR_STATE=str(tmp_path)) as console:
        console.until(FIRST)
        console.process.send_signal(signal.SIGTERM)
        assert console.end() == 128 + signal.SIGTERM
        assert_left_clean(console)
    assert (tmp_path / "state.json").exists()


def test_a_mistake_in_the_tutor_is_one_line_and_a_report(tmp_path: Path) -> None:
    program = """
import sys
from jittutor.tui.app import Tutor
def fail(self):
    raise RuntimeError("a mistake")
Tutor.action_help = fail
from jittutor.cli.main import start
sys.exit(start(["--cpu"]))
"""
    with Console([sys.executable, "-c", program], TMPDIR=str(tmp_path)) as console:
        console.until(FIRST)
        console.type("\x1b?")
        assert console.end() == 70
        assert b"something went wrong inside jittutor (RuntimeError: a mistake)" in console.heard
        assert b"Traceback" not in console.heard
        assert_left_clean(console)
    assert "a mistake" in next(tmp_path.glob("jittutor-error-*.txt")).read_text()


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_inside_tmux_it_paints_and_leaves(tmp_path: Path) -> None:
    tmux = ["tmux", "-u", "-S", str(tmp_path / "socket"), "-f", os.devnull]
    with Console([*tmux, "new-session", shlex.join(jittutor("--cpu"))], TERM="xterm") as console:
        try:
            console.until(FIRST)
            console.type("\x11")
            console.until("Leave the tutor?")
            console.type("\x11")
            assert console.end() == 0
        finally:
            subprocess.run([*tmux, "kill-server"], capture_output=True, check=False)
