"""Watches watched code call jitted functions, and JAX trace, lower and compile them; replaces nothing.

`sys.monitoring` (PEP 669) reports the calls that the watched code makes and the start and end of a few
of JAX's own functions; `jax.monitoring` reports the phases with their durations. Everything found is
said as an event of jittutor.event, at once.
"""

import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

from jittutor.event import Event, Hits, Unwatched
from jittutor.worker import hook, internals, phases
from jittutor.worker.bodies import Bodies
from jittutor.worker.calls import Calls
from jittutor.worker.counting import Counting
from jittutor.worker.keys import Keys
from jittutor.worker.lane import Lane, Slow
from jittutor.worker.programs import Programs
from jittutor.worker.waits import Waits

_MONITORING = sys.monitoring
_EVENTS = _MONITORING.events
CALLS = _EVENTS.CALL | _EVENTS.C_RETURN | _EVENTS.C_RAISE
TOOLS = (3, 4, 5)
"""Tool numbers that CPython leaves free for others than debuggers, coverage and profilers."""


class Watch:
    """One watched run: what is watched, and who hears of what."""

    def __init__(self, say: Callable[[Event], None], run: int, *, live: bool, calls: int = 10_000) -> None:
        """Prepare to tell `say` everything.

        Args:
            say: takes each event; called on the thread where it happens.
            run: the number that the events carry.
            live: somebody looks on: also say when a phase begins.
            calls: so many calls are told one by one; the rest are counted.
        """
        self.say, self.run, self.live, self.limit = say, run, live, calls
        self.inside = internals.find()
        self.open: dict[int, list[Slow]] = {}
        self.lane = Lane(self.open)
        self.keys = Keys()
        self.programs = Programs(run)
        self.own: dict[int, types.CodeType] = {}
        self.file = ""
        self.n = 0
        self.told = 0
        self._events = CALLS
        self.counting = Counting(self)
        self.waits = Waits(self)
        self.calls = Calls(self)
        self.bodies = Bodies(self)
        self.phases = phases.Phases(self)
        self.hit_hook = self.calls.on_hit
        self.tool = -1

    # ------------------------------------------------------------ what is watched

    def add(self, code: types.CodeType) -> None:
        """Watch the calls that this code makes, and all code inside it."""
        if id(code) in self.own:
            return
        self.own[id(code)] = code
        if self.tool >= 0:
            _MONITORING.set_local_events(self.tool, code, self._events)
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self.add(constant)

    def line_of(self, frame: types.FrameType | None) -> int | None:
        """The watched file's line that `frame` was called from, or is at."""
        while frame is not None:
            if id(frame.f_code) in self.own and frame.f_code.co_filename == self.file:
                return frame.f_lineno
            frame = frame.f_back
        return None

    # ------------------------------------------------------------ begin and end

    def start(self) -> None:
        """Begin to watch; what cannot be watched is said."""
        phases.listen(self.phases)
        if self.inside.missing:
            names = ", ".join(self.inside.missing)
            self.say(Unwatched(self.run, f"this version of JAX has no {names}: some facts are missing"))
        self.tool = next((t for t in TOOLS if _MONITORING.get_tool(t) is None), -1)
        if self.tool < 0:
            self.say(
                Unwatched(self.run, "other tools use all of sys.monitoring: calls and traces are not watched")
            )
            return
        _MONITORING.use_tool_id(self.tool, "jittutor")
        _MONITORING.register_callback(self.tool, _EVENTS.PY_START, self._on_start)
        _MONITORING.register_callback(self.tool, _EVENTS.PY_RETURN, self._on_end)
        for code in self._marks():
            _MONITORING.set_local_events(self.tool, code, _EVENTS.PY_START | _EVENTS.PY_RETURN)
        self.hear_calls(CALLS, self.calls.on_call, self.calls.on_return, self.calls.on_raise)
        hook.put(self.hit_hook)

    def hear_calls(self, events: int, call: Any, came_back: Any = None, raised: Any = None) -> None:
        """Have the calls of the watched code heard by these."""
        self._events = events
        _MONITORING.register_callback(self.tool, _EVENTS.CALL, call)
        _MONITORING.register_callback(self.tool, _EVENTS.C_RETURN, came_back)
        _MONITORING.register_callback(self.tool, _EVENTS.C_RAISE, raised)
        for code in self.own.values():
            _MONITORING.set_local_events(self.tool, code, events)

    def hear_start(self, code: types.CodeType, events: int) -> None:
        """Have this code's start heard as well as what is heard of it anyway, or no more when 0."""
        if self.tool >= 0:
            _MONITORING.set_local_events(
                self.tool, code, events | (self._events if id(code) in self.own else 0)
            )

    def stop(self) -> None:
        """Watch no longer; what is still open is told as raised."""
        phases.listen(None)
        if self.tool >= 0:
            self.phases.settle_all()
            self.bodies.stop()
            for code in (*self._marks(), *self.own.values()):
                _MONITORING.set_local_events(self.tool, code, 0)
            _MONITORING.free_tool_id(self.tool)
            # Last: telling of a call puts the hook back.
            hook.drop(self.hit_hook)
            self.tool = -1

    def last(self) -> Iterator[Event]:
        """What is told after the run: the hits that were only counted, and the programs."""
        for name, hits, misses in self.counting.result():
            yield Hits(self.run, name, hits, misses)
        yield from self.programs.events(self.file)

    def _marks(self) -> Iterator[types.CodeType]:
        inside = self.inside
        for code in (
            inside.slow_call,
            inside.trace_call,
            inside.run_body,
            inside.compile,
            inside.to_host,
            inside.wait,
            inside.clear_all,
            inside.clear_one,
        ):
            if code is not None:
                yield code

    # ------------------------------------------------------------ JAX's own functions

    def _on_start(self, code: types.CodeType, offset: int) -> object:
        if not self.lane.paused:
            try:
                self._started(code, sys._getframe(1))
            except Exception as error:  # noqa: BLE001 - a fault of ours must not become one of theirs
                self.give_up(error)
        return None

    def _on_end(self, code: types.CodeType, offset: int, value: object) -> object:
        if not self.lane.paused:
            try:
                self._ended(code, sys._getframe(1), value)
            except Exception as error:  # noqa: BLE001 - as above
                self.give_up(error)
        return None

    def give_up(self, error: Exception) -> None:
        """Watch no more and say so; the program goes on as if it had never been watched."""
        self.bodies.stop()
        for code in (*self._marks(), *self.own.values()):
            _MONITORING.set_local_events(self.tool, code, 0)
        self._events = 0
        hook.drop(self.hit_hook)
        phases.listen(None)
        name = type(error).__name__
        self.say(
            Unwatched(self.run, f"from here on nothing is watched: {name} in jittutor's own watch: {error}")
        )

    def _started(self, code: types.CodeType, frame: types.FrameType) -> None:
        inside = self.inside
        if code is inside.slow_call:
            self.phases.begin_call(frame)
        elif code is inside.trace_call:
            self.phases.begin_trace(frame)
        elif code is inside.run_body:
            self.bodies.begin(frame)
        elif code is inside.to_host or code is inside.wait:
            self.waits.begin_any(frame.f_locals.get("self", frame.f_locals.get("x")))
        elif code is inside.clear_all:
            self.keys.clear()
        elif code is inside.clear_one:
            self.keys.clear(getattr(frame.f_locals.get("self"), "_fun", None))
        else:
            self.bodies.started(code, frame)

    def _ended(self, code: types.CodeType, frame: types.FrameType, value: object) -> None:
        inside = self.inside
        if code is inside.slow_call:
            self.phases.end_call(frame, value)
        elif code is inside.trace_call:
            self.phases.end_trace(frame)
        elif code is inside.run_body:
            self.bodies.end(frame)
        elif code is inside.compile:
            self.phases.end_compile(frame, value)
        elif code is inside.to_host or code is inside.wait:
            self.waits.end_any(frame.f_locals.get("self", frame.f_locals.get("x")))
