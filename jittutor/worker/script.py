"""Runs somebody's script as `python FILE ARGS` would, and says what JAX did meanwhile.

Run as `python -m jittutor.worker.script FD SPY FILE ARGS…`. Events go to the descriptor FD; SPY is 1 when
printed lines are told too. Stdout, stderr, stdin, signals and the exit code are the script's own. JAX is
not imported here before the script does it, so that its settings are the script's own as well.
"""

import atexit
import builtins
import contextlib
import importlib.machinery
import os
import signal
import sys
import threading
import time
import types

from jittutor.event import Done, Outcome
from jittutor.worker.discovery import Discovery
from jittutor.worker.spy import spy_on
from jittutor.worker.stream import Stream


def main() -> None:
    """Be the script."""
    started = time.perf_counter()
    fd, spying, file, *arguments = sys.argv[1:]
    os.set_inheritable(int(fd), False)  # noqa: FBT003 - its signature
    signal.pthread_sigmask(signal.SIG_UNBLOCK, signal.valid_signals())
    stream = Stream(int(fd))
    module = _become(file, arguments)
    discovery = Discovery(file, stream.say)
    end = _End(stream, discovery, started)
    atexit.register(end.at_exit)
    os.register_at_fork(after_in_child=stream.close)
    os.register_at_fork(after_in_child=discovery.forget)
    with open(file, "rb") as source:  # noqa: PTH123 - the name as it was given, for tracebacks
        code = compile(source.read(), file, "exec", dont_inherit=True)
    if spying == "1":
        spy_on(discovery, stream.say)
    discovery.start(code)
    _execute(code, module, end)


def _become(file: str, arguments: list[str]) -> types.ModuleType:
    """Make this process look like one that was started with the script."""
    module = types.ModuleType("__main__")
    module.__file__ = file
    module.__builtins__ = builtins  # type: ignore[attr-defined]
    module.__loader__ = importlib.machinery.SourceFileLoader("__main__", file)
    module.__dict__["__cached__"] = None
    sys.modules["__main__"] = module
    sys.argv = [file, *arguments]
    sys.path[0] = os.path.dirname(os.path.realpath(file))  # noqa: PTH120 - as Python computes it
    return module


def _execute(code: types.CodeType, module: types.ModuleType, end: "_End") -> None:
    """Run the script's code; what ends it ends this process in the same way."""
    try:
        exec(code, module.__dict__)  # noqa: S102 - running it is what this is for
    except SystemExit as stop:
        end.outcome = "exit"
        end.main_is_over()
        raise stop.with_traceback(None) from None
    except KeyboardInterrupt as error:
        end.outcome = "interrupted"
        end.main_is_over()
        _show(error, code)
        sys.excepthook = lambda *_: None
        raise
    except BaseException as error:  # noqa: BLE001 - whatever ended the script
        end.outcome = "error"
        end.error = error
        end.main_is_over()
        _show(error, code)
        sys.exit(1)
    end.main_is_over()


def _show(error: BaseException, code: types.CodeType) -> None:
    """Show the exception as Python does, without the frames of this file."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code is not code:
        trace = trace.tb_next
    error.__traceback__ = trace
    with contextlib.suppress(Exception):
        sys.stdout.flush()
    try:
        sys.excepthook(type(error), error, trace)
    except BaseException:  # noqa: BLE001 - a broken hook of the script's: Python shows the error itself
        sys.__excepthook__(type(error), error, trace)


class _End:
    """Says how it ended: once when the main code is over, once when the process really ends."""

    def __init__(self, stream: Stream, discovery: Discovery, started: float) -> None:
        self._stream, self._discovery, self._started = stream, discovery, started
        self._seconds: float | None = None
        self.outcome: Outcome = "ok"
        self.error: BaseException | None = None

    def main_is_over(self) -> None:
        """The main code has come to its end; threads may go on."""
        self._seconds = time.perf_counter() - self._started
        self._discovery.tell_facts()
        if self.error is not None:
            self._discovery.tell_error(self.error)

    def at_exit(self) -> None:
        """The last word."""
        if threading.current_thread() is not threading.main_thread():
            return
        now = time.perf_counter() - self._started
        seconds = self._seconds if self._seconds is not None else now
        dropped = self._discovery.finish()
        self._stream.say(Done(1, self.outcome, seconds, None, *dropped))
        self._stream.close()


if __name__ == "__main__":
    main()
