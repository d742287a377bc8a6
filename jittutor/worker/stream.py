"""Events of a script on their way to the report: into a pipe, and as little as can be in the script's way.

Hits are frequent and tell little: they wait, not even encoded, for the next event that is none, or until
they are many.
"""

import collections
import contextlib
import os
import threading

from jittutor import wire
from jittutor.event import Called, Event, Waited

MANY = 3_000
"""Events that wait at most."""


class Stream:
    """Writes whole lines; when nobody reads any more, events are dropped and the script goes on."""

    def __init__(self, fd: int) -> None:
        """Write to this descriptor."""
        self._fd = fd
        self._lock = threading.Lock()
        self._open = True
        self._waiting: collections.deque[Event] = collections.deque()

    def say(self, event: Event) -> None:
        """Write an event."""
        self._waiting.append(event)
        frequent = type(event) is Waited or (type(event) is Called and event.hit)
        if not frequent or len(self._waiting) > MANY:
            self._write()

    def _write(self) -> None:
        with self._lock:
            line = b"".join(wire.encode(self._waiting.popleft()) for _ in range(len(self._waiting)))
            while line and self._open:
                try:
                    line = line[os.write(self._fd, line) :]
                except InterruptedError:
                    continue
                except OSError:
                    self._open = False

    def close(self) -> None:
        """Write no more; a forked child closes its copy, too."""
        self._open = False
        with contextlib.suppress(OSError):
            os.close(self._fd)
