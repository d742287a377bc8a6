"""Runs that do not count: a sweep over values, and questions that come back at the end of a chapter."""

import time
from collections.abc import Callable

import msgspec

from jittutor import review
from jittutor.event import Run
from jittutor.lesson import Lesson, Step
from jittutor.record import Record
from jittutor.study.source import normal
from jittutor.tui import keys, sweeping
from jittutor.tui.panes.editor import Editor
from jittutor.tui.screens.keeping import KeepingView
from jittutor.tui.screens.review import Place, Review
from jittutor.tui.screens.sweep import Sweep


class TryingView(KeepingView):
    """A lesson that can run code aside."""

    _tell_aside: Callable[[Record], None] | None = None
    _asked: tuple[Place, ...] = ()
    """Questions that were offered at the end of this chapter."""

    def run_aside(self, request: Run, tell: Callable[[Record], None]) -> None:
        """Run something that changes nothing of what the learner has done; its record is told."""
        self._tell_aside = tell
        self.worker = "running"
        self._started = time.monotonic()
        self._clock = self._clock or self.set_interval(1.0, self.draw_edges)
        self.link.send(request)
        self.draw_edges()

    def _finished(self) -> None:
        super()._finished()
        if self.study.is_aside and self._tell_aside is not None:
            tell, self._tell_aside = self._tell_aside, None
            tell(self.study.record)

    def _leave_aside(self, _: None = None) -> None:
        """Whatever still runs aside is ended, and what the learner's own run said is there again."""
        self._tell_aside = None
        if self.study.running and self.study.is_aside:
            self.kill("you closed it")
        self.study.come_back()
        self.draw_record()
        self.tell(keys.told("That run did not count. {run} runs your code."))

    def action_sweep(self) -> None:
        """This step's code over a list of values."""
        study, source = self.study, self.query_one(Editor).text
        found = sweeping.settings(source)
        if study.running:
            self.tell(keys.told("It is still running. {stop} stops it."))
        elif not found:
            self.tell("A sweep needs a line like NUM_STEPS = 200 in the code, not indented.")
        else:

            def run(code: str, tell: Callable[[Record], None]) -> None:
                request = study.aside(study.lesson, study.step, code)
                self.run_aside(msgspec.structs.replace(request, asks=()), tell)

            self.app.push_screen(Sweep(source, found[0], run), self._leave_aside)

    # ------------------------------------------------------------ the end of a chapter

    def action_next(self) -> None:
        """The next step; at the end of a chapter first the questions that come back."""
        places = review.due(self.study.course, self.study.state) if self.study.ends_chapter else ()
        if not places or places == self._asked or self.study.running:
            super().action_next()
            return
        self._asked = places

        def run(lesson: Lesson, step: Step, tell: Callable[[Record], None]) -> None:
            self.run_aside(self.study.aside(lesson, step, normal(step.source)), tell)

        self.app.push_screen(Review(self.study, places, run), self._after_review)

    def _after_review(self, _: str | None = None) -> None:
        self._leave_aside()
        super().action_next()
