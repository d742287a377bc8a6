"""Facts of a lesson and of a run -> lines of plain text. No colours, no columns that need eyes."""

import re
import string
import textwrap
from collections.abc import Iterator

from jittutor.course import Broken, Course
from jittutor.lesson import Lesson
from jittutor.review import Question
from jittutor.study.guess import Guess
from jittutor.study.source import normal
from jittutor.study.study import Study

WIDTH = 78
LETTERS = string.ascii_lowercase
STATES = {"done": "done", "skipped": "skipped", "begun": "begun", "new": "not begun"}
_BOLD = re.compile(r"\*\*([^*]+)\*\*")
_ITEM = re.compile(r"\s*(?:[-*]|\d+[.)])\s")


def title(study: Study) -> str:
    """Where the learner is."""
    lesson = study.lesson
    number, steps = study.course.number(lesson.slug), len(lesson.steps)
    state = STATES[study.mark(lesson, study.step)]
    return f"Lesson {number}: {lesson.title}. Step {study.number} of {steps}: {study.step.title} ({state})."


def text(study: Study) -> Iterator[str]:
    """Everything there is to read in a step."""
    yield title(study)
    if study.number == 1 and study.lesson.intro:
        yield ""
        yield from prose(study.lesson.intro)
    yield ""
    yield from prose(study.step.prose)
    yield ""
    yield from code(study.source)
    for guess in study.guesses.values():
        yield ""
        yield from question(guess)
    if study.step.is_exercise and not study.known.done:
        yield ""
        yield "Exercise: change the code, then run it; a check follows."
        yield from hints(study)


def prose(written: str) -> Iterator[str]:
    """Paragraphs wrapped, lists and code line by line."""
    for n, part in enumerate(re.split(r"\n[ \t]*\n", _BOLD.sub(r"\1", written).strip("\n"))):
        if n:
            yield ""
        lines = part.split("\n")
        if all(line.startswith("    ") for line in lines if line.strip()):
            yield from lines
        elif _ITEM.match(part):
            for item in re.split(r"\n(?=\s*(?:[-*]|\d+[.)])\s)", part):
                yield from textwrap.wrap(" ".join(item.split()), WIDTH, subsequent_indent="  ")
        else:
            yield from textwrap.wrap(" ".join(part.split()), WIDTH)


def code(source: str) -> Iterator[str]:
    """The code with its line numbers."""
    yield "Code:"
    for number, line in enumerate(source.rstrip("\n").split("\n"), 1):
        yield f"{number:3}  {line}"


def question(guess: Guess) -> Iterator[str]:
    """A question with its choices, what was guessed and what the run said."""
    yield from textwrap.wrap(f"Question: {_flat(guess.predict.question)}", WIDTH)
    if guess.is_settled:
        yield from verdict(guess)
        return
    for text_, right in guess.judged:
        yield from _judged(guess, text_, right=right)
    if guess.locked is not None:
        yield f"Your guess: {guess.locked}. It is judged by the next run."
        if guess.trouble:
            yield from textwrap.wrap(f"Not judged: {guess.trouble}.", WIDTH)
        return
    for at, choice in enumerate(guess.predict.choices):
        if choice in guess.open:
            yield f"  {LETTERS[at]}  {choice.text}"
    yield "Type the letter of your guess."


def verdict(guess: Guess) -> Iterator[str]:
    """What the run said about each choice, and the answer for those who did not find it."""
    for text_, right in guess.judged:
        yield from _judged(guess, text_, right=right)
    if not guess.judged:
        yield from textwrap.wrap(f"Not judged: {guess.trouble or 'this run gives no answer'}.", WIDTH)
    elif not guess.right and guess.answer:
        yield from textwrap.wrap(f"The answer is {guess.answer}. {guess.why(guess.answer)}", WIDTH)


def again(question: Question, number: int, many: int) -> Iterator[str]:
    """A question that comes back: where it is from, its code, its choices."""
    place = f"{question.lesson.title}, {question.step.title}"
    yield from textwrap.wrap(f"{number} of {many}, from {place}.", WIDTH)
    yield from code(normal(question.step.source))
    yield from textwrap.wrap(f"Question: {_flat(question.predict.question)}", WIDTH)
    for letter, choice in zip(LETTERS, question.predict.choices, strict=False):
        yield f"  {letter}  {choice.text}"


def _judged(guess: Guess, choice: str, *, right: bool) -> Iterator[str]:
    said = f"{choice}: {'right' if right else 'not it'}. {guess.why(choice)}"
    yield from textwrap.wrap(said, WIDTH, subsequent_indent="  ")


def hints(study: Study) -> Iterator[str]:
    """The hints asked for so far, and how many are left."""
    shown, every = study.known.hints, study.step.hints
    for number, hint in enumerate(every[:shown], 1):
        yield from textwrap.wrap(f"Hint {number} of {len(every)}: {_flat(hint)}", WIDTH)
    if left := len(every) - shown:
        yield f"{left} more with `hint`; `solution` shows the lesson's own."


def solution(study: Study) -> Iterator[str]:
    """The lesson's own solution."""
    found = study.step.solution
    if found is None:
        yield "This step has no exercise, so there is no solution to show."
        return
    if found.prose:
        yield from prose(found.prose)
    yield from code(found.source)
    yield "`take` puts it in place of your code."


def lessons(course: Course, study: Study) -> Iterator[str]:
    """The lessons, numbered."""
    for chapter in course.chapters:
        yield f"{chapter.title}:"
        for slug in chapter.slugs:
            entry = course.find(slug)
            number = course.number(slug)
            if isinstance(entry, Broken):
                yield f"{number:3}  {slug} cannot be opened: {entry.message}"
            elif isinstance(entry, Lesson):
                done = sum(study.mark(entry, step) == "done" for step in entry.steps)
                here = ", you are here" if entry is study.lesson else ""
                yield f"{number:3}  {entry.title} ({done} of {len(entry.steps)} done{here})"
    yield "`go NUMBER` opens one; `go NUMBER STEP` one of its steps."


def _flat(written: str) -> str:
    return " ".join(_BOLD.sub(r"\1", written).split())
