"""The fast path: calls of jitted functions that JAX's C++ cache answers, seen from the watched code.

This runs once or twice for every call in somebody's training loop: each line here costs them time.
"""

import contextlib
import sys
import time
import types
import weakref
from typing import TYPE_CHECKING, Any

import jax

from jittutor.event import Called
from jittutor.worker import functions, hook, internals
from jittutor.worker.keys import signature_of
from jittutor.worker.lane import Fast

if TYPE_CHECKING:
    from jittutor.worker.watch import Watch

PLAIN_CALLS = 200
"""After so many calls of other things, a call site that never called a jitted function is left alone."""
_DISABLE = sys.monitoring.DISABLE
_now = time.perf_counter


class Calls:
    """Hears the calls of the watched code."""

    def __init__(self, watch: "Watch") -> None:
        """Hear for this watch."""
        self._watch = watch
        self._lane = watch.lane
        self._outstanding = watch.waits.outstanding
        self._plain: dict[tuple[int, int], int] = {}
        self._signatures: dict[tuple[Any, ...], str | None] = {}
        self._arrays: set[type] = set()
        self._known: dict[int, tuple[weakref.ref[Any], str]] = {}
        self._lines: dict[tuple[int, int], int | None] = {}

    def on_call(self, code: types.CodeType, offset: int, function: object, first: object) -> object:
        """The watched code calls something."""
        if type(function) is internals.Jitted:
            self._lane.fast.append(Fast(function, _now(), code, offset))
            return None
        if (inner := functions.jitted_in(function)) is not None:
            self._lane.fast.append(Fast(inner, _now(), code, offset))
            return None
        if id(first) in self._outstanding:
            self._watch.waits.begin(first)
            return None
        return self.is_plain(code, offset)

    def is_plain(self, code: types.CodeType, offset: int) -> object:
        """Another call of something else from this site: after many of them it is heard no more."""
        site = (id(code), offset)
        count = self._plain.get(site, 0) + 1
        self._plain[site] = count
        return _DISABLE if count > PLAIN_CALLS else None

    def on_return(self, code: types.CodeType, offset: int, function: object, first: object) -> object:
        """A call of a C function came back."""
        lane = self._lane
        if type(function) is not internals.Jitted and lane.fast:
            function = functions.jitted_in(function) or function
        if type(function) is internals.Jitted:
            if lane.fast and lane.fast[-1].function is function:
                fast = lane.fast.pop()
                if not fast.slow and not lane.paused:
                    self._tell(fast, _now())
        elif lane.waiting is not None and id(first) in self._outstanding:
            self._watch.waits.end(first)
        return None

    def on_raise(self, code: types.CodeType, offset: int, function: object, first: object) -> object:
        """A call of a C function raised."""
        lane = self._lane
        function = functions.jitted_in(function) or function
        if type(function) is internals.Jitted and lane.fast and lane.fast[-1].function is function:
            fast = lane.fast.pop()
            if not fast.slow and not lane.paused:
                self._tell(fast, _now(), raised=True)
        lane.waiting = None
        return None

    def on_hit(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any) -> None:
        """JAX's C++ cache knew the call: here are its arguments and its result."""
        watch, lane = self._watch, self._lane
        if lane.paused:
            return
        try:
            if lane.fast and lane.fast[-1].function is function:
                if watch.told < watch.limit:
                    lane.fast[-1].result = result
                    lane.fast[-1].signature = self._signature(function, args, kwargs)
            elif not lane.fast and not watch.counting.is_operation(function):
                watch.counting.add(internals.name_of(function), own=False)
        except Exception as error:  # noqa: BLE001 - a fault of ours must not become one of theirs
            watch.give_up(error)

    def _signature(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str | None:
        """The signature, from memory when the same function has seen arrays of these types before."""
        info = function._jit_info
        if kwargs:
            return signature_of(info, args, kwargs)
        seen: list[Any] = [id(info)]
        for value in args:
            if type(value) not in self._arrays:
                if not isinstance(value, jax.Array):
                    return signature_of(info, args, kwargs)
                self._arrays.add(type(value))
            seen += value.shape, value.dtype, getattr(value, "weak_type", False), value.committed
        found = self._signatures.get(key := tuple(seen))
        if found is None:
            found = self._signatures[key] = signature_of(info, args, kwargs)
        return found

    def _name(self, function: Any) -> str | None:
        """The name of a function whose calls are told, from memory; None for one of JAX's own."""
        known = self._known.get(id(function))
        if known is not None and known[0]() is function:
            return known[1]
        if self._watch.counting.is_operation(function):
            return None
        name = internals.name_of(function)
        with contextlib.suppress(TypeError):
            self._known[id(function)] = weakref.ref(function), name
        return name

    def _line(self, fast: Fast, caller: types.FrameType) -> int | None:
        if fast.code.co_filename != self._watch.file:
            return self._watch.line_of(caller)
        # The watch holds the code, so its id stays its own.
        place = id(fast.code), fast.offset
        if place not in self._lines:
            self._lines[place] = line_at(fast.code, fast.offset)
        return self._lines[place]

    def _tell(self, fast: Fast, end: float, *, raised: bool = False) -> None:
        watch = self._watch
        name = self._name(fast.function)
        if name is None or internals.is_jit_off():
            return
        if watch.told >= watch.limit:
            watch.counting.begin()
            watch.counting.add(name, own=True)
            return
        if fast.result is None:
            hook.keep(watch.hit_hook)
        watch.told += 1
        watch.n += 1
        line = self._line(fast, sys._getframe(2))
        ms = (end - fast.start) * 1e3
        # What raises before JAX looks into its cache, such as a static list, found nothing there.
        hit = not raised or internals.has_programs(fast.function)
        watch.say(Called(watch.run, watch.n, name, line, fast.signature, hit, dispatch_ms=ms, raised=raised))
        watch.waits.remember(fast.result, watch.n, fast.start)


def line_at(code: types.CodeType, offset: int) -> int | None:
    """The line of an instruction."""
    return next((line for start, end, line in code.co_lines() if start <= offset < end), None)
