"""Thirty learners on one small machine, started one after another: each stays far below its Pod's memory."""

import contextlib
import statistics
from collections.abc import Sequence
from functools import partial
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


def spread(sizes: Sequence[int]) -> str:
    """Median and maximum."""
    return f"{statistics.median(sizes) / MIB:.0f} MiB (most {max(sizes) / MIB:.0f})"


def _told(sizes: list[tuple[int, int]]) -> str:
    screens, devices = zip(*sizes, strict=True)
    return f"\n{len(sizes)} tutors at once: screen {spread(screens)}, idle worker {spread(devices)}"


def _is_ready(console: Terminal, others: list[Terminal]) -> bool:
    """Whether JAX has started; the others' terminals are read too, or their guards would call them mute."""
    for other in others:
        other._hear(0)
    return "ready" in console.text


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
            console.until(partial(_is_ready, console, terminals), 90)
        sizes = [parts(pid) for pid in pids]
        with capsys.disabled():
            print(_told(sizes))
        # All are still there and answer a key.
        for console in terminals:
            console.type("l")
            console.until("search titles", 60)
    limit = amount(tutor_of(committed("cpu"))["resources"]["limits"]["memory"])
    assert all(device for _, device in sizes), "each has its worker"
    assert max(map(sum, sizes)) < limit / 2
