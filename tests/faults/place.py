"""The real program on a pty, with a lesson and a state of its own, and an eye on what it leaves running."""

import os
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

from jittutor.state import State
from tests.faults.rig import MARK, marked, soon
from tests.pty.console import Console, jittutor

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
    # Compiled ahead: what is seen to be going is the loop, not the compiler, which hears a stop.
    "XLA": "def endless(x):\n    return jax.lax.while_loop(lambda c: True, lambda c: c + 1, x)\n"
    "program = jax.jit(endless).lower(1).compile()\nprint('go' 'ing')\nprogram(1).block_until_ready()",
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


def begin(console: Console, *, going: bool) -> None:
    console.until("ready", 60)
    console.type("e")
    console.until("esc leave")
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
