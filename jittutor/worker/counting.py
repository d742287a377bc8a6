"""Counts hits that are not told one by one: those of libraries, and those past the limit.

Past the limit a call costs its program one dictionary lookup more than without a watch.
"""

import dataclasses
import sys
import types
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from jittutor.worker import functions, hook, internals

if TYPE_CHECKING:
    from jittutor.worker.watch import Watch

MOST = 1_000
"""Functions whose calls are counted at the same time."""


@dataclasses.dataclass(slots=True)
class Count:
    """One function's calls; holding the function keeps its id its own."""

    function: Any
    calls: int


class Counting:
    """The counters of one watch."""

    def __init__(self, watch: "Watch") -> None:
        """Count for this watch."""
        self._watch = watch
        self._hits: dict[str, int] = {}
        self._misses: dict[str, int] = {}
        self._counts: dict[int, Count] = {}
        self._shipped: dict[int, Any] = {}
        self._only = False
        self._settle: Callable[[], None] = lambda: None
        self.dropped = 0
        """Calls of the watched code itself that are counted, not told."""

    def is_operation(self, function: Any) -> bool:
        """Whether a jitted function is one of JAX's own, such as jnp.sin."""
        if id(function) in self._shipped:
            return True
        if functions.is_jax_function(function):
            self._shipped[id(function)] = function
            return True
        return False

    def add(self, name: str, *, own: bool, hits: int = 1) -> None:
        """Count hits of a function."""
        self._hits[name] = self._hits.get(name, 0) + hits
        if own:
            self.dropped += hits

    def begin(self) -> None:
        """From now on the watched code's calls are only counted."""
        if not self._only:
            self._only = True
            hook.drop(self._watch.hit_hook)
            self._watch.waits.outstanding.clear()
            self._watch.hear_calls(sys.monitoring.events.CALL, self._counter())

    def _counter(self) -> Callable[[types.CodeType, int, object, object], object]:
        """What hears each call from now on; a loop over one function costs it one comparison and one sum."""
        last: object = None
        calls = 0

        def on_call(code: types.CodeType, offset: int, function: object, first: object) -> object:
            nonlocal last, calls
            if function is last:
                calls += 1
                return None
            if type(function) is not internals.Jitted:
                function = functions.jitted_in(function)
                if function is None:
                    return self._watch.calls.is_plain(code, offset)
                if function is last:
                    calls += 1
                    return None
            self._count(last, calls)
            last, calls = function, 1
            return None

        def settle() -> None:
            nonlocal last, calls
            self._count(last, calls)
            last, calls = None, 0

        self._settle = settle
        return on_call

    def _count(self, function: object, calls: int) -> None:
        if not calls:
            return
        count = self._counts.get(id(function))
        if count is not None:
            count.calls += calls
            return
        self._counts[id(function)] = Count(function, calls)
        if len(self._counts) > MOST:
            self._close(next(iter(self._counts)))

    def _close(self, key: int) -> None:
        count = self._counts.pop(key)
        if not self.is_operation(count.function):
            self.add(internals.name_of(count.function), own=True, hits=count.calls)

    def add_miss(self, name: str) -> None:
        """Count a call by a library that was no hit."""
        self._misses[name] = self._misses.get(name, 0) + 1

    def told(self, name: str) -> None:
        """A call is told after all, as a miss: take it out of the hits it was counted for."""
        if self._only:
            self.add(name, own=True, hits=-1)

    def result(self) -> Iterator[tuple[str, int, int]]:
        """The counted hits and misses by function."""
        self._settle()
        for key in list(self._counts):
            self._close(key)
        hits, self._hits = self._hits, {}
        misses, self._misses = self._misses, {}
        for name in dict.fromkeys([*hits, *misses]):
            found = max(0, hits.get(name, 0)), misses.get(name, 0)
            if any(found):
                yield name, *found
