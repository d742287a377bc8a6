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
    # Python, too, puts the folder before the name, and tidies nothing.
    path = file if os.path.isabs(file) else f"{os.getcwd()}/{file}"  # noqa: PTH109, PTH117 - text for tracebacks
    module = _become(file, path, arguments)
    discovery = Discovery(path, stream.say)
    end = _End(stream, discovery, started)
    atexit.register(end.at_exit)
    os.register_at_fork(after_in_child=stream.close)
    os.register_at_fork(after_in_child=discovery.forget)
    with open(path, "rb") as source:  # noqa: PTH123 - as above
        code = compile(source.read(), path, "exec", dont_inherit=True)
    if spying == "1":
        spy_on(discovery, stream.say)
    discovery.start(code)
    _execute(code, module, end)


def _become(file: str, path: str, arguments: list[str]) -> types.ModuleType:
    """Make this process look like one that was started with the script."""
    module = types.ModuleType("__main__")
    module.__file__ = path
    module.__builtins__ = builtins  # type: ignore[attr-defined]
    module.__loader__ = importlib.machinery.SourceFileLoader("__main__", path)
    module.__dict__["__cached__"] = None
    if sys.version_info < (3, 14):
        module.__annotations__ = {}
    sys.modules["__main__"] = module
    sys.argv = [file, *arguments]
    sys.path[0] = os.path.dirname(os.path.realpath(file))  # noqa: PTH120 - as Python computes it
    return module


def _execute(code: types.CodeType, module: types.ModuleType, end: "_End") -> None:
    """Run the script's code; what ends it ends this process in the same way."""
    error: BaseException | None = None
    try:
        exec(code, module.__dict__)  # noqa: S102 - running it is what this is for
    except SystemExit as stop:
        end.outcome = "exit"
        end.main_is_over()
        raise stop.with_traceback(None) from None
    except KeyboardInterrupt as stop:
        end.outcome, error = "interrupted", stop
    except BaseException as other:  # noqa: BLE001 - whatever ended the script
        end.outcome, error = "error", other
        end.error = other
    end.main_is_over()
    # Not in the handlers above: the script's own hook finds no exception being handled, as under Python.
    if error is not None:
        _show(error)
        if isinstance(error, KeyboardInterrupt):
            sys.excepthook = lambda *_: None
            raise error
        sys.exit(1)


def _show(error: BaseException) -> None:
    """Show the exception as Python does, without the frames of this file."""
    _forget_us(error)
    trace = error.__traceback__
    sys.last_exc, sys.last_type, sys.last_value, sys.last_traceback = error, type(error), error, trace
    with contextlib.suppress(Exception):
        sys.stdout.flush()
    fault: BaseException | None = None
    try:
        sys.excepthook(type(error), error, trace)
    except SystemExit:
        raise
    except BaseException as second:  # noqa: BLE001 - a broken hook of the script's
        fault = second
    if fault is not None:
        sys.stderr.write("Error in sys.excepthook:\n")
        below = fault.__traceback__.tb_next if fault.__traceback__ else None
        sys.__excepthook__(type(fault), fault.with_traceback(below), below)
        sys.stderr.write("\nOriginal exception was:\n")
        sys.__excepthook__(type(error), error, trace)


_OURS = (__file__, "<frozen runpy>")
"""What stands before the script's own lines in a whole traceback."""


def _forget_us(error: BaseException) -> None:
    """Let every traceback begin with the script's code: JAX puts whole ones into what caused an exception."""
    waiting, known = [error], set()
    while waiting:
        one = waiting.pop()
        if id(one) in known:
            continue
        known.add(id(one))
        while one.__traceback__ is not None and one.__traceback__.tb_frame.f_code.co_filename in _OURS:
            one.__traceback__ = one.__traceback__.tb_next
        waiting += [other for other in (one.__cause__, one.__context__) if other is not None]
        waiting += one.exceptions if isinstance(one, BaseExceptionGroup) else ()


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
