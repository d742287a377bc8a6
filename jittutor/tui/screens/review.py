"""Questions that were guessed wrong come back at the end of a chapter; a run of their step answers them."""

import string
from collections.abc import Callable, Iterator, Sequence

from textual import events
from textual.content import Content

from jittutor import review
from jittutor.lesson import Lesson, Predict, Step
from jittutor.record import Record
from jittutor.study.guess import Guess
from jittutor.study.source import normal
from jittutor.study.study import Study
from jittutor.tui.panes.code import coloured
from jittutor.tui.panes.flow import Block, inline, rows
from jittutor.tui.panes.questions import judged, the_answer
from jittutor.tui.say import join
from jittutor.tui.screens.dialogs import Page

type Place = tuple[str, str, str]
type RunStep = Callable[[Lesson, Step, Callable[[Record], None]], None]


class Review(Page):
    """One question after the other."""

    def __init__(self, study: Study, places: Sequence[Place], run: RunStep) -> None:
        """Ask these again; `run` runs a step's own code and tells its record."""
        super().__init__()
        self.study, self.places, self.run_step = study, list(places), run
        self.at = 0
        self.guess: Guess | None = None
        self.waits = False

    def _found(self) -> tuple[Lesson, Step, Predict]:
        slug, step_id, predict_id = self.places[self.at]
        lesson = self.study.course.find(slug)
        assert isinstance(lesson, Lesson)
        step = lesson.step(step_id)
        assert step is not None
        return lesson, step, next(predict for predict in step.predicts if predict.id == predict_id)

    def page_title(self) -> Content:
        """How many there are."""
        return join(f"Again: question {self.at + 1} of {len(self.places)}")

    def keys_shown(self) -> list[tuple[str, str]]:
        """Answer, then go on."""
        if self.guess is None:
            return [(f"a-{self._letters()[-1]}", "answer"), ("esc", "leave")]
        is_last = self.at + 1 == len(self.places)
        return [("enter", "done" if is_last else "next question"), *([] if is_last else [("esc", "leave")])]

    def _letters(self) -> str:
        return string.ascii_lowercase[: len(self._found()[2].choices)]

    def page(self) -> list[Block]:
        """The question, its choices and the answer of the run, which are in sight then; the code below."""
        lesson, step, predict = self._found()
        code = (join("  ", coloured(line, "python")) for line in normal(step.source).strip().split("\n"))
        return [
            Block(join((f"{lesson.title} · {step.title}", "$muted"))),
            Block(inline(predict.question, "bold")),
            *rows((self._choice(letter, choice) for letter, choice in self._choices(predict)), 3),
            *self._verdict(),
            Block(Content(""), gap=False),
            *rows(code, 6),
        ]

    def _choices(self, predict: Predict) -> Iterator[tuple[str, str]]:
        yield from zip(self._letters(), (choice.text for choice in predict.choices), strict=True)

    def _choice(self, letter: str, text: str) -> Content:
        guess = self.guess
        mine = guess is not None and text in (guess.locked, *(said for said, _ in guess.judged))
        return join(("▸" if mine else " ", "bold $accent"), (f"{letter} ", "bold $accent"),
                    (text, "bold" if mine else ""))  # fmt: skip

    def _verdict(self) -> Iterator[Block]:
        guess = self.guess
        if guess is None:
            return
        if self.waits:
            yield Block(join(("the code runs…", "$muted")))
        elif guess.judged:
            yield Block(Content(""), gap=False)
            yield from (judged(guess, text, right=right) for text, right in guess.judged)
            if not guess.right:
                yield the_answer(guess)
        else:
            trouble = guess.trouble or "this run gives no answer"
            yield Block(join(f"{trouble[0].upper()}{trouble[1:]}."))

    def on_key(self, event: events.Key) -> None:
        """A letter answers, Enter goes on."""
        lesson, step, predict = self._found()
        letters = self._letters()
        if event.key in letters and self.guess is None:
            self.guess = Guess(predict).lock(predict.choices[letters.index(event.key)].text)
            self.waits = True
            self.turn()
            self.run_step(lesson, step, self._heard)
        elif event.key == "enter" and self.guess is not None and not self.waits:
            self._next()
        else:
            return
        event.stop()
        event.prevent_default()

    def _heard(self, record: Record) -> None:
        assert self.guess is not None
        self.waits = False
        self.guess = self.guess.judge(record.answers.get(self.guess.predict.id))
        if self.guess.judged:
            choice, right = self.guess.judged[0]
            review.answered(self.study.state, self.places[self.at], choice, right=right)
            self.study.state.save()
        self.turn()

    def _next(self) -> None:
        self.guess = None
        if self.at + 1 == len(self.places):
            self.dismiss(None)
            return
        self.at += 1
        self.turn()
