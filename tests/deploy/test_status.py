"""How far everybody is: all Pods asked at once; a table, JSON, and a view for the instructor."""

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jittutor.state import State
from tests.deploy.cluster import Cluster
from tests.deploy.test_scripts import workshop
from tests.deploy.tools import DEPLOY, run

PROGRESS = runpy.run_path(str(DEPLOY / "progress.py"))


def status(folder: Path, cluster: Cluster, path: str, *more: str) -> subprocess.CompletedProcess[str]:
    environment = {**cluster.environment, "PATH": path, "PYTHON": sys.executable}
    return run(workshop(folder), "status", *more, env=environment, check=False)


def test_status_asks_all_pods_and_tells_how_far_everybody_is(tmp_path: Path, path_with_kubectl: str) -> None:
    pods = [f"jittutor-{n}" for n in range(3)]
    state = State.open(tmp_path / "jittutor-1" / ".jittutor")
    state.change("loops", "unrolled-or-scan", done=True)
    state.go("loops", "line-and-flat")
    state.save()
    with Cluster(tmp_path, *pods) as cluster:
        done = status(tmp_path, cluster, path_with_kubectl, "--json")
        assert done.returncode == 0
        learners = json.loads(done.stdout)["learners"]
        assert [learner["pod"] for learner in learners] == pods
        assert [learner["done"] for learner in learners] == [0, 1, 0]
        assert learners[1]["place"] == "loops / line-and-flat"
        table = status(tmp_path, cluster, path_with_kubectl).stdout.splitlines()
        assert re.search(r"jittutor-1 .*1 of \d+ .*loops / line-and-flat", table[2])
        assert table[-1] == "3 of 3 ready, 1 steps done"


def test_status_without_a_cluster_is_one_line(tmp_path: Path, path_with_kubectl: str) -> None:
    (tmp_path / "kubeconfig").write_text("{}")
    environment = {**os.environ, "KUBECONFIG": str(tmp_path / "kubeconfig"), "HOME": str(tmp_path),
                   "PATH": path_with_kubectl, "PYTHON": sys.executable}  # fmt: skip
    done = run(workshop(tmp_path), "status", env=environment, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("workshop: the cluster does not answer: ")
    assert "Traceback" not in done.stderr


def test_watching_shows_who_moves_and_outlives_a_cluster_that_is_away_for_a_moment(
    tmp_path: Path, path_with_kubectl: str
) -> None:
    with (
        Cluster(tmp_path, "jittutor-0", "jittutor-1") as cluster,
        cluster.terminal(
            str(workshop(tmp_path)), "status", "--watch", "0.2", PATH=path_with_kubectl, PYTHON=sys.executable
        ) as console,
    ):
        console.until("2 of 2 ready, 0 steps done")
        state = State.open(tmp_path / "jittutor-1" / ".jittutor")
        state.change("loops", "unrolled-or-scan", done=True)
        state.go("loops", "line-and-flat")
        state.save()
        console.until("2 of 2 ready, 1 steps done")
        assert "most are at loops / line-and-flat (1)" in console.text
        there = cluster.kubeconfig.read_text()
        cluster.kubeconfig.write_text("{}")
        console.until("the cluster does not answer")
        cluster.kubeconfig.write_text(there)
        console.until("2 of 2 ready, 1 steps done")
        console.until(lambda: "does not answer" not in console.text)
        console.type("\x03")
        assert console.end() == 130


def learner(number: int, state: str = "ready", done: int = 5) -> Any:
    place = "loops / scan" if done > 3 else "cache / \x1b[31mred"
    return PROGRESS["Learner"](
        f"jittutor-{number}", f"learner{number}@example.com", state, 0, done, 115, 0, 1, 2, place
    )


def test_of_a_large_class_those_are_shown_who_may_need_somebody() -> None:
    rows = [learner(n) for n in range(300)]
    rows[17], rows[200] = learner(17, "waits for a node", 0), learner(200, done=1)
    drawn = PROGRESS["screen"](rows, 80, 24)
    lines = drawn.removeprefix("\x1b[H").removesuffix("\x1b[J").replace("\x1b[K", "").splitlines()
    assert len(lines) < 24
    assert all(len(line) < 80 for line in lines)
    assert "299 of 300 ready" in lines[0]
    assert "loops / scan (298)" in lines[1]
    assert "jittutor-17 " in lines[4]
    assert "jittutor-200" in lines[5]
    shown = sum("jittutor-" in line for line in lines)
    assert lines[-1] == f"and {300 - shown} who are ready and further on"
    assert "\x1b" not in "".join(lines), "nothing that a learner's Pod says steers this terminal"


def test_a_class_that_fits_is_shown_whole_in_its_order() -> None:
    drawn = PROGRESS["screen"]([learner(n, done=9 - n) for n in range(8)], 120, 40)
    assert re.findall(r"jittutor-(\d)", drawn) == list("01234567")
    assert "further on" not in drawn


@pytest.mark.parametrize("height", [1, 5, 6, 7, 8, 24])
def test_no_terminal_is_too_low(height: int) -> None:
    drawn = PROGRESS["screen"]([learner(n) for n in range(9)], 40, height)
    assert drawn.count("\n") < max(height, 7)
