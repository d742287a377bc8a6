"""The scripts for learners and instructors, run as people do: on the loopback cluster, or on a fake tool."""

import json
import os
import sys
from functools import partial
from pathlib import Path

import pytest

from tests.deploy.cluster import Cluster, leave
from tests.deploy.tools import DEPLOY, IMAGE, copy_overlays, run
from tests.pty.console import Console

LEARN, WORKSHOP, LEFTOVERS = (str(DEPLOY / name) for name in ("learn", "workshop", "leftovers"))
FIRST = "The device that does the work"[:20]
OPENED, CLOSED = b"\x1b[?1049h", b"\x1b[?1049l"
RECORDER = """#!/usr/bin/env bash
# Stands in for a tool: writes down how it was called, and answers from a file if there is one.
printf '%s\\n' "$*" >> "{folder}/calls"
for answer in "{folder}"/answer.*; do
    pattern=$(head -1 "$answer")
    [[ "$*" == *"$pattern"* ]] && {{ tail -n +2 "$answer"; exit 0; }}
done
exit 0
"""


class Fake:
    """A tool that only writes down how it was called."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        (folder / "bin").mkdir(exist_ok=True)
        path = folder / "bin" / name
        path.write_text(RECORDER.format(folder=folder))
        path.chmod(0o755)

    def answer(self, when: str, what: str) -> None:
        """Say `what` to a call that has `when` in it."""
        number = len(list(self.folder.glob("answer.*")))
        (self.folder / f"answer.{number}").write_text(f"{when}\n{what}\n")

    @property
    def calls(self) -> list[str]:
        path = self.folder / "calls"
        return path.read_text().splitlines() if path.exists() else []

    @property
    def environment(self) -> dict[str, str]:
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        return {**os.environ, "PATH": path, "JITTUTOR_PAUSE": "0", "PYTHON": sys.executable}


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    return Fake(tmp_path, "kubectl")


def workshop(folder: Path) -> Path:
    """The scripts in a place of their own, so that the overlay of a class is not written into the project."""
    copy_overlays(folder)
    for name in ("workshop", "classroom.py", "progress.py"):
        (folder / name).write_bytes((DEPLOY / name).read_bytes())
        (folder / name).chmod(0o755)
    return folder / "workshop"


# ---------------------------------------------------------------- learn


def _opened(console: Console, times: int) -> bool:
    """Whether the tutor's screen has come up so often."""
    return console.heard.count(OPENED) == times


@pytest.mark.pty
def test_learn_finds_the_learners_own_pod_and_opens_the_tutor(tmp_path: Path, path_with_kubectl: str) -> None:
    with (
        Cluster(tmp_path, "jittutor-6", "jittutor-7", mine=["jittutor-7"]) as cluster,
        cluster.terminal(LEARN, PATH=path_with_kubectl, COLORTERM="truecolor") as console,
    ):
        console.until(FIRST)
        started = cluster.wait(did="start")
        assert started["pod"] == "jittutor-7"
        assert started["command"] == ["env", "COLORTERM=truecolor", "jittutor"]
        leave(console)
        modes = console.last_modes()
        assert modes[25]
        assert not modes[1049]


@pytest.mark.pty
def test_learn_connects_again_and_puts_the_terminal_right_after_each_cut(
    tmp_path: Path, path_with_kubectl: str
) -> None:
    with (
        Cluster(tmp_path, hangup=True) as cluster,
        cluster.terminal(LEARN, PATH=path_with_kubectl, JITTUTOR_TRIES="1") as console,
    ):
        for time in (1, 2):
            console.until(partial(_opened, console, time))
            # The tutor whose line was cut may still hold the GPU: it is one's own.
            assert ("JITTUTOR_AGAIN=1" in cluster.wait(did="start")["command"]) == (time == 2)
            cluster.cut(console)
        assert console.end() == 1
        assert b"there is no connection to jittutor-0" in console.heard
        assert b"your work is saved; connecting again in 1 s" in console.heard
        assert b"start again with: deploy/learn jittutor-0" in console.heard
        assert all(CLOSED in session for session in console.heard.split(OPENED)[1:])
        assert not console.last_modes()[1003]


@pytest.mark.pty
def test_learn_passes_on_what_jittutor_says_and_its_exit_code(tmp_path: Path, path_with_kubectl: str) -> None:
    with (
        Cluster(tmp_path) as cluster,
        cluster.terminal(LEARN, "0", "--", "nosuchlesson", PATH=path_with_kubectl) as console,
    ):
        assert console.end() == 2
        assert "there is no lesson" in console.text
        assert "connecting again" not in console.text


