"""What a run may leave behind that nobody can put back: threads, child processes, descriptors taken away.

A worker with such leftovers is replaced by a fresh one before the next run.
"""

import contextlib
import fcntl
import os
import threading
import time
from pathlib import Path

from jittutor.worker import keeper

OUT_OF_THE_WAY = 1000
"""Our own descriptors have numbers from here on: programs close and overwrite the small ones."""
PATIENCE = 0.05
"""Seconds that a thread of the run may take to end."""
LEAK = 500
"""So many descriptors more are a leak that later runs would pay for."""


def out_of_the_way(fd: int) -> int:
    """The same file under a large number; the small one is closed."""
    with contextlib.suppress(OSError):  # few descriptors are allowed here: keep the small number
        moved = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, OUT_OF_THE_WAY)
        os.close(fd)
        return moved
    return fd


class Leftovers:
    """Compares the process after a run with what it was before."""

    def __init__(self) -> None:
        """Remember how it is now."""
        self._threads = set(threading.enumerate())
        self._files = _files()

    def are_there(self) -> bool:
        """Whether this run left something behind."""
        return self._threads_left() or _children_left() or self._files_changed()

    def _threads_left(self) -> bool:
        end = time.monotonic() + PATIENCE
        for thread in threading.enumerate():
            # A dummy is a thread of C++ that called Python once; it ends with JAX.
            if thread in self._threads or isinstance(thread, threading._DummyThread):
                continue
            thread.join(max(0.0, end - time.monotonic()))
            if thread.is_alive():
                return True
        return False

    def _files_changed(self) -> bool:
        now = _files()
        changed = any(now.get(fd) != file for fd, file in self._files.items())
        return changed or len(now) > len(self._files) + LEAK


def _children_left() -> bool:
    keeper.reap()
    return keeper.has_children()


def _files() -> dict[int, tuple[int, int]]:
    """Each open descriptor, and which file it is."""
    found: dict[int, tuple[int, int]] = {}
    try:
        numbers = [int(path.name) for path in Path("/proc/self/fd").iterdir()]
    except OSError:  # there is not one more to be had
        return found
    for number in numbers:
        with contextlib.suppress(OSError):
            status = os.fstat(number)
            found[number] = status.st_dev, status.st_ino
    return found
