"""How the lesson screen runs and stops the code."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from jittutor.event import Ended, Event, Ready
from jittutor.study.link import Link
from jittutor.study.study import Study
from jittutor.tui import keys
from jittutor.tui.panes.editor import Editor
from jittutor.tui.panes.prints import Prints
from jittutor.tui.panes.questions import Questions
from jittutor.tui.panes.read import Read
from jittutor.tui.say import join
from jittutor.tui.screens.view import LessonView

if TYPE_CHECKING:
    from textual.timer import Timer

KILL_AFTER = 2.0
SHOW_AFTER, CLEAR_AFTER = 0.03, 0.15


class RunningView(LessonView):
    """A lesson view with a worker at the other end of a link."""

    def __init__(self, study: Study, link: Link) -> None:
        """Nothing runs yet."""
        super().__init__(study)
        self.link = link
        self._started = 0.0
        self._clock: Timer | None = None
        self._killing: Timer | None = None
        self._brought = self.arrangement.tab
        """The pane that the last run brought in sight."""

    @property
    def seconds(self) -> int:
        """How long the run has lasted."""
        return int(time.monotonic() - self._started) if self.worker in ("running", "stopping") else 0

    def action_run(self) -> None:
        """Run the code, once every question has a guess."""
        study = self.study
        if study.running:
            self.said = join(keys.told("It is still running. {stop} stops it."))
            self.draw_edges()
            return
        if (taken := self.query_one(Questions).take()) is not None:
            study.lock(*taken)
        if study.waiting is not None:
            self.said = None
            self.divide(self.arrangement.to("read"))
            self.set_focus(self.query_one(Questions))
            self.call_after_refresh(self.query_one(Read).see_questions)
            self.draw_edges()
            return
        request = study.begin(self.query_one(Editor).text)
        self.said = join(" ")
        self.worker = "running"
        self._started = time.monotonic()
        self._clock = self._clock or self.set_interval(1.0, self.draw_edges)
        self.set_timer(CLEAR_AFTER, lambda: self._clear(request.run))
        self.query_one(Prints).expect()
        self.link.send(request)
        self.study.state.save()
        # Most runs are over before this could be painted, and their result would wait for it.
        self.set_timer(SHOW_AFTER, self.draw_edges)

    def _clear(self, run: int) -> None:
        """Results of the last run do not stay beside a run that takes long."""
        if self.study.running and self.study.record.run == run:
            self.query_one(Prints).settle()
            self.draw_record()

    def follow(self, events: Sequence[Event]) -> None:
        """Draw the worker's state from what it said."""
        study = self.study
        for event in events:
            if isinstance(event, Ended):
                self.worker = "stopped"
            elif isinstance(event, Ready) and not study.running:
                self.worker = "ready"
        if not study.running and self.worker in ("running", "stopping"):
            self.worker = "ready"
        if not study.running and self._clock is not None:
            self._clock.stop()
            self._clock = None
            self._finished()

    def _finished(self) -> None:
        if self._killing is not None:
            self._killing.stop()
            self._killing = None
        self.said = None
        self.query_one(Prints).settle()
        self.study.state.save()
        if not self.study.is_aside:
            self._bring_results()

    def _bring_results(self) -> None:
        """Where one pane has room it is the one that tells most, unless the learner chose another."""
        now, right = self.arrangement, self.query_one("#right")
        reads_there = self.focused is not None and right in self.focused.ancestors
        if now.is_tabbed and now.zoomed is None and now.tab == self._brought and not reads_there:
            self._brought = self._telling()
            self.divide(now.to(self._brought))

    def _telling(self) -> str:
        record = self.study.record
        if record.error is not None and not self.study.holds:
            return "why"
        return "prints" if not record.calls and self.query_one(Prints).output.lines else "calls"

    def action_stop(self) -> None:
        """First press: interrupt. Second press, or no answer: a new worker."""
        if not self.study.running:
            return
        if self.worker == "stopping":
            self._kill()
            return
        self.worker = "stopping"
        self.said = join(
            ("■ ", "bold $build"), keys.told("Stopping. Press {stop} again to end the worker at once.")
        )
        self.link.interrupt()
        self._killing = self.set_timer(KILL_AFTER, self._kill)
        self.draw_edges()

    def _kill(self) -> None:
        if self.study.running:
            self.kill("you stopped it")

    def kill(self, reason: str) -> None:
        """End the worker and start another; the run is over."""
        self.study.lose(reason)
        self.follow([])
        self.worker = "starting"
        self.draw_record()
        self.run_worker(self.link.restart(), group="restart")
