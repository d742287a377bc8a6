"""Questions that were guessed wrong come back at the end of a chapter; a run of their step answers them."""

import string
from collections.abc import Callable, Sequence

from textual import events
from textual.content import Content

from jittutor import review
from jittutor.lesson import Lesson, Predict, Step
from jittutor.record import Record
from jittutor.tui.guess import Guess
from jittutor.tui.panes.flow import inline
from jittutor.tui.say import join, stack
from jittutor.tui.screens.dialogs import Page
from jittutor.tui.source import normal
from jittutor.tui.study import Study

type Place = tuple[str, str, str]
type RunStep = Callable[[Lesson, Step, Callable[[Record], None]], None]


class Review(Page):
    """One question after the other."""

    keys_shown = (("a b c …", "answer"), ("enter", "next question"), ("esc", "leave"))

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

    def page(self) -> Content:
        """The question with its code, its choices, and the answer of the run."""
        lesson, step, predict = self._found()
        lines = [join((f"{lesson.title} · {step.title}", "$muted")), Content("")]
        lines += [join(("  " + line, "$code-variable")) for line in normal(step.source).strip().split("\n")]
        lines += [Content(""), inline(predict.question, "bold")]
        for letter, choice in zip(string.ascii_lowercase, predict.choices, strict=False):
            mine = self.guess is not None and choice.text in (self.guess.locked, self.guess.answer)
            lines.append(join((f" {letter} ", "bold $accent"), (choice.text, "bold" if mine else "")))
        return stack([*lines, Content(""), self._verdict()])

    def _verdict(self) -> Content:
        guess = self.guess
        if guess is None:
            return Content("")
        if self.waits:
            return join(("the code runs…", "$muted"))
        if guess.judged:
            mark = ("✓ right: ", "bold $right") if guess.right else ("✗ not it: ", "bold $wrong")
            answer = guess.answer or ""
            return join(mark, (answer, "bold"), " ", inline(guess.why(answer)), ("  enter goes on", "$muted"))
        return join((f"This run gives no answer. {guess.trouble}", "$muted"), ("  enter goes on", "$muted"))

    def on_key(self, event: events.Key) -> None:
        """A letter answers, Enter goes on."""
        lesson, step, predict = self._found()
        letters = string.ascii_lowercase[: len(predict.choices)]
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
