"""What happens to the tutor itself: killed, cut off, stopped; the work is safe, nothing is left running."""

import contextlib
import os
import pty
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from jittutor.state import State
from tests.faults.place import MODES, PROGRAM, RUNS, Place, begin, ends_well
from tests.faults.rig import soon
from tests.pty.console import Console

pytestmark = [pytest.mark.pty, pytest.mark.faults]


@pytest.fixture(params=[pytest.param(k, marks=[pytest.mark.slow] if k == "Python" else []) for k in RUNS])
def running(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Place, Console]]:
    """A tutor in which this runs, after the learner has typed something."""
    place = Place(tmp_path, RUNS[request.param])
    with place.open() as console:
        begin(console, going=request.param != "nothing")
        yield place, console
    assert soon(lambda: not place.left()), "processes are left"


def test_kill_9_at_any_time_leaves_the_work_and_nothing_running(running: tuple[Place, Console]) -> None:
    place, console = running
    os.kill(console.process.pid, signal.SIGKILL)
    console.process.wait(10)
    ends_well(place, again=True)


def test_kill_9_while_jax_starts_leaves_nothing_running(tmp_path: Path) -> None:
    place = Place(tmp_path, RUNS["nothing"])
    with place.open() as console:
        console.until("starting JAX")
        os.kill(console.process.pid, signal.SIGKILL)
        console.process.wait(10)
        assert soon(lambda: not place.left()), place.left()


@pytest.mark.parametrize(
    "number",
    [signal.SIGTERM, *(pytest.param(n, marks=pytest.mark.slow) for n in (signal.SIGHUP, signal.SIGINT))],
)
def test_a_signal_ends_the_tutor_in_order(tmp_path: Path, number: signal.Signals) -> None:
    place = Place(tmp_path, RUNS["XLA"])
    with place.open() as console:
        begin(console, going=True)
        console.process.send_signal(number)
        assert console.end(10) == 128 + number
        modes = console.last_modes()
        assert modes[25]
        assert not any(modes.get(mode, False) for mode in MODES)
        assert termios.tcgetattr(console.far) == console.modes
        ends_well(place)


def test_a_stop_from_the_terminal_that_nobody_could_undo_is_ignored(tmp_path: Path) -> None:
    place = Place(tmp_path, RUNS["nothing"])
    with place.open() as console:
        begin(console, going=False)
        console.process.send_signal(signal.SIGTSTP)
        console.type("?")
        console.until("Run the code.")
        console.process.send_signal(signal.SIGTERM)
        console.end()
        ends_well(place)


def test_a_terminal_that_hangs_up_ends_the_tutor(tmp_path: Path) -> None:
    place = Place(tmp_path, RUNS["Python"])
    console = place.open()
    begin(console, going=True)
    os.close(console._near)
    os.close(console.far)
    assert console.process.wait(10) in (128 + signal.SIGHUP, -signal.SIGHUP)
    ends_well(place, again=True)


def test_a_terminal_without_control_that_hangs_up_ends_the_tutor(tmp_path: Path) -> None:
    place = Place(tmp_path, RUNS["Python"])
    far, near = pty.openpty()
    process = subprocess.Popen(
        place.command, stdin=near, stdout=near, stderr=near, start_new_session=True,
        env=os.environ | place.environ,
    )  # fmt: skip
    os.close(near)
    heard = b""
    while b"ready" not in heard:
        heard += os.read(far, 65536)
    os.close(far)
    assert process.wait(15) == 128 + signal.SIGHUP
    assert soon(lambda: not place.left())


@pytest.mark.slow
@pytest.mark.parametrize("reads", [False, True], ids=["nobody reads", "nobody answers"])
def test_a_terminal_that_is_gone_without_a_word_costs_first_the_worker_then_the_tutor(
    tmp_path: Path, reads: bool
) -> None:
    place = Place(tmp_path, RUNS["Python"])
    with place.open("ASK=0.2", "MUTE=2", "GONE=3", "STUCK=6", "BEAT=1") as console:
        console.until(lambda: b"\x1b[6n" in console.heard, 60)
        console.type("\x1b[12;1R")  # it answers once, and never again
        begin(console, going=True)
        worker = set(place.left())
        if reads:
            console.until("does not answer any more", 20)
            assert len(place.left()) < len(worker)
            assert console.end(20) == 128 + signal.SIGHUP
        else:
            assert console.process.wait(30) == 128 + signal.SIGHUP
        ends_well(place)


@pytest.mark.slow
def test_a_loop_that_is_stuck_in_a_write_is_ended(tmp_path: Path) -> None:
    place = Place(
        tmp_path, "import time\nprint('go' 'ing')\nfor i in range(10**6): print(i); time.sleep(.001)"
    )
    with place.open("STUCK=3", "BEAT=1") as console:
        begin(console, going=True)
        assert console.process.wait(40) == 128 + signal.SIGHUP
        ends_well(place)


def test_stop_and_stop_again_on_the_screen(tmp_path: Path) -> None:
    place = Place(tmp_path, RUNS["XLA"])
    with place.open() as console:
        begin(console, going=True)
        console.type("x")
        console.until("you stopped it", 10)  # it does not listen: after 2 s it is ended
        assert "going" in console.text
        console.until("ready", 30)
        console.process.send_signal(signal.SIGTERM)
        console.end()
        ends_well(place)


@pytest.mark.slow
def test_two_tutors_on_one_state_keep_what_both_did(tmp_path: Path) -> None:
    place = Place(tmp_path, RUNS["nothing"])
    with place.open() as one, place.open() as two:
        one.until("ready", 60)
        two.until("ready", 60)
        begin(one, going=False)
        for console in (two, one):
            console.process.send_signal(signal.SIGTERM)
            console.end()
    ends_well(place)


@pytest.mark.slow
def test_a_crash_of_the_screen_keeps_the_work(tmp_path: Path) -> None:
    place = Place(tmp_path, RUNS["Python"])
    place.command[2] = PROGRAM.replace(
        "from jittutor.cli.main",
        "from jittutor.tui.app import Tutor\ndef fail(self): raise RuntimeError('a mistake')\n"
        "Tutor.action_help = fail\nfrom jittutor.cli.main",
    )
    with place.open() as console:
        begin(console, going=True)
        console.type("?")
        assert console.end() == 70
        assert b"the report is in" in console.heard
    place.command[2] = PROGRAM
    ends_well(place)


def test_the_state_is_a_valid_file_whenever_the_tutor_is_killed(tmp_path: Path) -> None:
    writer = (
        "import sys\nfrom pathlib import Path\nfrom jittutor.state import State\n"
        "state = State.open(Path(sys.argv[1]))\nn = 0\nprint('on', flush=True)\n"
        "while True:\n  n += 1\n  state.change('a', 'b', edit=str(n) * 2000)\n  state.save()\n"
        "  print(n, flush=True)\n"
    )
    newest = 0
    for _ in range(8):
        process = subprocess.Popen([sys.executable, "-c", writer, str(tmp_path)], stdout=subprocess.PIPE)
        assert process.stdout is not None
        with contextlib.closing(process.stdout) as said:
            lines = [said.readline() for _ in range(4)]
            process.kill()
            process.wait()
            rest = said.read().splitlines()
        newest = int((rest or lines)[-1])
        edit = State.open(tmp_path).step("a", "b").edit
        assert edit in {str(newest) * 2000, str(newest + 1) * 2000}
        assert msgspec.json.decode((tmp_path / "state.json").read_bytes())["schema"] == 1
