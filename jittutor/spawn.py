"""Starts the nursery's process by plain means: JAX is imported there while the screen is loaded here."""

import contextlib
import io
import os
import socket
import subprocess
import sys
from typing import IO, NamedTuple


class Spawned(NamedTuple):
    """A nursery's process, our end of its line, and the file that hears its last words."""

    process: subprocess.Popen[bytes]
    line: socket.socket
    log: IO[bytes] | None

    def drop(self) -> None:
        """Let go of it; it ends by itself."""
        self.line.close()
        if self.log is not None:
            self.log.close()


def spawn(*, cpu: bool, lock: int = -1) -> Spawned:
    """Start a nursery.

    Args:
        cpu: keep JAX on the CPU.
        lock: a descriptor that it and its workers keep open as long as they live; -1 for none.

    Raises:
        OSError: the machine lets us start no process.
    """
    log = _log()
    mine, theirs = socket.socketpair()
    try:
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-m", "jittutor.worker.nursery", str(theirs.fileno())],
                pass_fds=(theirs.fileno(), *([lock] if lock >= 0 else [])),
                stdin=subprocess.DEVNULL,
                stdout=log or subprocess.DEVNULL,
                stderr=log or subprocess.DEVNULL,
                start_new_session=True,
                env=environment(cpu=cpu),
            )
    except OSError:
        mine.close()
        raise
    return Spawned(process, mine, log)


def _log() -> IO[bytes] | None:
    """A file without a name; None where there is no room for one: then nobody hears the last words."""
    with contextlib.suppress(OSError):
        if hasattr(os, "memfd_create"):
            return io.FileIO(os.memfd_create("jittutor"), "r+")
        import tempfile  # noqa: PLC0415 - it takes a while, and is needed elsewhere than on Linux only

        return tempfile.TemporaryFile()
    return None


def spare_processor() -> bool:
    """Whether a second process can work beside this one without taking its time."""
    with contextlib.suppress(OSError, ValueError):
        with open("/sys/fs/cgroup/cpu.max", encoding="ascii") as file:  # noqa: PTH123 - pathlib takes a while
            quota, period = file.read().split()
        if int(quota) < 2 * int(period):
            return False
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return usable > 1


def environment(*, cpu: bool) -> dict[str, str]:
    """The worker's environment: no terminal, no memory held in advance, no cache that hides compiles."""
    changed = {
        "TERM": "dumb",
        "NO_COLOR": "1",
        "PYTHONUNBUFFERED": "1",
        "JAX_ENABLE_COMPILATION_CACHE": "false",
        "TF_CPP_MIN_LOG_LEVEL": os.environ.get("TF_CPP_MIN_LOG_LEVEL", "2"),
    }
    if not {"XLA_PYTHON_CLIENT_PREALLOCATE"} & set(os.environ):
        changed["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    if cpu:
        changed["JAX_PLATFORMS"] = "cpu"
    return {**os.environ, **changed}
