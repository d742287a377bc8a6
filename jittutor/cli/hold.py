"""`jittutor hold`: the main process of a Pod; says once whether the GPU answers, then waits for its end.

The tutor itself is started beside it by `kubectl exec`. When the Pod ends, this process tells the tutors to
end first, so that they save the work and give the learners' terminals back.
"""

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jittutor.cli.common import common, say

if TYPE_CHECKING:
    from jittutor.doctor import Check

_ENDS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_GRACE = 1.5
"""Seconds that a tutor gets: Kubernetes would wait longer, but a stop should be quick."""


@click.command("hold")
@click.option(
    "--check", "only_check", is_flag=True, help="Say it and end; exit 1 if a GPU is needed and missing."
)
@common
def command(*, only_check: bool) -> int:
    """Say whether the GPU answers, then wait for SIGTERM: for a Pod's main process.

    A GPU is needed if JAX_PLATFORMS names cuda. JAX itself is not imported.
    """
    from jittutor.doctor import driver  # noqa: PLC0415 - not for `--help`

    # Blocked before anything is said: who has read the line may send the signal.
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDS)
    found = driver()
    trouble = _trouble(found)
    say(f"jittutor holds this Pod: {trouble or found.value}")
    # A container's output is a pipe, which Python would fill before anything is seen.
    sys.stdout.flush()
    if trouble or only_check:
        return 1 if trouble else 0
    signal.sigwait(_ENDS)
    _end_tutors()
    return 0


def _trouble(found: "Check") -> str | None:
    """Why learners could not work here."""
    if "cuda" not in os.environ.get("JAX_PLATFORMS", "") or found.facts.get("devices"):
        return None
    hint = "does the Pod ask for nvidia.com/gpu, and is the driver's folder in LD_LIBRARY_PATH?"
    return f"a GPU is needed and none is there ({found.value}); {hint}"


def _end_tutors() -> None:
    """Have the tutors beside us end; nothing outside a container is ever touched."""
    if 1 not in (os.getpid(), os.getppid()):
        return
    left = list(_tutors())
    for pid in left:
        _send(pid, signal.SIGTERM)
    until = time.monotonic() + _GRACE
    while time.monotonic() < until and any(_send(pid, 0) for pid in left):
        time.sleep(0.02)


def _tutors() -> Iterator[int]:
    """The other processes that were started as `jittutor …`."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if int(folder.name) != os.getpid() and any(
            Path(os.fsdecode(word)).name == "jittutor" for word in words[:2]
        ):
            yield int(folder.name)


def _send(pid: int, number: int) -> bool:
    try:
        os.kill(pid, number)
    except OSError:
        return False
    return True
