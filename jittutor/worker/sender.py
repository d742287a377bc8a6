"""The worker's mouth: events leave in the order they were said, at once when few, packed when many.

At once, so that what was said before a crash is not lost; packed, so that a flood costs little.
"""

import os
import socket
import threading
import time

from jittutor import wire
from jittutor.event import Event

_now, _sleep = time.monotonic, time.sleep
# Own names: a program may replace those of the module.
FULL = 60_000
"""Bytes that are sent at once."""
SOON = 0.02
"""Seconds that an event may wait for others."""
FEW = 2000
"""Events that are sent one by one in so many seconds: what a crash may take with it came after them."""


class Sender:
    """Sends from any thread; ends the process when nobody listens any more."""

    def __init__(self, sock: socket.socket) -> None:
        """Send to this socket."""
        self._socket = sock
        self._lock = threading.Lock()
        # Each batch begins with an empty line: whatever else was written there spoils none of ours.
        self._packed = bytearray(b"\n")
        self._window = 0.0
        self._count, self._few = 0, FEW
        self._wake = threading.Event()
        threading.Thread(target=self._later, name="sender", daemon=True).start()

    def renew(self) -> None:
        """In a forked child: another thread may have held the lock, and no thread of ours is here."""
        self._lock = threading.Lock()
        self._packed = bytearray(b"\n")
        self._few = FULL

    def say(self, event: Event) -> None:
        """Send an event, soon."""
        line = wire.encode(event)
        with self._lock:
            self._packed += line
            now = _now()
            if now - self._window > SOON:
                self._window, self._count = now, 0
            self._count += 1
            if self._count <= self._few or len(self._packed) >= FULL:
                self._send()
        if len(self._packed) > 1 and not self._wake.is_set():
            self._wake.set()

    def flush(self) -> None:
        """Send everything now."""
        with self._lock:
            self._send()

    def _send(self) -> None:
        data, self._packed = self._packed, bytearray(b"\n")
        if len(data) > 1:
            try:
                self._socket.sendall(data)
            except OSError:  # the tutor is gone
                os._exit(0)

    def _later(self) -> None:
        while True:
            self._wake.wait()
            self._wake.clear()
            _sleep(SOON)
            self.flush()
