"""The course by keyboard alone, in plain text, on a real worker: every step can be done."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Self

import pytest

from jittutor import course
from jittutor.lesson import Lesson, Step
from jittutor.state import State
from tests.pty.console import Console, jittutor

pytestmark = [pytest.mark.worker, pytest.mark.pty]
PROMPT = "> "
COURSE = course.load(course.home())


class Walk:
    """`jittutor --plain` with somebody who types."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        environ = {**os.environ, "JITTUTOR_STATE": str(folder), "PYTHONUTF8": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "jittutor", "--plain", "--cpu", *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ,
        )  # fmt: skip
        self.first = self._answer()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.wait(30)
        self.process.stdout.close()

    def type(self, line: str) -> str:
        """Type a line; what is told until the next prompt."""
        assert self.process.stdin
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()
        return self._answer()

    def _answer(self) -> str:
        heard = b""
        assert self.process.stdout
        while not heard.decode("utf-8", "replace").endswith(f"\n{PROMPT}"):
            more = os.read(self.process.stdout.fileno(), 65536)
            assert more, heard.decode("utf-8", "replace")
            heard += more
        return heard.decode("utf-8", "replace").removesuffix(PROMPT)


def solve(walk: Walk, step: Step) -> str:
    """Do what a step asks for: guess until nothing is left to guess, take the solution, run."""
    if step.is_exercise:
        walk.type("solution")
        assert "run` runs it" in walk.type("take")
    told = ""
    for _ in range(2):
        for predict in step.predicts:
            for letter in "abcdefgh"[: len(predict.choices)]:
                if "Your guess" in walk.type(f"guess {letter}"):
                    break
        told = walk.type("run")
        if "This step is done" in told:
            break
    return told


def walk_through(walk: Walk, lesson: Lesson, folder: Path) -> list[str]:
    """The steps of a lesson that could not be done."""
    assert lesson.title in walk.type(f"go {lesson.slug}")
    failed = []
    for n, step in enumerate(lesson.steps):
        told = solve(walk, step)
        if not State.open(folder).step(lesson.slug, step.id).done:
            failed.append(f"{lesson.slug}/{step.id}:\n{told[-2000:]}")
        if n + 1 < len(lesson.steps):
            walk.type("next")
    return failed


def test_the_first_lesson_can_be_done_in_plain_text(tmp_path: Path) -> None:
    with Walk(tmp_path) as walk:
        assert "Lesson 1" in walk.first
        assert walk_through(walk, COURSE.lessons[0], tmp_path) == []


@pytest.mark.slow
def test_the_whole_course_can_be_done_in_plain_text(tmp_path: Path) -> None:
    with Walk(tmp_path) as walk:
        failed = [why for lesson in COURSE.lessons for why in walk_through(walk, lesson, tmp_path)]
    assert not failed, "\n\n".join(failed)


def test_ctrl_c_stops_a_run_and_the_tutor_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "endless.py"
    file.write_text("print('begun', flush=True)\nwhile True:\n    pass\n", encoding="utf-8")
    with Console(jittutor("--plain", "--cpu"), TERM="dumb", JITTUTOR_STATE=str(tmp_path)) as console:
        console.until("> ")
        console.type(f"run {file}\n")
        console.until("is ready on CPU", 60)
        console.until("running for", 60)
        console.type("\x03")
        console.until("The run was stopped", 30)
        console.type("output\n")
        console.until("running line 1: begun")
        console.type("quit\n")
        assert console.end() == 0
        assert b"\x1b" not in console.heard


def test_the_lines_are_saved_when_the_tutor_is_ended_from_outside(tmp_path: Path) -> None:
    with Console(jittutor("--plain", "--cpu", "2"), TERM="dumb", JITTUTOR_STATE=str(tmp_path)) as console:
        console.until("> ")
        console.type("next\n")
        console.until("Step 2 of")
        console.process.terminate()
        assert console.end() == 0
    assert State.open(tmp_path).place == (COURSE.lessons[1].slug, COURSE.lessons[1].steps[1].id)
