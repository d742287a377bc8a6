"""Learners whose line breaks, and learners beside each other: nothing stays behind, all is found again."""

import json
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.cluster import VENV, Cluster, Terminal, alive, family, leave

pytestmark = pytest.mark.pty
QUESTION = b"\x1b[6n"
QUICK = """#!{python}
# The tutor with the guard's times shortened, so that no test waits for minutes, and as if it had a GPU.
import sys
from jittutor import lease
from jittutor.tui import guard
guard.ASK, guard.MUTE, guard.GONE = 0.5, {gone}, {gone}
lease.device = lambda environ, *, cpu: "gpu-test"
from jittutor.cli.main import start
sys.exit(start(sys.argv[1:]))
"""

type Quick = Callable[[float], str]


@pytest.fixture
def quick(tmp_path: Path) -> Quick:
    """Makes a folder whose `jittutor` ends itself when its terminal was mute for so many seconds."""

    def make(gone: float) -> str:
        folder = tmp_path / "quick"
        folder.mkdir()
        (folder / "jittutor").write_text(QUICK.format(python=sys.executable, gone=gone))
        (folder / "jittutor").chmod(0o755)
        return str(folder)

    return make


def tutors(cluster: Cluster, reading: Terminal | None = None) -> list[dict[str, Any]]:
    """Who is in the Pod; an open terminal is read meanwhile, or its tutor would think it gone."""
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(cluster.kubectl, "exec", "jittutor-0", "--", "jittutor", "ps", "--json")
        if reading is not None:
            reading.until(asked.done, 60)
        found: list[dict[str, Any]] = json.loads(asked.result().stdout)["tutors"]
        return found


def until_gone(processes: dict[int, str], seconds: float) -> None:
    end = time.monotonic() + seconds
    while left := {pid: command for pid, command in processes.items() if alive(pid)}:
        assert time.monotonic() < end, f"still running: {left}"
        time.sleep(0.05)


def go_to_step_2(console: Terminal) -> None:
    console.until("step 1 of")
    console.type("n")
    console.until("step 2 of")


def test_when_the_client_dies_all_ends_the_gpu_is_free_and_the_next_one_goes_on_with_the_same_edit(
    tmp_path: Path, quick: Quick
) -> None:
    with Cluster(tmp_path, path=quick(2.0)) as cluster:
        with cluster.exec("jittutor", "loops") as console:
            console.until("ready", 60)
            go_to_step_2(console)
            console.type("e")
            console.until("esc leave")
            console.type("# kept\x1b")
            console.until("# kept")
            console.until("e edit")
            pid = cluster.wait(did="start")["pid"]
            (held,) = tutors(cluster, console)
            assert (held["pid"], held["device"], held["holds_device"]) == (pid, "gpu-test", True)
            ours = family(pid)
            assert any("jittutor.worker" in command for command in ours.values())
            console.process.kill()
            cluster.wait(did="left", pid=pid)
        # Nothing told the tutor: its guard finds out.
        until_gone(ours, 30)
        assert tutors(cluster) == []
        with cluster.exec("jittutor") as console:
            console.until("step 2 of")
            console.until("# kept")
            console.until("ready", 60)
            (held,) = tutors(cluster, console)
            assert held["holds_device"], "the GPU was free for it"
            leave(console)


def test_who_comes_back_at_once_takes_over_from_the_tutor_that_does_not_know_yet(
    tmp_path: Path, quick: Quick
) -> None:
    with Cluster(tmp_path, path=quick(600.0)) as cluster:
        with cluster.exec("jittutor", "loops") as console:
            console.until("ready", 60)
            go_to_step_2(console)
            console.type("e")
            console.until("esc leave")
            console.type("# kept\x1b")
            console.until("# kept")
            console.until("e edit")
            pid = cluster.wait(did="start")["pid"]
            ours = family(pid)
            console.process.kill()
            cluster.wait(did="left", pid=pid)
        # As deploy/learn comes back: Enter is enough.
        with cluster.exec("env", "JITTUTOR_AGAIN=1", "jittutor") as console:
            console.until(f"Another tutor holds the GPU: process {pid}")
            console.until("[take]")
            console.type("\r")
            console.until("step 2 of")
            console.until("# kept")
            console.until("ready", 60)
            until_gone(ours, 10)
            (held,) = tutors(cluster, console)
            assert held["holds_device"]
            leave(console)


def test_a_waiting_tutor_keeps_its_line_alive_and_one_that_is_cut_ends_with_its_work_saved(
    tmp_path: Path, quick: Quick
) -> None:
    with Cluster(tmp_path, path=quick(9.0), idle=6) as cluster:
        with cluster.exec("jittutor", "loops") as console:
            go_to_step_2(console)
            pid = cluster.wait(did="start")["pid"]
            ours = family(pid)
            # Questions that the terminal answers, twice a second: longer than the line may be silent.
            before = console.heard.count(QUESTION)
            console.until(lambda: console.heard.count(QUESTION) > before + 14, 60)
            assert alive(pid)
            # Then nobody answers any more, as when a laptop is closed.
            cluster.wait(did="cut", pid=pid)
            assert not [said for said in cluster.heard[:-1] if said["did"] == "cut"]
            assert console.end() == 1
        until_gone(ours, 30)
        with cluster.exec(str(VENV / "jittutor")) as console:
            console.until("step 2 of")
            leave(console)


def test_two_learners_work_at_once_and_see_only_their_own(tmp_path: Path) -> None:
    with (
        Cluster(tmp_path, "jittutor-0", "jittutor-1") as cluster,
        cluster.exec("jittutor", pod="jittutor-0") as one,
        cluster.exec("jittutor", pod="jittutor-1") as two,
    ):
        for console, name in ((one, "one"), (two, "two")):
            console.until("ready", 60)
            console.type("e")
            console.until("esc leave")
            console.type(f"\x1b[200~print('this is ' + {name!r})\n\x1b[201~")
            console.until(f"'this is ' + {name!r}")
        for console in (one, two):
            console.type("\n")
        for console, name, other in ((one, "one", b"this is two"), (two, "two", b"this is one")):
            console.until(f"this is {name}", 60)
            assert other not in console.heard
        for console in (one, two):
            leave(console)
    kept = [(tmp_path / f"jittutor-{n}/.jittutor/state.json").read_text() for n in (0, 1)]
    assert ["'one'" in state for state in kept] == [True, False]
    assert ["'two'" in state for state in kept] == [False, True]
