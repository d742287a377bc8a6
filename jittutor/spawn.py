"""Starts the nursery's process by plain means: JAX is imported there while the screen is loaded here."""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
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
    log: IO[bytes] | None = None
    with contextlib.suppress(OSError):  # no folder for temporary files: then nobody hears its last words
        log = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the nursery
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


def spare_processor() -> bool:
    """Whether a second process can work beside this one without taking its time."""
    with contextlib.suppress(OSError, ValueError):
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text(encoding="ascii").split()
        if int(quota) < 2 * int(period):
            return False
    return len(os.sched_getaffinity(0)) > 1


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
