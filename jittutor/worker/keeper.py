"""Watches from outside how much the worker takes, ends it when that is too much, and sweeps up after it.

Outside, because a worker that is out of memory or blocked in C code cannot watch itself. Limits of the
kernel do not fit: JAX reserves far more addresses than memory, and root may have any number of processes.
"""

import contextlib
import ctypes
import heapq
import os
import re
import resource
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from jittutor.limits import Limits

BUSY, CALM = 0.05, 0.4
"""Seconds between two looks at a worker that computes, and at one that waits."""
WHOLE, SOON = 2.0, 0.3
"""Seconds between two looks for what the worker has started, and when there is a new process somewhere."""
GROWN = 60
"""So many processes and threads more on the machine make it look at once."""
MEASURED = 12
"""So many processes, the largest, are measured exactly."""
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
        self._tasks = self._newest = 0
        self._looked = 0.0
        self._children: list[int] = []
        """The largest of those that the worker started."""
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def look(self, worker: int) -> tuple[float, str | None]:
        """Seconds until the next look, and why the worker must end, if it must."""
        found = process(worker)
        if found is None:
            return CALM, None
        calm = found.ticks == self._ticks
        self._ticks = found.ticks
        known = [one for one in map(process, self._children) if one is not None]
        if why := self._too_much([found, *known]):
            return CALM, why
        return CALM if calm else BUSY, self._look_at_all(worker, WHOLE * (4 if calm else 1))

    def _look_at_all(self, worker: int, pause: float) -> str | None:
        """Find new children too, when it is time or when there may be many."""
        (tasks, newest), past = tasks_here(), time.monotonic() - self._looked
        grown = tasks > self._tasks + GROWN
        if not grown and past < (SOON if newest != self._newest else pause):
            return None
        with _held(worker) if grown else contextlib.nullcontext():
            found = list(family(os.getpid()))
            why = self._too_much(found)
        self._children = [one.pid for one in _largest(found) if one.pid != worker]
        (self._tasks, self._newest), self._looked = tasks_here(), time.monotonic()
        return why

    def _too_much(self, found: list[Process]) -> str | None:
        limits = self._limits
        if len(found) > limits.processes:
            return f"the code started more than {limits.processes} processes, the most it may start here"
        if sum(one.threads for one in found) > limits.threads:
            return f"the code started more than {limits.threads} threads, the most it may start here"
        if sum(one.resident for one in found) > limits.memory < sum(map(memory, _largest(found))):
            size = limits.memory / 2**30
            return f"the code used more than {size:.1f} GiB of memory, the most it may use here"
        return None


def _largest(found: list[Process]) -> list[Process]:
    return heapq.nlargest(MEASURED, found, key=lambda one: one.resident)


@contextlib.contextmanager
def _held(worker: int) -> Iterator[None]:
    """The worker and its children stand still meanwhile: a fork bomb is faster than we can count."""
    _signal_group(worker, signal.SIGSTOP)
    try:
        yield
    finally:
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


def tasks_here() -> tuple[int, int]:
    """How many processes and threads this machine has, and the newest one's number."""
    try:
        fields = Path("/proc/loadavg").read_text(encoding="ascii").split()
        return int(fields[3].partition("/")[2]), int(fields[4])
    except (OSError, ValueError, IndexError):
        return 0, 0


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


def memory(one: Process) -> int:
    """Bytes of a process, with its share of what it has in common with others: slow to find out."""
    try:
        text = Path(f"/proc/{one.pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return one.resident
    share = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    return int(share[1]) * 1024 if share else one.resident


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
