"""What happens to the tutor itself: killed, cut off, stopped; the work is safe, nothing is left running."""

import contextlib
import os
import pty
import signal
import subprocess
import sys
import termios
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jittutor.state import State
from tests.faults.rig import MARK, marked, soon
from tests.pty.console import Console, jittutor

pytestmark = [pytest.mark.pty, pytest.mark.faults]

# The tutor with a lesson of the test's own, and with guards that lose patience soon.
PROGRAM = """
import sys
from pathlib import Path
from jittutor import course
from jittutor.tui import guard
for name, value in (w.split("=") for w in sys.argv[2:]):
    setattr(guard, name, float(value))
course.home = lambda: Path(sys.argv[1])
from jittutor.cli.main import start
sys.exit(start(["--cpu"]))
"""
LESSON = '''"""One

Text.
"""

import jax

# %% First
"""Run it."""

{}
'''
RUNS = {
    "nothing": "print('do' 'ne')",
    "Python": "print('go' 'ing')\nwhile True: pass",
    "XLA": "print('go' 'ing')\njax.jit(lambda x: jax.lax.while_loop(lambda c: True, lambda c: c + 1, x))(1)"
    ".block_until_ready()",
    "a child": "import subprocess\nprint('go' 'ing')\n"
    "subprocess.run(['sleep', '999'], start_new_session=True)",
}
MODES = (1000, 1003, 1006, 1049, 2004, 1004)


class Place:
    """A folder with one lesson and the learner's state; knows the processes that come of it."""

    def __init__(self, folder: Path, code: str) -> None:
        self.mark = uuid.uuid4().hex
        self.state = folder / "state"
        lessons = folder / "lessons"
        lessons.mkdir()
        (lessons / "course.toml").write_text('title = "T"\n[[chapter]]\ntitle = "C"\nlessons = ["one"]\n')
        (lessons / "one.py").write_text(LESSON.format(code))
        self.command = [sys.executable, "-c", PROGRAM, str(lessons)]
        self.environ: dict[str, Any] = {
            MARK: self.mark,
            "JITTUTOR_STATE": str(self.state),
            "TMPDIR": str(folder),
        }

    def open(self, *constants: str, answer: bytes = b"\x1b[?62c") -> Console:
        return Console([*self.command, *constants], answer=answer, **self.environ)

    def left(self) -> list[int]:
        return list(marked(self.mark))

    def edit(self) -> str | None:
        steps = State.open(self.state).steps()
        return next((step.edit for step in steps.values()), None)


@pytest.fixture(params=[pytest.param(k, marks=[pytest.mark.slow] if k == "Python" else []) for k in RUNS])
def running(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Place, Console]]:
    """A tutor in which this runs, after the learner has typed something."""
    place = Place(tmp_path, RUNS[request.param])
    with place.open() as console:
        begin(console, going=request.param != "nothing")
        yield place, console
    assert soon(lambda: not place.left()), "processes are left"


def begin(console: Console, *, going: bool) -> None:
    console.until("ready", 60)
    console.type("e")
    console.until(lambda: "e edit" not in console.text)
    console.type("# mine\r")
    console.until("# mine")
    console.type("\x1b")
    console.until("e edit")
    console.type("r")
    if going:
        console.until("running", 30)
        console.until("going", 30)
    else:
        console.until("done", 30)


def ends_well(place: Place, *, again: bool = False) -> None:
    assert soon(lambda: not place.left()), place.left()
    edit = place.edit()
    assert edit is not None
    assert "# mine" in edit
    if again:  # the next start is where this one ended
        with place.open() as console:
            console.until("# mine", 60)


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


GPU = "from jittutor import lease\nlease.device = lambda environ, *, cpu: 'gpu-test' if not cpu else ''\n"


def with_gpu(place: Place) -> None:
    """As if there were a GPU, which only one tutor may use."""
    place.command[2] = GPU + PROGRAM.replace('["--cpu"]', "[]")
    place.environ["JAX_PLATFORMS"] = "cpu"


def ps(place: Place, *more: str) -> str:
    done = subprocess.run(
        jittutor(*(more or ("ps",))),
        env=os.environ | place.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_second_tutor_can_work_on_the_cpu_while_the_first_has_the_gpu(tmp_path: Path) -> None:
    place = Place(tmp_path, RUNS["nothing"])
    with_gpu(place)
    with place.open() as one:
        begin(one, going=False)
        with place.open() as two:
            two.until("Take it over")
            assert f"process {one.process.pid}" in two.text
            two.type("cpu\r")
            begin(two, going=False)
            assert "holds gpu-test" in ps(place)
            assert len(ps(place).splitlines()) == 2
            assert one.process.poll() is None
            ps(place, "kill", str(one.process.pid))
            assert one.end() == 128 + signal.SIGTERM
            assert str(one.process.pid) not in ps(place)
            assert ps(place, "kill") == "nothing was left behind\n"
            ps(place, "kill", "--all")
            two.end()
    ends_well(place)


@pytest.mark.slow
def test_a_second_tutor_can_take_the_gpu_over_even_if_the_first_is_stopped(tmp_path: Path) -> None:
    place = Place(tmp_path, RUNS["nothing"])
    with_gpu(place)
    with place.open() as one:
        begin(one, going=False)
        one.process.send_signal(signal.SIGSTOP)
        with place.open() as two:
            two.until("Take it over")
            two.type("take\r")
            two.until("ready", 60)
            assert "holds gpu-test" in ps(place)
            assert one.process.wait(10) in (-signal.SIGKILL, 128 + signal.SIGTERM)
            two.process.send_signal(signal.SIGTERM)
            two.end()
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
