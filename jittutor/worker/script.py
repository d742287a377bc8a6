"""Says what JAX does in somebody's script, which Python itself runs: `python FILE ARGS`, nothing else.

`environment` makes Python call `begin` before the script, by start/sitecustomize.py. Stdout, stderr, stdin,
signals, stack and exit code are the script's own. JAX is not imported here before the script does it, so
that its settings are the script's own as well.
"""

import atexit
import contextlib
import json
import os
import signal
import sys
import threading
import time

from jittutor.event import Done, Outcome
from jittutor.worker.discovery import Discovery
from jittutor.worker.spy import spy_on
from jittutor.worker.stream import Stream


def begin(settings: str) -> None:
    """Watch the script that Python runs next; `settings` is what `environment` has put there."""
    fd, spying, file = json.loads(settings)
    os.set_inheritable(fd, False)  # noqa: FBT003 - its signature
    signal.pthread_sigmask(signal.SIG_UNBLOCK, signal.valid_signals())
    stream = Stream(fd)
    # Python, too, puts the folder before the name, and tidies nothing.
    path = file if os.path.isabs(file) else f"{os.getcwd()}/{file}"  # noqa: PTH109, PTH117 - text for tracebacks
    discovery = Discovery(path, stream.say)
    end = _End(stream, discovery)
    atexit.register(end.at_exit)
    register = getattr(threading, "_register_atexit", None)
    if register is not None:
        # When the main code is over, before other threads are waited for and JAX lets go of its devices.
        register(end.main_is_over)
    os.register_at_fork(after_in_child=stream.close)
    os.register_at_fork(after_in_child=discovery.forget)
    if spying:
        spy_on(discovery, stream.say)
    discovery.start()


class _End:
    """Says how it ended: once when the main code is over, once when the process really ends."""

    def __init__(self, stream: Stream, discovery: Discovery) -> None:
        self._stream, self._discovery, self._started = stream, discovery, time.perf_counter()
        self._process = os.getpid()
        self._seconds: float | None = None
        self._outcome: Outcome = "ok"

    def main_is_over(self) -> None:
        """The main code has come to its end; threads may go on."""
        if os.getpid() != self._process or self._seconds is not None:
            return
        self._seconds = time.perf_counter() - self._started
        self._discovery.tell_facts()
        error = self._error()
        if isinstance(error, KeyboardInterrupt):
            self._outcome = "interrupted"
        elif error is not None:
            self._outcome = "error"
            self._discovery.tell_error(error)
        elif self._discovery.came_back is False:
            self._outcome = "exit"

    def _error(self) -> BaseException | None:
        """What ended the main code: Python keeps what it has shown."""
        error = getattr(sys, "last_exc", None)
        trace = getattr(error, "__traceback__", None)
        return error if trace is not None and self._discovery.is_main(trace.tb_frame.f_code) else None

    def at_exit(self) -> None:
        """The last word."""
        if os.getpid() != self._process or threading.current_thread() is not threading.main_thread():
            return
        self.main_is_over()
        assert self._seconds is not None
        dropped = self._discovery.finish()
        self._stream.say(Done(1, self._outcome, self._seconds, None, *dropped))
        self._stream.close()
        if self._outcome == "interrupted":
            # Python ends by SIGINT if the last text it executed was interrupted, and importing executes some.
            with contextlib.suppress(KeyboardInterrupt):
                exec("raise KeyboardInterrupt")  # noqa: S102 - see above
