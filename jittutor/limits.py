"""How much a run and its worker may use: time, memory, threads; from this machine and the environment."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

SECONDS, IDLE = 60.0, 900.0
"""Of one run; and without a run, before the worker ends by itself and gives the device back."""
PROCESSES, THREADS = 200, 4000
"""Of all that the learner's code starts, together."""
_MIB = 2**20
_LIMIT_FILES = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


@dataclass(frozen=True)
class Limits:
    """What a worker may use; `seconds` is None when a run may take as long as it wants."""

    seconds: float | None
    idle: float
    memory: int
    """Bytes, of all processes of the worker together."""
    processes: int = PROCESSES
    threads: int = THREADS


def limits(environ: Mapping[str, str] = os.environ) -> Limits:
    """The limits here: JITTUTOR_SECONDS (0 for none), JITTUTOR_IDLE and JITTUTOR_MEMORY (MiB) change them."""
    seconds = _number(environ.get("JITTUTOR_SECONDS"), SECONDS)
    idle = _number(environ.get("JITTUTOR_IDLE"), IDLE)
    memory = int(_number(environ.get("JITTUTOR_MEMORY"), 0)) * _MIB
    return Limits(seconds or None, idle or IDLE, memory or below(machine_memory()))


def seconds_for(own: float | None, environ: Mapping[str, str] = os.environ) -> float | None:
    """How long a run may take, None for as long as it wants.

    Args:
        own: what the lesson's step asks for, 0 for no limit; None when it asks for nothing.
        environ: may lift every limit, with JITTUTOR_SECONDS=0.
    """
    usual = limits(environ).seconds
    return usual if usual is None or own is None else own or None


def below(memory: int) -> int:
    """A limit that leaves room for the tutor: what is killed is the worker, never the whole container."""
    return max(memory - max(memory // 6, 384 * _MIB), 256 * _MIB)


def machine_memory() -> int:
    """Bytes that this container, or else this machine, has."""
    sizes = [_whole(path) for path in _LIMIT_FILES]
    try:
        total = re.search(r"MemTotal:\s+(\d+) kB", Path("/proc/meminfo").read_text(encoding="ascii"))
    except OSError:
        total = None
    sizes.append(int(total[1]) * 1024 if total else None)
    return min((size for size in sizes if size), default=4096 * _MIB)


def _whole(path: str) -> int | None:
    try:
        text = Path(path).read_text(encoding="ascii").strip()
    except OSError:
        return None
    return int(text) if text.isdecimal() else None


def _number(text: str | None, otherwise: float) -> float:
    """The number in the text; nonsense counts as not said."""
    try:
        found = float(text) if text else otherwise
    except ValueError:
        return otherwise
    return found if 0 <= found < 1e9 else otherwise
