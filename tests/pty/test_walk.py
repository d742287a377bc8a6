"""The course by keyboard alone, in full screen, at 80x24 with 16 colours, on a real worker."""

import re
from pathlib import Path

import pytest

from jittutor import course
from jittutor.lesson import Lesson, Step
from jittutor.state import State, StepState
from tests.pty.console import Console, jittutor

pytestmark = [pytest.mark.pty, pytest.mark.worker]
COURSE = course.load(course.home())
LETTERS = "abcdefgh"
REVIEW = "Again: question"
"""The title of the screen with the questions that come back at the end of a chapter."""


class Walk:
    """The tutor on a small terminal, and its state on disk."""

    def __init__(self, console: Console, folder: Path) -> None:
        self.console, self.folder = console, folder

    def known(self, lesson: Lesson, step: Step) -> StepState:
        return State.open(self.folder).step(lesson.slug, step.id)

    def solve(self, lesson: Lesson, step: Step) -> None:
        """Guess until nothing is left to guess, take the solution, run."""
        self.console.until(step.title[:30])
        if step.is_exercise:
            self.console.type("k")
            self.console.until("Solution")
            self.console.type("u")
            self.console.until(lambda: self.known(lesson, step).skipped)
        for tries in range(2):
            if step.predicts:
                self._guess(lesson, step, tries)
            self.console.type("\n")
            if not step.predicts or tries:
                self.console.until(lambda: self.known(lesson, step).done, 60)
            else:
                self.console.until(lambda: len(self.known(lesson, step).guesses) >= len(step.predicts), 60)
            if self.known(lesson, step).done:
                break

    def _guess(self, lesson: Lesson, step: Step, tries: int) -> None:
        """Answer each open question: `a` first, then the next letter."""
        if not tries:
            self.console.type("\n")  # tells to guess first, and gives the keys to the question
            self.console.until("lock and run")
        for predict in step.predicts:
            judged = [right for name, _, right in self.known(lesson, step).guesses if name == predict.id]
            if not any(judged):
                self.console.type(f"{LETTERS[tries]}\r")

    def go_on(self, lesson: Lesson, step: Step) -> None:
        """To this step; questions that come back before it are answered."""
        self.console.type("n")
        self.console.until(lambda: self._is_at(lesson, step) or REVIEW in self.console.text)
        while not self._is_at(lesson, step):
            self.console.type("a")
            self.console.until("enter goes on", 60)
            self.console.type("\r")
            self.console.until(
                lambda: self._is_at(lesson, step) or "enter goes on" not in self.console.text, 60
            )

    def _is_at(self, lesson: Lesson, step: Step) -> bool:
        return State.open(self.folder).place == (lesson.slug, step.id)


def walk(folder: Path, lessons: tuple[Lesson, ...]) -> bytes:
    places = [(lesson, step) for lesson in lessons for step in lesson.steps]
    command = jittutor("--cpu", "--color", "16")
    with Console(command, columns=80, rows=24, TERM="xterm", JITTUTOR_STATE=str(folder)) as console:
        walk = Walk(console, folder)
        console.until("ready", 60)
        for n, place in enumerate(places):
            if n:
                walk.go_on(*place)
            walk.solve(*place)
        console.type("\x11")
        console.until("Leave the tutor?")
        console.type("\x11")
        assert console.end() == 0
        return console.heard


def test_the_first_chapter_is_done_by_keyboard_alone_with_16_colours(tmp_path: Path) -> None:
    slugs = COURSE.chapters[0].slugs
    heard = walk(tmp_path, tuple(lesson for lesson in COURSE.lessons if lesson.slug in slugs))
    assert re.search(rb"\x1b\[[\d;]*3[1-7][;m]", heard), "colours of the 16 are used"
    assert not re.search(rb"\x1b\[[\d;]*[34]8;[25];", heard), "and no others"


@pytest.mark.slow
def test_the_whole_course_is_done_by_keyboard_alone(tmp_path: Path) -> None:
    walk(tmp_path, COURSE.lessons)
