"""Watches from outside how much the worker takes, ends it when that is too much, and sweeps up after it.

Outside, because a worker that is out of memory or blocked in C code cannot watch itself. Limits of the
kernel do not fit: JAX reserves far more addresses than memory, and root may have any number of processes.
"""

import contextlib
import ctypes
import os
import resource
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from jittutor.limits import Limits

BUSY, CALM = 0.05, 0.4
"""Seconds between two looks at a worker that computes, and at one that waits."""
WHOLE = 2.0
"""Seconds between two looks at everything the worker started."""
GROWN = 60
"""So many processes and threads more on the machine make it look at once."""
FILES, TASKS = 4096, 8192
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
_PAGE = os.sysconf("SC_PAGE_SIZE")


class Process(NamedTuple):
    """One line of the kernel's table."""

    pid: int
    parent: int
    group: int
    threads: int
    resident: int
    """Bytes."""
    ticks: int
    """Of processor time so far."""


class Keeper:
    """Looks after one worker at a time."""

    def __init__(self, limits: Limits) -> None:
        """Become the parent of whatever the worker's children leave behind."""
        self._limits = limits
        self._ticks = -1
        self._tasks = 0
        self._looked = 0.0
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def look(self, worker: int) -> tuple[float, str | None]:
        """Seconds until the next look, and why the worker must end, if it must."""
        found = process(worker)
        if found is None:
            return CALM, None
        calm = found.ticks == self._ticks
        self._ticks = found.ticks
        if why := self._too_much([found]):
            return CALM, why
        tasks, now = tasks_here(), time.monotonic()
        grown = tasks > self._tasks + GROWN
        if grown or now > self._looked + (4 * WHOLE if calm else WHOLE):
            self._tasks, self._looked = tasks, now
            if why := self._too_much(_all(worker, still=grown)):
                return CALM, why
        return CALM if calm else BUSY, None

    def _too_much(self, found: list[Process]) -> str | None:
        limits = self._limits
        if sum(one.resident for one in found) > limits.memory:
            size = limits.memory / 2**30
            return f"the code used more than {size:.1f} GiB of memory, the most it may use here"
        if len(found) > limits.processes:
            return f"the code started more than {limits.processes} processes, the most it may start here"
        if sum(one.threads for one in found) > limits.threads:
            return f"the code started more than {limits.threads} threads, the most it may start here"
        return None


def _all(worker: int, *, still: bool) -> list[Process]:
    """The worker and all it started; `still` holds them up meanwhile: a fork bomb is faster than we are."""
    if still:
        _signal_group(worker, signal.SIGSTOP)
    try:
        return list(family(os.getpid()))
    finally:
        if still:
            _signal_group(worker, signal.SIGCONT)


def _signal_group(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def sweep() -> None:
    """End everything that a worker left behind: all that descends from this process."""
    own, end = os.getpgrp(), time.monotonic() + 2
    while has_children() and time.monotonic() < end:
        left = list(family(os.getpid()))
        for group in {one.group for one in left} - {own}:
            # All of a group at once: one by one, a fork bomb is faster.
            _signal_group(group, signal.SIGKILL)
        for one in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(one.pid, signal.SIGKILL)
        reap()
        time.sleep(0.002)


def has_children() -> bool:
    """Whether this process has any, ended ones included."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def reap() -> None:
    """Forget the children that have ended."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def confine() -> None:
    """Called in the worker: dies with its parent, is the kernel's first choice, cannot take all numbers."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    wanted = ((resource.RLIMIT_NOFILE, FILES), (resource.RLIMIT_NPROC, TASKS), (resource.RLIMIT_CORE, 0))
    for what, most in wanted:
        soft, hard = resource.getrlimit(what)
        unlimited = soft == resource.RLIM_INFINITY
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(what, (most if unlimited else min(soft, most), hard))


def die_with_parent(*, really: bool) -> None:
    """Be killed when the parent ends, or no longer."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL if really else 0)


# ---------------------------------------------------------------- the kernel's table


def tasks_here() -> int:
    """Processes and threads on this machine, or in this container."""
    try:
        return int(Path("/proc/loadavg").read_text(encoding="ascii").split()[3].partition("/")[2])
    except (OSError, ValueError, IndexError):
        return 0


def process(pid: int) -> Process | None:
    """What the kernel says of one process; a dead one is none."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    if len(fields) < 22 or fields[0] in "ZX":
        return None
    times = int(fields[11]) + int(fields[12])
    parent, group = int(fields[1]), int(fields[2])
    return Process(pid, parent, group, int(fields[17]), int(fields[21]) * _PAGE, times)


def family(root: int) -> Iterator[Process]:
    """All living descendants of a process, itself not."""
    children: dict[int, list[Process]] = {}
    for path in Path("/proc").iterdir():
        if path.name.isdecimal() and (one := process(int(path.name))) is not None:
            children.setdefault(one.parent, []).append(one)
    waiting = [root]
    while waiting:
        for one in children.get(waiting.pop(), ()):
            yield one
            waiting.append(one.pid)
