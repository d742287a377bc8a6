"""Says now and then, on a terminal only, that a long run lives."""

import sys
import threading
import time
from types import TracebackType
from typing import Self

FIRST = 30.0
"""Seconds until the first word; each next one comes after twice the time."""


class Heartbeat:
    """A thread that writes to stderr while the `with` block runs."""

    def __init__(self, *, silent: bool = False, first: float = FIRST) -> None:
        """Stay silent if asked to, or if stderr is no terminal."""
        self.compiled = 0
        """Programs compiled so far; set by whoever knows."""
        self._first = first
        self._over = threading.Event()
        self._silent = silent or not sys.stderr.isatty()

    def __enter__(self) -> Self:
        """Begin."""
        if not self._silent:
            threading.Thread(target=self._beat, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End, without a last word."""
        self._over.set()

    def _beat(self) -> None:
        started, pause = time.monotonic(), self._first
        while not self._over.wait(pause):
            seconds = time.monotonic() - started
            pause = seconds
            text = f"\njittutor: running for {seconds:.0f} s, {self.compiled} programs compiled so far\n"
            sys.stderr.write(text)
            sys.stderr.flush()
