"""Puts process-wide state back after a run, so that one run cannot change the picture of the next."""

import contextlib
import gc
import logging
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import jax
from jax.experimental.compilation_cache import compilation_cache

from jittutor.worker import internals, originals

_SYS = ("stdout", "stderr", "stdin", "excepthook", "displayhook", "unraisablehook", "argv", "path", "modules")
_IGNORED = {signal.SIGKILL, signal.SIGSTOP}
_SIGNALS = sorted(signal.valid_signals() - _IGNORED)


@contextlib.contextmanager
def kept() -> Iterator[None]:
    """Whatever the code inside changes of the process is as before afterwards."""
    names = originals.all_of_them()
    undo = [_environment(), _modules(), _settings(), _folder(), _signals(), _interpreter(), _logging()]
    with warnings.catch_warnings():
        try:
            yield
        finally:
            names.put_back()
            for back in undo:
                back()


def first_aid() -> None:
    """Right after the code has ended: what we ourselves need works again."""
    originals.ours().put_back()


def _environment() -> Callable[[], None]:
    before = dict(os.environ)

    def back() -> None:
        if dict(os.environ) != before:
            os.environ.clear()
            os.environ.update(before)

    return back


def _modules() -> Callable[[], None]:
    """sys.path, the imported modules (new ones may stay) and the names of sys that programs replace."""
    path, modules = list(sys.path), dict(sys.modules)
    values = {name: getattr(sys, name) for name in _SYS}

    def back() -> None:
        for name, value in values.items():
            setattr(sys, name, value)
        sys.path[:] = path
        sys.modules.update({name: module for name, module in modules.items() if name not in sys.modules})
        sys.modules["__main__"] = modules["__main__"]

    return back


def _settings() -> Callable[[], None]:
    """JAX's configuration."""
    internals.forget_thread_settings()
    before = dict(jax.config.values)

    def back() -> None:
        internals.forget_thread_settings()
        now = jax.config.values  # made anew at each look
        for name, value in before.items():
            if now.get(name) is not value:
                with contextlib.suppress(Exception):
                    jax.config.update(name, value)
                if "cache" in name:
                    # What JAX has opened stays open, whatever the settings say.
                    compilation_cache.reset_cache()

    return back


def _folder() -> Callable[[], None]:
    try:
        before = Path.cwd()
    except OSError:  # it was deleted
        before = Path("/")
        os.chdir(before)

    def back() -> None:
        try:
            os.chdir(before)
        except OSError:
            os.chdir("/")

    return back


def _signals() -> Callable[[], None]:
    handlers = {number: signal.getsignal(number) for number in _SIGNALS}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())

    def back() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in handlers.items():
            if handler is not None and signal.getsignal(number) is not handler:
                signal.signal(number, handler)

    return back


def _interpreter() -> Callable[[], None]:
    limit, collects, mask = sys.getrecursionlimit(), gc.isenabled(), os.umask(0o022)
    os.umask(mask)
    excepthook = threading.excepthook

    def back() -> None:
        sys.setrecursionlimit(limit)
        sys.settrace(None)
        sys.setprofile(None)
        (gc.enable if collects else gc.disable)()
        os.umask(mask)
        threading.excepthook = excepthook

    return back


def _logging() -> Callable[[], None]:
    """The root logger: what `logging.basicConfig` sets up would write into a stream that is gone."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level

    def back() -> None:
        root.handlers[:] = handlers
        root.setLevel(level)

    return back
