"""Thirty learners on one small machine, started one after another: each stays far below its Pod's memory."""

import contextlib
import statistics
from pathlib import Path

import pytest

from tests.deploy.cluster import Cluster, Terminal, family, memory
from tests.deploy.tools import amount, committed, tutor_of

pytestmark = [pytest.mark.pty, pytest.mark.slow]
LEARNERS = 30
MIB = 2**20


def parts(pid: int) -> tuple[int, int]:
    """What the screen's process costs, and what all processes with JAX do, in bytes."""
    screen = device = 0
    for one, command in family(pid).items():
        with contextlib.suppress(OSError):
            if "jittutor.worker" in command:
                device += memory(one)
            else:
                screen += memory(one)
    return screen, device


def spread(sizes: list[int]) -> str:
    """Median and maximum."""
    return f"{statistics.median(sizes) / MIB:.0f} MiB (most {max(sizes) / MIB:.0f})"


def test_thirty_tutors_at_once_stay_within_their_limits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pods = [f"jittutor-{n}" for n in range(LEARNERS)]
    terminals: list[Terminal] = []
    with Cluster(tmp_path, *pods) as cluster, contextlib.ExitStack() as stack:
        pids = []
        for pod in pods:
            console = stack.enter_context(cluster.exec("jittutor", pod=pod, columns=80, rows=24))
            terminals.append(console)
            pids.append(cluster.wait(did="start", reading=console)["pid"])
            console.until("ready", 90)
        sizes = [parts(pid) for pid in pids]
        # All are still there and answer a key.
        for console in terminals:
            console.type("l")
            console.until("Before you begin", 60)
    limit = amount(tutor_of(committed("cpu"))["resources"]["limits"]["memory"])
    screens, devices = [size[0] for size in sizes], [size[1] for size in sizes]
    with capsys.disabled():
        print(f"\n{LEARNERS} tutors at once: screen {spread(screens)}, idle worker {spread(devices)}")
    assert all(devices), "each has its worker"
    assert max(map(sum, sizes)) < limit / 2
