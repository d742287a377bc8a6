"""Watches watched code call jitted functions, and JAX trace, lower and compile them; replaces nothing.

`sys.monitoring` (PEP 669) reports the calls that the watched code makes and the start and end of a few
of JAX's own functions; `jax.monitoring` reports the phases with their durations. Everything found is
said as an event of jittutor.event, at once.
"""

import sys
import time
import types
from collections.abc import Callable, Iterator
from typing import Any

from jittutor.event import Called, Event, Waited
from jittutor.worker import internals, phases
from jittutor.worker.keys import Keys, signature_of
from jittutor.worker.lane import Fast, Lane
from jittutor.worker.programs import Programs

_MONITORING = sys.monitoring
_EVENTS = _MONITORING.events
_CALLS = _EVENTS.CALL | _EVENTS.C_RETURN | _EVENTS.C_RAISE
TOOLS = (3, 4, 5)
"""Tool numbers that CPython leaves free for others than debuggers, coverage and profilers."""
PLAIN_CALLS = 200
"""After so many calls of other things, a call site that never called a jitted function is left alone."""
_now = time.perf_counter


class BusyError(Exception):
    """All tool numbers of sys.monitoring are taken: calls cannot be watched."""


class Watch:
    """One watched run."""

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
        self.lane = Lane()
        self.keys = Keys()
        self.programs = Programs(run)
        self.own: dict[int, types.CodeType] = {}
        self.file = ""
        self.n = 0
        self.told = 0
        self.traces = 0
        self.tally: dict[str, int] = {}
        """Hits that are only counted: by function."""
        self.outstanding: dict[int, tuple[int, float, float]] = {}
        """id of a result -> its call, when it was dispatched, when the call came back."""
        self._plain: dict[tuple[int, int], int] = {}
        self._shipped: dict[int, Any] = {}
        self.tool = -1

    # ------------------------------------------------------------ what is watched

    def add(self, code: types.CodeType) -> None:
        """Watch the calls that this code makes, and all code inside it."""
        if id(code) in self.own:
            return
        self.own[id(code)] = code
        if self.tool >= 0:
            _MONITORING.set_local_events(self.tool, code, _CALLS)
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
        """Begin to watch.

        Raises:
            BusyError: no tool number is free.
        """
        self.tool = next((t for t in TOOLS if _MONITORING.get_tool(t) is None), -1)
        if self.tool < 0:
            raise BusyError
        _MONITORING.use_tool_id(self.tool, "jittutor")
        for event, callback in (
            (_EVENTS.CALL, self._on_call),
            (_EVENTS.C_RETURN, self._on_return),
            (_EVENTS.C_RAISE, self._on_raise),
            (_EVENTS.PY_START, self._on_start),
            (_EVENTS.PY_RETURN, self._on_end),
        ):
            _MONITORING.register_callback(self.tool, event, callback)
        for code in self._marks():
            _MONITORING.set_local_events(self.tool, code, _EVENTS.PY_START | _EVENTS.PY_RETURN)
        for code in self.own.values():
            _MONITORING.set_local_events(self.tool, code, _CALLS)
        self.phases = phases.Phases(self)
        phases.listen(self.phases)
        internals.set_hit_hook(self._on_hit)

    def stop(self) -> None:
        """Watch no longer; what is still open is told as raised."""
        if internals.hit_hook_is(self._on_hit):
            internals.set_hit_hook(None)
        phases.listen(None)
        if self.tool >= 0:
            for code in (*self._marks(), *self.own.values()):
                _MONITORING.set_local_events(self.tool, code, 0)
            _MONITORING.free_tool_id(self.tool)
            self.tool = -1
            self.phases.settle(None)

    def _marks(self) -> Iterator[types.CodeType]:
        inside = self.inside
        for code in (
            inside.slow_call,
            inside.trace_call,
            inside.run_body,
            inside.compile,
            inside.to_host,
            inside.wait,
        ):
            if code is not None:
                yield code

    # ------------------------------------------------------------ calls of the watched code

    def is_operation(self, function: Any) -> bool:
        """Whether a jitted function is one of JAX's own, such as jnp.sin."""
        if id(function) in self._shipped:
            return True
        if internals.is_jax_function(function):
            self._shipped[id(function)] = function  # lives as long as JAX anyway
            return True
        return False

    def _on_call(self, code: types.CodeType, offset: int, function: object, first: object) -> object:
        if type(function) is internals.Jitted:
            if id(function) not in self._shipped:
                self.lane.fast.append(Fast(function, _now(), code, offset))
            return None
        if id(first) in self.outstanding:
            self._begin_wait(first)
            return None
        site = (id(code), offset)
        count = self._plain.get(site, 0) + 1
        self._plain[site] = count
        return _MONITORING.DISABLE if count > PLAIN_CALLS else None

    def _on_return(self, code: types.CodeType, offset: int, function: object, first: object) -> object:
        lane = self.lane
        if type(function) is internals.Jitted:
            if lane.fast and lane.fast[-1].function is function:
                fast = lane.fast.pop()
                if not fast.slow and not lane.paused:
                    self._tell_hit(fast, _now())
        elif lane.waiting is not None and id(first) in self.outstanding:
            self._end_wait(first)
        return None

    def _on_raise(self, code: types.CodeType, offset: int, function: object, first: object) -> object:
        lane = self.lane
        if type(function) is internals.Jitted and lane.fast and lane.fast[-1].function is function:
            lane.fast.pop()
        lane.waiting = None
        return None

    def _on_hit(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any) -> None:
        """JAX's C++ cache knew the call: here are its arguments and its result."""
        lane = self.lane
        if lane.paused:
            return
        if lane.fast and lane.fast[-1].function is function:
            if self.told < self.limit:
                lane.fast[-1].signature = signature_of(function._jit_info, args, kwargs)
                lane.fast[-1].result = result
        elif not self.is_operation(function) and not lane.fast:
            name = internals.name_of(function)
            self.tally[name] = self.tally.get(name, 0) + 1

    def _tell_hit(self, fast: Fast, end: float) -> None:
        if self.is_operation(fast.function):
            return
        name = internals.name_of(fast.function)
        if self.told >= self.limit:
            self.tally[name] = self.tally.get(name, 0) + 1
            return
        self.told += 1
        self.n += 1
        self.say(
            Called(
                self.run,
                self.n,
                name,
                self._line(fast.code, fast.offset),
                fast.signature,
                dispatch_ms=(end - fast.start) * 1e3,
            )
        )
        self.remember(fast.result, self.n, fast.start, end)

    def _line(self, code: types.CodeType, offset: int) -> int | None:
        if code.co_filename != self.file:
            return None
        for start, end, line in code.co_lines():
            if start <= offset < end:
                return line
        return None

    # ------------------------------------------------------------ waits for results

    def remember(self, result: Any, n: int, dispatched: float, returned: float) -> None:
        """Know the arrays of a result again when the watched code waits for one of them."""
        for leaf in _arrays(result):
            self.outstanding[id(leaf)] = (n, dispatched, returned)
        while len(self.outstanding) > 256:
            del self.outstanding[next(iter(self.outstanding))]

    def _begin_wait(self, array: Any) -> None:
        """The watched code hands a result to something that may wait for it."""
        n, dispatched, returned = self.outstanding[id(array)]
        start = _now()
        # Ready long ago: nobody knows when, so the execution time stays unknown.
        if start - returned < 1e-3 or not _is_ready(array):
            self.lane.waiting = (n, dispatched)

    def _end_wait(self, array: Any) -> None:
        end = _now()
        waiting, self.lane.waiting = self.lane.waiting, None
        if waiting is None or not _is_ready(array):
            return
        n, dispatched = waiting
        for key in [key for key, value in self.outstanding.items() if value[0] == n]:
            del self.outstanding[key]
        if not self.lane.paused:
            self.say(Waited(self.run, n, (end - dispatched) * 1e3))

    # ------------------------------------------------------------ JAX's own functions

    def _on_start(self, code: types.CodeType, offset: int) -> object:
        if self.lane.paused:
            return None
        frame = sys._getframe(1)
        inside = self.inside
        if code is inside.slow_call:
            self.phases.begin_call(frame)
        elif code is inside.trace_call:
            self.phases.begin_trace(frame)
        elif code is inside.run_body:
            self.phases.begin_body(frame)
        elif code is inside.to_host or code is inside.wait:
            for array in _arrays(frame.f_locals.get("self", frame.f_locals.get("x"))):
                if id(array) in self.outstanding:
                    self._begin_wait(array)
                    break
        return None

    def _on_end(self, code: types.CodeType, offset: int, value: object) -> object:
        if self.lane.paused:
            return None
        inside = self.inside
        if code is inside.slow_call:
            self.phases.end_call(sys._getframe(1), value)
        elif code is inside.trace_call:
            self.phases.end_trace(sys._getframe(1), value)
        elif code is inside.compile:
            self.phases.end_compile(sys._getframe(1), value)
        elif self.lane.waiting is not None and (code is inside.to_host or code is inside.wait):
            here = sys._getframe(1).f_locals
            for array in _arrays(here.get("self", here.get("x"))):
                if id(array) in self.outstanding:
                    self._end_wait(array)
                    break
        return None


def _arrays(value: Any, depth: int = 3) -> Iterator[Any]:
    """The arrays in a result, as far as plain containers hold them."""
    if type(value) in (tuple, list) and depth:
        for part in value[:64]:
            yield from _arrays(part, depth - 1)
    elif type(value) is dict and depth:
        for part in list(value.values())[:64]:
            yield from _arrays(part, depth - 1)
    elif hasattr(type(value), "is_ready"):
        yield value


def _is_ready(array: Any) -> bool:
    try:
        return bool(array.is_ready())
    except (RuntimeError, AttributeError):  # deleted or donated
        return True
