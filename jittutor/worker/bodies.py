"""Tells of a trace when the traced function's own body starts: what raises before that was no trace of it."""

import sys
import types
from typing import TYPE_CHECKING

from jittutor.event import Traced
from jittutor.worker import functions, internals, raw
from jittutor.worker.lane import Pending, frames_of, traced_function

if TYPE_CHECKING:
    from jittutor.worker.watch import Watch

_START = sys.monitoring.events.PY_START


class Bodies:
    """The traces of one watch."""

    def __init__(self, watch: "Watch") -> None:
        """Follow for this watch."""
        self._watch = watch
        self._traces = 0
        self._expected: dict[int, types.CodeType] = {}
        self.names: dict[str, str] = {}
        """All functions traced so far that are not JAX's own, by the names of their programs."""

    def begin(self, frame: types.FrameType) -> None:
        """JAX is about to run a body with tracers; `frame` runs `Inside.run_body`."""
        watch, lane = self._watch, self._watch.lane
        self._settle(frame.f_back)
        trace = frame.f_back
        if trace is None or trace.f_code is not watch.inside.trace_call:
            return
        function = trace.f_locals["fun"]
        above = trace.f_back.f_back if trace.f_back else None
        called = above is not None and above.f_code is watch.inside.slow_call and bool(lane.slow)
        if called:
            if lane.slow[-1].eager:
                return
        elif internals.is_jax_code(functions.home_of(function)) or internals.is_inspection(trace):
            return
        if functions.leads_to_jitted(function):
            return
        slow = lane.slow[-1] if called else None
        name = internals.program_name_of(function)
        key = watch.keys.of_trace(trace)
        if slow is not None:
            slow.key = key
        outer = traced_function(trace, watch.inside.bodies)
        self._await(function, Pending(id(frame), key, name, watch.line_of(trace), outer, raw.newest(), slow))

    def _settle(self, frame: types.FrameType | None) -> None:
        """Forget the traces that an exception has ended."""
        lane = self._watch.lane
        if lane.pending:
            alive = frames_of(frame, self._watch.inside.run_body)
            lane.pending = [pending for pending in lane.pending if pending.frame in alive]

    def _await(self, function: object, pending: Pending) -> None:
        """Tell of the trace when the body starts; at once where there is no such moment."""
        lane = self._watch.lane
        while lane.pending:
            # A trace that another one begins in has come as far as it needs.
            self._tell(lane.pending.pop(0))
        code = functions.body_of(function)
        if code is None or internals.is_jax_code(code):
            self._tell(pending)
            return
        pending.code = code
        lane.pending.append(pending)
        self._expected[id(code)] = code
        self._watch.hear_start(code, _START)

    def started(self, code: types.CodeType, frame: types.FrameType) -> None:
        """A function's body starts, perhaps the one that is waited for."""
        lane = self._watch.lane
        if not lane.pending or lane.pending[-1].code is not code:
            return
        pending = lane.pending.pop()
        if self._expected.pop(id(code), None) is not None:
            self._watch.hear_start(code, 0)
        if pending.frame in frames_of(frame, self._watch.inside.run_body):
            self._tell(pending)

    def end(self, frame: types.FrameType) -> None:
        """JAX has run the body to its end, whether or not its start was seen."""
        lane = self._watch.lane
        if lane.pending and lane.pending[-1].frame == id(frame):
            self._tell(lane.pending.pop())

    def stop(self) -> None:
        """Wait for no more."""
        for code in self._expected.values():
            self._watch.hear_start(code, 0)
        self._expected.clear()

    def _tell(self, pending: Pending) -> None:
        self._traces += 1
        self.names[pending.program_name] = pending.key.function
        if pending.slow is not None:
            pending.slow.trace = self._traces
        self._watch.say(
            Traced(self._watch.run, self._traces, pending.key, pending.line, pending.within, pending.raw)
        )
