"""Events of a script on their way to the report: into a pipe, and as little as can be in the script's way.

Hits are frequent and tell little: they wait in a buffer for the next event that is neither.
"""

import contextlib
import os
import threading

from jittutor import wire
from jittutor.event import Called, Event, Waited

FULL = 60_000
"""Bytes that are written at once."""


class Stream:
    """Writes whole lines; when nobody reads any more, events are dropped and the script goes on."""

    def __init__(self, fd: int) -> None:
        """Write to this descriptor."""
        self._fd = fd
        self._lock = threading.Lock()
        self._open = True
        self._waiting = bytearray()

    def say(self, event: Event) -> None:
        """Write an event."""
        encoded = wire.encode(event)
        with self._lock:
            self._waiting += encoded
            frequent = (isinstance(event, Called) and event.hit) or isinstance(event, Waited)
            if frequent and len(self._waiting) < FULL:
                return
            line, self._waiting = bytes(self._waiting), bytearray()
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
