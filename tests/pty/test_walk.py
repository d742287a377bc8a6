"""The first lessons by keyboard alone, in full screen, at 80x24 with 16 colours, on a real worker."""

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


class Walk:
    """The tutor on a small terminal, and its state on disk."""

    def __init__(self, console: Console, folder: Path) -> None:
        self.console, self.folder = console, folder

    def known(self, lesson: Lesson, step: Step) -> StepState:
        return State.open(self.folder).step(lesson.slug, step.id)

    def solve(self, lesson: Lesson, step: Step) -> None:
        """Guess until nothing is left to guess, take the solution, run."""
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
            self.console.until("enter lock")
        for predict in step.predicts:
            judged = [right for name, _, right in self.known(lesson, step).guesses if name == predict.id]
            if not any(judged):
                self.console.type(f"{LETTERS[tries]}\r")
                self.console.until("locked" if not tries else lambda: True)


def walk(folder: Path, lessons: tuple[Lesson, ...]) -> bytes:
    places = [(lesson, step) for lesson in lessons for step in lesson.steps]
    command = jittutor("--cpu", "--color", "16")
    with Console(command, columns=80, rows=24, TERM="xterm", JITTUTOR_STATE=str(folder)) as console:
        walk = Walk(console, folder)
        console.until("ready", 60)
        for n, (lesson, step) in enumerate(places):
            console.until(step.title[:30])
            walk.solve(lesson, step)
            if n + 1 < len(places):
                console.type("n")
        console.type("\x11")
        console.until("Leave the tutor?")
        console.type("\x11")
        assert console.end() == 0
        return console.heard


def test_the_first_lesson_is_done_by_keyboard_alone_with_16_colours(tmp_path: Path) -> None:
    heard = walk(tmp_path, COURSE.lessons[:1])
    assert re.search(rb"\x1b\[[\d;]*3[1-7][;m]", heard), "colours of the 16 are used"
    assert not re.search(rb"\x1b\[[\d;]*[34]8;[25];", heard), "and no others"


@pytest.mark.slow
def test_the_first_chapter_is_done_by_keyboard_alone(tmp_path: Path) -> None:
    slugs = COURSE.chapters[0].slugs
    walk(tmp_path, tuple(lesson for lesson in COURSE.lessons if lesson.slug in slugs))
