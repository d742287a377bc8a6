"""Where the learner is, what is answered, and when a step counts as done. No screen in here."""

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from jittutor.course import Course
from jittutor.event import Answered, Ended, Event, Printed, Ready, Run
from jittutor.lesson import Lesson, Predict, Step
from jittutor.record import Record
from jittutor.state import State, StepState
from jittutor.study.guess import Guess
from jittutor.study.request import CHECK, build
from jittutor.study.source import normal

type Mark = Literal["done", "skipped", "begun", "new"]


class Study:
    """The facts behind the lesson screen."""

    def __init__(self, course: Course, state: State, start: tuple[str, str] | None) -> None:
        """Begin at `start`, else where the state says, else at the first step."""
        self.course, self.state = course, state
        self.lesson, self.step = self._find(start) or self._find(state.place) or _first(course)
        self.record = Record()
        self.before: Record | None = None
        self.running = self.expects_end = False
        self.is_aside = False
        """The record is of a run that does not count: a sweep, or the question of a review."""
        self._own = self.record
        """What the learner's own run said, while another one is aside."""
        self._run = self.runs = 0
        """All runs there were, and those of the learner at this step."""
        self.source_now = self.source_before = ""
        """The code of this run and of the one before."""
        self.guesses: dict[str, Guess] = {}
        self.open(self.lesson, self.step)

    def _find(self, place: tuple[str, str] | None) -> tuple[Lesson, Step] | None:
        found = self.course.find(place[0]) if place else None
        if place is None or not isinstance(found, Lesson):
            return None
        return found, found.step(place[1]) or found.steps[0]

    # ------------------------------------------------------------ the place

    def open(self, lesson: Lesson, step: Step) -> None:
        """Go to a step; what another step's run said is forgotten."""
        self.lesson, self.step = lesson, step
        self.before, self.running, self.is_aside, self.runs = None, False, False, 0
        self._run += 1
        self.record = Record(self._run, versions=self.record.versions, device=self.record.device)
        known = self.known
        self.guesses = {predict.id: _guess(predict, known) for predict in step.predicts}
        self.state.go(lesson.slug, step.id)

    @property
    def known(self) -> StepState:
        """What the state holds of this step."""
        return self.state.step(self.lesson.slug, self.step.id)

    @property
    def source(self) -> str:
        """The learner's text of this step, or the lesson's own."""
        edit = self.known.edit
        return normal(self.step.source if edit is None else edit)

    @property
    def number(self) -> int:
        """The place of the step in its lesson, from 1."""
        return self.lesson.steps.index(self.step) + 1

    @property
    def ends_chapter(self) -> bool:
        """Whether this is the last step of its chapter."""
        ends = [chapter.slugs[-1] for chapter in self.course.chapters if chapter.slugs]
        return self.lesson.slug in ends and self.step is self.lesson.steps[-1]

    def mark(self, lesson: Lesson, step: Step) -> Mark:
        """What is known of a step in one word."""
        known = self.state.step(lesson.slug, step.id)
        if known.done:
            return "done"
        if known.skipped:
            return "skipped"
        return "begun" if known.edit is not None or known.guesses or known.hints else "new"

    def change(self, **changes: object) -> None:
        """Remember something about this step."""
        self.state.change(self.lesson.slug, self.step.id, **changes)

    def keep(self, text: str) -> None:
        """Remember the learner's text; the lesson's own text counts as none."""
        edit = None if text == normal(self.step.source) else text
        if edit != self.known.edit:
            self.change(edit=edit)

    # ------------------------------------------------------------ a run

    @property
    def waiting(self) -> Guess | None:
        """The first question without a guess: it comes before the run."""
        return next((guess for guess in self.guesses.values() if not guess.is_ready), None)

    def begin(self, source: str) -> Run:
        """A new run of this step; events of older runs count no more."""
        self._run, self.runs = self._run + 1, self.runs + 1
        if self.record.done and not self.is_aside:
            self.before, self.source_before = self.record, self.source_now
        self.source_now, self.is_aside = source, False
        self.record = Record(self._run, versions=self.record.versions, device=self.record.device)
        self.running = True
        self.keep(source)
        return build(self.lesson, self.step, source, self._run)

    def aside(self, lesson: Lesson, step: Step, source: str) -> Run:
        """A run of any step's code that changes nothing of what the learner has done."""
        self._run += 1
        if not self.is_aside:
            self._own = self.record
        self.record = Record(self._run, versions=self.record.versions, device=self.record.device)
        self.running = self.is_aside = True
        return build(lesson, step, source, self._run)

    def come_back(self) -> None:
        """From a run aside to what the learner's own run said."""
        if self.is_aside:
            now, self.running, self.is_aside = self.record, False, False
            self.record = msgspec.structs.replace(self._own, versions=now.versions, device=now.device)

    def hear(self, events: Iterable[Event]) -> list[Printed]:
        """Fold the events into the record; printed lines are handed back, the record stays small."""
        printed: list[Printed] = []
        for event in events:
            if isinstance(event, Printed):
                if event.run == self.record.run:
                    printed.append(event)
            elif isinstance(event, Ended) and (self.expects_end or not self.running):
                self.expects_end = False
            else:
                self.expects_end = self.expects_end and not isinstance(event, Ready)
                self.record = self.record.after(event)
        if self.running and (self.record.done or self.record.lost is not None):
            self.running = False
            if not self.is_aside:
                self._judge()
        return printed

    def lose(self, message: str) -> None:
        """The worker is ended on purpose: the run is over, and the end that will be heard is known."""
        self.expects_end = False
        self.hear([Ended(message)])
        self.expects_end = True

    def greeted(self) -> Ready | None:
        """Device and versions, once known."""
        record = self.record
        return Ready(record.versions, record.device) if record.versions and record.device else None

    # ------------------------------------------------------------ what counts

    def lock(self, predict: Predict, text: str) -> None:
        """Make a guess; a second guess is judged by the run that is already there."""
        guess = self.guesses[predict.id].lock(text)
        self.guesses[predict.id] = guess
        if guess.judged and self.record.done and not self.is_aside:
            self._judge()

    def _judge(self) -> None:
        answers = self._answers()
        self.guesses = {name: guess.judge(answers.get(name)) for name, guess in self.guesses.items()}
        judged = tuple((name, text, ok) for name, guess in self.guesses.items() for text, ok in guess.judged)
        if judged != self.known.guesses:
            self.change(guesses=judged)
        if self.holds and not self.known.done:
            self.change(done=True)

    def _answers(self) -> Mapping[str, Answered]:
        """What the run said to each question; one that did not end as the step means it answers none."""
        answers, error = self.record.answers, self.record.error
        if self._ends_as_meant or self.record.done is None:
            return answers
        why = f"the code stopped with {error.type}" if error else f"it was {self.record.done.outcome}"
        return {
            name: msgspec.structs.replace(answer, ok=False, text=why) if answer.ok else answer
            for name, answer in answers.items()
        }

    @property
    def _ends_as_meant(self) -> bool:
        done = self.record.done
        raises = any(claim.name == "raises" for claim in self.step.claims)
        return done is not None and (done.outcome == "ok" or (raises and done.outcome == "error"))

    @property
    def holds(self) -> bool:
        """Whether this run ended as the step wants, everything is guessed, and the check holds."""
        if self.is_aside or not self._ends_as_meant:
            return False
        if not all(guess.is_settled for guess in self.guesses.values()):
            return False
        return self.step.check is None or self.passed is True

    @property
    def passed(self) -> bool | None:
        """Whether the exercise's check holds; None before it was asked."""
        answered = self.record.answers.get(CHECK)
        return answered.ok if answered else None

    def hint(self) -> bool:
        """Show one more hint; False when there is none left."""
        if self.known.hints >= len(self.step.hints):
            return False
        self.change(hints=self.known.hints + 1)
        return True


def _first(course: Course) -> tuple[Lesson, Step]:
    lesson = course.first
    assert lesson is not None, "who opens a course sees to it that there is a lesson"
    return lesson, lesson.steps[0]


def _guess(predict: Predict, known: StepState) -> Guess:
    judged = tuple((text, right) for name, text, right in known.guesses if name == predict.id)
    answer = next((text for text, right in judged if right), None)
    return msgspec.structs.replace(Guess(predict, judged), answer=answer)
