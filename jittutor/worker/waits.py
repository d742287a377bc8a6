"""Knows results again, and how long the watched code waited until one was ready.

JAX returns before the device is done. Only a result that is seen to be not ready, or is waited for at
once, tells when it became ready; else the execution time stays unknown.
"""

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jittutor.event import Waited

if TYPE_CHECKING:
    from jittutor.worker.watch import Watch

MOST = 256
"""Results that are known again."""
AT_ONCE = 1e-3
"""Seconds of this thread's own time after the call within which a wait counts as made at once: on a busy
machine the clock on the wall runs on while the thread has not."""
_now = time.perf_counter


class Waits:
    """The results that nobody has waited for yet."""

    def __init__(self, watch: "Watch") -> None:
        """Wait for this watch."""
        self._watch = watch
        self.outstanding: dict[int, tuple[int, float, float]] = {}
        """id of a result -> its call, when it was dispatched, thread time when it came back."""
        self._last: tuple[int, list[int]] = 0, []

    def remember(self, result: Any, n: int, dispatched: float) -> None:
        """Know the arrays of a result again; its call has just come back."""
        returned = time.thread_time()
        ids = [id(leaf) for leaf in arrays(result)]
        for key in ids:
            self.outstanding[key] = (n, dispatched, returned)
        self._last = n, ids
        while len(self.outstanding) > MOST:
            del self.outstanding[next(iter(self.outstanding))]

    def begin(self, array: Any) -> None:
        """A result goes to something that may wait for it."""
        n, dispatched, returned = self.outstanding[id(array)]
        if time.thread_time() - returned < AT_ONCE or not is_ready(array):
            self._watch.lane.waiting = (n, dispatched)

    def end(self, array: Any) -> None:
        """It came back."""
        end = _now()
        waiting, self._watch.lane.waiting = self._watch.lane.waiting, None
        if waiting is None or not is_ready(array):
            return
        n, dispatched = waiting
        # Mostly it is the last call that is waited for: then there is no need to look through all.
        known, ids = self._last
        for key in ids if known == n else list(self.outstanding):
            if self.outstanding.get(key, (0,))[0] == n:
                del self.outstanding[key]
        self._watch.say(Waited(self._watch.run, n, (end - dispatched) * 1e3))

    def begin_any(self, value: Any) -> None:
        """JAX itself waits for an array or a tree of them."""
        for array in arrays(value):
            if id(array) in self.outstanding:
                self.begin(array)
                return

    def end_any(self, value: Any) -> None:
        """JAX has waited."""
        if self._watch.lane.waiting is None:
            return
        for array in arrays(value):
            if id(array) in self.outstanding:
                self.end(array)
                return


def arrays(value: Any, depth: int = 3) -> Iterator[Any]:
    """The arrays in a result, as far as plain containers hold them."""
    if type(value) in (tuple, list) and depth:
        for part in value[:64]:
            yield from arrays(part, depth - 1)
    elif type(value) is dict and depth:
        for part in list(value.values())[:64]:
            yield from arrays(part, depth - 1)
    elif hasattr(type(value), "is_ready"):
        yield value


def is_ready(array: Any) -> bool:
    """Whether the array's value is there; a deleted one keeps nobody waiting."""
    try:
        return bool(array.is_ready())
    except (RuntimeError, AttributeError):
        return True
