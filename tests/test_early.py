"""The process that imports JAX begins before the command line is read, and only for the tutor itself."""

import contextlib
import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from jittutor import early, spawn


@pytest.mark.parametrize(
    ("line", "opens"),
    [
        ("", True),
        ("--cpu --ascii", True),
        ("--color=16", True),
        ("list", False),
        ("run script.py", False),
        ("--cpu verify", False),
        ("--help", False),
        ("--cpu --version", False),
        ("loops", False),  # a lesson or a mistake: not sure
    ],
)
def test_it_begins_when_the_arguments_surely_open_the_tutor(line: str, opens: bool) -> None:
    assert early.will_open(line.split()) is opens


def test_a_gpu_is_known_by_its_device(tmp_path: Path) -> None:
    (tmp_path / "nvidiactl").touch()
    assert not early.has_gpu(tmp_path)
    (tmp_path / "nvidia0").touch()
    assert early.has_gpu(tmp_path)


@pytest.mark.worker
def test_what_was_begun_for_another_device_ends_and_another_is_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(early, "has_gpu", lambda: False)
    monkeypatch.setattr(early, "spare_processor", lambda: True)
    monkeypatch.setattr(os, "isatty", lambda _: True)
    early.begin([])
    ((_, wrong),) = early._begun
    right = early.take(cpu=True, lock=-1)
    assert right is not None
    assert right.process.pid != wrong.process.pid
    assert wrong.process.wait(60) == 0
    right.drop()
    assert right.process.wait(60) == 0


@pytest.mark.worker
def test_it_ends_with_a_command_that_comes_to_nothing() -> None:
    program = (
        "import os, sys\n"
        "os.isatty = lambda fd: fd == 1\n"
        "from jittutor import early\n"
        "early.has_gpu, early.spare_processor = lambda: False, lambda: True\n"
        "early.begin([])\n"
        "print(early._begun[0][1].process.pid, flush=True)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    with contextlib.suppress(ProcessLookupError):  # it is gone already
        ended, _, _ = select.select([os.pidfd_open(int(done.stdout))], [], [], 60)
        assert ended


def test_one_processor_is_left_to_the_first_paint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    assert not spawn.spare_processor()
