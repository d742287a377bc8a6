"""Which guesses come back, and what is mastered: read off the course and the learner's state, nothing else.

A question is *mastered* when the first guess at it was right, or when it was answered right at a review.
A question whose first guess was wrong comes back at the end of the next chapter; answered wrong there,
at the end of the chapter after that. The end of a chapter is reached when each of its lessons is done or
skipped; past the last chapter there is no end to wait for.
"""

from collections.abc import Iterator
from typing import Literal

import msgspec

from jittutor.course import Chapter, Course
from jittutor.lesson import Lesson, Predict, Step
from jittutor.state import State, StepState

type Standing = Literal["not asked", "mastered", "waits", "due"]


class Question(msgspec.Struct, frozen=True):
    """One prediction of the course and how the learner stands with it."""

    chapter: int
    """The place of its chapter, from 0."""
    lesson: Lesson
    step: Step
    predict: Predict
    standing: Standing
    comes_back: int | None = None
    """The chapter at whose end it comes back; None when it does not."""

    @property
    def place(self) -> tuple[str, str, str]:
        """Slug, step id and predict id: what `answered` wants to know."""
        return self.lesson.slug, self.step.id, self.predict.id


class Part(msgspec.Struct, frozen=True):
    """What was done and mastered in one chapter."""

    title: str
    steps: int = 0
    done: int = 0
    skipped: int = 0
    questions: int = 0
    asked: int = 0
    mastered: int = 0
    due: int = 0


def questions(course: Course, state: State) -> tuple[Question, ...]:
    """Every prediction of the course in order, with how the learner stands."""
    ends = [_is_over(course, chapter, state) for chapter in course.chapters]
    return tuple(
        Question(at, lesson, step, predict, *_standing(at, predict, state.step(lesson.slug, step.id), ends))
        for at, lesson in _lessons(course)
        for step in lesson.steps
        for predict in step.predicts
    )


def due(course: Course, state: State) -> tuple[tuple[str, str, str], ...]:
    """Slug, step id and predict id of each question that should be asked again now."""
    return tuple(question.place for question in questions(course, state) if question.standing == "due")


def answered(state: State, place: tuple[str, str, str], choice: str, *, right: bool) -> None:
    """Remember an answer at a review; on disk after `state.save()`."""
    slug, step_id, predict_id = place
    known = state.step(slug, step_id)
    state.change(slug, step_id, reviews=(*known.reviews, (predict_id, choice, right)))


def progress(course: Course, state: State) -> tuple[Part, ...]:
    """The chapters, each with what was done and mastered."""
    found = questions(course, state)
    return tuple(_part(course, at, state, found) for at in range(len(course.chapters)))


def _part(course: Course, at: int, state: State, found: tuple[Question, ...]) -> Part:
    known = [
        state.step(lesson.slug, step.id)
        for chapter, lesson in _lessons(course)
        if chapter == at
        for step in lesson.steps
    ]
    own = [question.standing for question in found if question.chapter == at]
    return Part(
        course.chapters[at].title,
        steps=len(known),
        done=sum(step.done for step in known),
        skipped=sum(step.skipped and not step.done for step in known),
        questions=len(own),
        asked=len(own) - own.count("not asked"),
        mastered=own.count("mastered"),
        due=own.count("due"),
    )


def _lessons(course: Course) -> Iterator[tuple[int, Lesson]]:
    """Each lesson that can be opened, with the place of its chapter."""
    lessons = {lesson.slug: lesson for lesson in course.lessons}
    for at, chapter in enumerate(course.chapters):
        for slug in dict.fromkeys(chapter.slugs):
            if slug in lessons:
                yield at, lessons.pop(slug)


def _is_over(course: Course, chapter: Chapter, state: State) -> bool:
    known = [
        state.step(lesson.slug, step.id)
        for lesson in course.lessons
        if lesson.slug in chapter.slugs
        for step in lesson.steps
    ]
    return all(step.done or step.skipped for step in known)


def _standing(at: int, predict: Predict, known: StepState, ends: list[bool]) -> tuple[Standing, int | None]:
    """How it stands with a question of chapter `at`, and the chapter at whose end it comes back."""
    guesses = [right for name, _, right in known.guesses if name == predict.id]
    again = [right for name, _, right in known.reviews if name == predict.id]
    if not guesses:
        return "not asked", None
    if guesses[0] or any(again):
        return "mastered", None
    back = min(at + 1 + len(again), len(ends) - 1)
    return ("due" if ends[back] else "waits"), back
