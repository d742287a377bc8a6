"""Ends the tutor when its terminal is gone: a plain thread, as the event loop may then be stuck for ever.

A connection that breaks often tells nobody: no signal, no end of input, no error, and after some thousand
unread bytes every write waits. So the terminal is asked for a sign of life now and then.
"""

import contextlib
import os
import select
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Protocol

TICK = 0.5
BEAT = 5.0
"""Seconds between two signs of life of the event loop."""
STUCK = 60.0
"""Seconds after which an event loop that does nothing counts as stuck."""
ASK, MUTE, GONE = 25.0, 120.0, 600.0
"""Seconds between two questions; without any answer until the worker is ended; and then the tutor."""
NOTE = 10.0
QUESTION = "\x1b[6n"
"""Where is the cursor? Every terminal answers, and Textual understands the answer."""


class Worker(Protocol):
    """What the guard needs of the link."""

    def cut(self, why: str) -> None:
        """End the worker at once."""
        ...


class Guard:
    """Watches terminal and event loop; `end` is called with a signal's number and does not come back."""

    def __init__(
        self,
        end: Callable[[int], object],
        worker: Worker,
        note: Callable[[float, bool], None],
        stdin: int = 0,
    ) -> None:
        """Prepare; nothing is watched before `start`.

        Args:
            end: ends the process in order.
            worker: ended first when the terminal is mute.
            note: told now and then when the terminal last gave a sign of life (in seconds since 1970), and
                whether it answers at all.
            stdin: where a hangup is seen.
        """
        self._end, self._worker, self._note, self._stdin = end, worker, note, stdin
        # Counted in ticks, not read from a clock: a laptop that slept, or a process that was stopped, is
        # no reason to end it.
        self._beat = self._silence = 0.0
        self._answers = self._was_heard = self._is_cut = False
        self._paused = 0
        self._done = threading.Event()

    def start(self) -> None:
        """Watch from now on."""
        if not _has_job_control():
            # Nobody could wake us again.
            signal.signal(signal.SIGTSTP, signal.SIG_IGN)
        threading.Thread(target=self._watch, name="guard", daemon=True).start()

    def stop(self) -> None:
        """Watch no longer."""
        self._done.set()

    def beat(self) -> None:
        """The event loop works."""
        self._beat = 0.0

    def heard(self, *, answer: bool) -> None:
        """The terminal gave a sign of life: a key, or the answer to our question."""
        self._silence, self._was_heard, self._is_cut = 0.0, True, False
        self._answers = self._answers or answer

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """The event loop stands still on purpose."""
        self._paused += 1
        try:
            yield
        finally:
            self._paused -= 1
            self._beat = self._silence = 0.0

    # ------------------------------------------------------------ the thread

    def _watch(self) -> None:
        poll = select.poll()
        poll.register(self._stdin, 0)
        lost = select.POLLHUP | select.POLLERR | select.POLLNVAL
        since_note = 0.0
        while not self._done.wait(TICK):
            if any(event & lost for _, event in poll.poll(0)):
                self._end(signal.SIGHUP)
            since_note += TICK
            if since_note >= NOTE and self._was_heard:
                since_note, self._was_heard = 0.0, False
                self._note(time.time(), self._answers)
            if not self._paused:
                self._tick()

    def _tick(self) -> None:
        self._beat += TICK
        self._silence += TICK
        if self._beat > STUCK:
            self._end(signal.SIGHUP)
        if not self._answers or self._silence <= MUTE:
            return
        if not self._is_cut:
            self._is_cut = True
            self._worker.cut("this terminal does not answer any more, so the device was given back")
        if self._silence > MUTE + GONE:
            self._end(signal.SIGHUP)


def _has_job_control() -> bool:
    """Whether a shell started us and can wake us when we are stopped."""
    return os.getsid(0) != os.getpid()
