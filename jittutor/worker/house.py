"""Puts process-wide state back after a run, so that one run cannot change the picture of the next."""

import contextlib
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path

import jax


@contextlib.contextmanager
def kept() -> Iterator[None]:
    """Whatever the code inside changes of the process is as before afterwards."""
    environment = dict(os.environ)
    path, modules = list(sys.path), sys.modules["__main__"]
    streams = sys.stdout, sys.stderr, sys.stdin, sys.excepthook, sys.displayhook
    limit, settings = sys.getrecursionlimit(), dict(jax.config.values)
    folder = Path.cwd()
    handlers = {
        number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)
    }
    with warnings.catch_warnings():
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            for number, handler in handlers.items():
                signal.signal(number, handler)
            sys.stdout, sys.stderr, sys.stdin, sys.excepthook, sys.displayhook = streams
            sys.path[:] = path
            sys.modules["__main__"] = modules
            sys.setrecursionlimit(limit)
            if dict(os.environ) != environment:
                os.environ.clear()
                os.environ.update(environment)
            with contextlib.suppress(OSError):
                os.chdir(folder)
            for name, value in settings.items():
                if jax.config.values.get(name) is not value:
                    with contextlib.suppress(Exception):
                        jax.config.update(name, value)


def is_clean() -> bool:
    """Whether no thread that the run started is still there; else the worker should be replaced."""
    return not [t for t in threading.enumerate() if not t.daemon and t is not threading.main_thread()]