@pytest.mark.pty
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [(["seven"], "neither a number nor a Pod"), (["7", "loops"], "stands after --")],
)
def test_learn_refuses_what_it_does_not_understand(
    arguments: list[str], sentence: str, path_with_kubectl: str
) -> None:
    with Console([LEARN, *arguments], PATH=path_with_kubectl) as console:
        assert console.end() == 2
        assert sentence in console.text


def test_learn_needs_a_terminal(path_with_kubectl: str) -> None:
    done = run(LEARN, check=False, env={**os.environ, "PATH": path_with_kubectl})
    assert (done.returncode, done.stderr) == (2, "learn: this needs a terminal\n")


# ---------------------------------------------------------------- workshop


def test_up_writes_the_class_applies_it_and_waits(tmp_path: Path, fake: Fake) -> None:
    roster = tmp_path / "roster.txt"
    roster.write_text("anna@example.com\nbo@example.com\n")
    script = workshop(tmp_path)
    run(script, "up", "--image", IMAGE, "--roster", roster, env=fake.environment)
    assert fake.calls == [
        "delete rolebindings --namespace jittutor --selector jittutor/roster --ignore-not-found",
        f"apply --kustomize {tmp_path}/overlays/class",
        "rollout status statefulset/jittutor --namespace jittutor --timeout=30m",
    ]
    rights = json.loads((tmp_path / "overlays/class/rights.json").read_text())["items"]
    assert len(rights) == 4


def test_up_without_a_digest_touches_nothing(tmp_path: Path, fake: Fake) -> None:
    done = run(workshop(tmp_path), "up", "--image", "jittutor:latest", env=fake.environment, check=False)
    assert done.returncode == 2
    assert "with its digest" in done.stderr
    assert fake.calls == []


def test_down_waits_until_no_disk_is_left(tmp_path: Path, fake: Fake) -> None:
    done = run(workshop(tmp_path), "down", env=fake.environment)
    assert fake.calls[0].startswith("delete namespace jittutor --ignore-not-found --wait=true")
    assert fake.calls[1].startswith("get persistentvolumes")
    assert "nothing is left in the cluster" in done.stdout


def test_down_fails_if_disks_stay(tmp_path: Path, fake: Fake) -> None:
    fake.answer("get persistentvolumes", "other\njittutor\njittutor")
    done = run(workshop(tmp_path), "down", env=fake.environment, check=False)
    assert done.returncode == 1
    assert "2 disks are still there" in done.stderr


def test_pause_remembers_how_many_and_resume_brings_them_back(tmp_path: Path, fake: Fake) -> None:
    fake.answer("{.spec.replicas}", "24")
    fake.answer("annotations.jittutor/learners", "24")
    script = workshop(tmp_path)
    run(script, "pause", env=fake.environment)
    run(script, "resume", env=fake.environment)
    assert "annotate statefulset/jittutor --namespace jittutor --overwrite jittutor/learners=24" in fake.calls
    scaled = [call.rsplit("=", 1)[1] for call in fake.calls if call.startswith("scale ")]
    assert scaled == ["0", "24"]


def test_a_verb_that_is_not_there_gets_help_and_2(tmp_path: Path, fake: Fake) -> None:
    done = run(workshop(tmp_path), "begin", env=fake.environment, check=False)
    assert done.returncode == 2
    assert "there is no 'begin'" in done.stderr
    assert "deploy/workshop up" in done.stderr


def test_no_verb_gets_help_and_0(tmp_path: Path, fake: Fake) -> None:
    done = run(workshop(tmp_path), env=fake.environment)
    assert "deploy/workshop up" in done.stdout
    assert not fake.calls


# ---------------------------------------------------------------- leftovers


def test_nothing_left_is_said_after_seven_looks(tmp_path: Path) -> None:
    fake = Fake(tmp_path, "gcloud")
    done = run(LEFTOVERS, "my-project", "jittutor", "us-central1", env=fake.environment)
    assert done.stdout == "nothing is left\n"
    looked = {" ".join(call.split()[:2]) for call in fake.calls}
    assert {"compute disks", "compute forwarding-rules", "container clusters", "compute instances"} <= looked
    assert all("--project my-project" in call for call in fake.calls)


def test_a_disk_that_is_left_is_named_and_fails(tmp_path: Path) -> None:
    fake = Fake(tmp_path, "gcloud")
    fake.answer("disks list", "pvc-1234\npvc-5678")
    done = run(LEFTOVERS, "my-project", "jittutor", "us-central1", env=fake.environment, check=False)
    assert done.returncode == 1
    assert done.stdout == "disk: pvc-1234\ndisk: pvc-5678\n"
    assert "2 found" in done.stderr
