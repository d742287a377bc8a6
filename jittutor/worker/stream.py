"""Events of a script on their way to the report: straight into a pipe, never in the script's way."""

import contextlib
import os
import threading

from jittutor import wire
from jittutor.event import Event


class Stream:
    """Writes whole lines; when nobody reads any more, events are dropped and the script goes on."""

    def __init__(self, fd: int) -> None:
        """Write to this descriptor."""
        self._fd = fd
        self._lock = threading.Lock()
        self._open = True

    def say(self, event: Event) -> None:
        """Write an event."""
        line = wire.encode(event)
        with self._lock:
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
