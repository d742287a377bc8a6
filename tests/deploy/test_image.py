"""The image, built and run for real: without root, without anything to write to, and quick to stop.

Needs root, buildah, podman and runc. Takes minutes, so it is asked for: TUTOR_BASE names the image to build
on, such as docker.io/library/python:3.13-slim-bookworm; tests/deploy/base makes one from Debian's packages.
JAX is built in for the CPU: the CUDA wheels are 3 GB.
"""

import contextlib
import json
import os
import secrets
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.tools import DEPLOY, ROOT, committed, environment_of, pod_of, run, tutor_of
from tests.pty.console import Console

pytestmark = [pytest.mark.slow, pytest.mark.image]
BASE = os.environ.get("TUTOR_BASE", "")
TAG = "localhost/jittutor:test"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
FIRST = "The device that does the work"[:20]
# As in a sandbox without systemd or a network of its own.
PODMAN = ("podman", "--runtime", "runc", "--cgroup-manager", "cgroupfs")
ULIMITS = ("--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024")


def _missing() -> str | None:
    if not BASE:
        return (
            "takes minutes; asked for by TUTOR_BASE=localhost/jittutor-base:trixie, after tests/deploy/base"
        )
    absent = [name for name in ("buildah", "podman", "runc") if shutil.which(name) is None]
    if absent:
        return f"not installed: {', '.join(absent)} (apt-get install buildah podman runc)"
    return None if os.geteuid() == 0 else "only root can build and run an image here"


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> str:
    if why := _missing():
        pytest.skip(why)
    pip = tmp_path_factory.mktemp("pip") / "pip.conf"
    pip.write_text(f"[global]\ncert = {CERTIFICATES}\n")
    mounts = [word for path, place in ((CERTIFICATES, CERTIFICATES), (pip, "/etc/pip.conf"))
              if path.exists() for word in ("--volume", f"{path}:{place}:ro")]  # fmt: skip
    arguments = ("--build-arg", f"BASE={BASE}", "--build-arg", "VARIANT=cpu")
    run("buildah", "build", "--isolation", "chroot", "--layers", *arguments, *mounts,
        "--file", DEPLOY / "Dockerfile", "--tag", TAG, ROOT, timeout=900)  # fmt: skip
    return TAG


@contextlib.contextmanager
def running(image: str, home: Path) -> Iterator[str]:
    """A container as the Pod's manifest says."""
    name = f"jittutor-test-{secrets.token_hex(4)}"
    home.chmod(0o777)
    things = committed("cpu")
    user = pod_of(things)["securityContext"]
    variables = [word for pair in environment_of(things).items() for word in ("--env", "=".join(pair))]
    run(*PODMAN, "run", "--detach", "--name", name, *ULIMITS, *variables, "--network", "none", "--read-only",
        "--cap-drop", "all", "--security-opt", "no-new-privileges",
        "--user", f"{user['runAsUser']}:{user['runAsGroup']}", "--volume", f"{home}:/home/learner",
        "--tmpfs", "/tmp:size=512m", image, *tutor_of(things)["args"])  # noqa: S108 - in it  # fmt: skip
    try:
        yield name
    finally:
        run(*PODMAN, "rm", "--force", "--time", "0", name, check=False)


@pytest.fixture(scope="module")
def container(image: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running(image, tmp_path_factory.mktemp("home")) as name:
        yield name


def enter(container: str) -> Console:
    return Console([*PODMAN, "exec", "--interactive", "--tty", container, "jittutor"], TERM="xterm")


def stop(container: str) -> None:
    """Stop it, and see that it does so by itself and soon."""
    began = time.monotonic()
    run(*PODMAN, "stop", "--time", "10", container)
    assert time.monotonic() - began < 2
    state = json.loads(run(*PODMAN, "inspect", container).stdout)[0]["State"]
    assert state["ExitCode"] in (0, 143)


def inside(container: str, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    return run(*PODMAN, "exec", container, *command, check=check)


def test_it_says_what_it_found_and_waits(container: str) -> None:
    end = time.monotonic() + 10
    while "jittutor holds this Pod" not in (said := run(*PODMAN, "logs", container).stdout):
        assert time.monotonic() < end, said
    inside(container, *tutor_of(committed("cpu"))["startupProbe"]["exec"]["command"])


def test_tini_comes_first_and_nobody_is_root(container: str) -> None:
    assert inside(container, "cat", "/proc/1/comm").stdout == "tini\n"
    assert inside(container, "id", "-u").stdout == "10001\n"
    status = inside(container, "cat", "/proc/self/status").stdout
    assert "CapEff:\t0000000000000000" in status
    assert "NoNewPrivs:\t1" in status


def test_only_home_and_tmp_can_be_written(container: str) -> None:
    for folder in ("/home/learner", "/tmp"):  # noqa: S108 - in the container
        inside(container, "touch", f"{folder}/x")
    for folder in ("/opt/jittutor", "/usr", "/etc", "/"):
        assert inside(container, "touch", f"{folder}/x", check=False).returncode


def test_doctor_is_green_on_the_cpu(container: str) -> None:
    report = json.loads(inside(container, "jittutor", "doctor", "--json").stdout)
    assert report["ok"], report
    assert next(check for check in report["checks"] if check["name"] == "jax")["facts"]["platform"] == "cpu"


def test_everything_is_compiled_and_pip_is_gone(container: str) -> None:
    script = "import jittutor, importlib.util, json; print(importlib.util.find_spec('pip'), json.__cached__)"
    pip, cached = inside(container, "/opt/jittutor/bin/python", "-c", script).stdout.split()
    assert pip == "None"
    inside(container, "test", "-f", cached)
    compiled = "import jittutor.tui.app as app; print(app.__cached__)"
    path = inside(container, "/opt/jittutor/bin/python", "-c", compiled).stdout.strip()
    inside(container, "test", "-f", path)


@pytest.mark.pty
def test_a_step_runs_over_exec_without_a_profile(container: str) -> None:
    with enter(container) as console:
        console.until(FIRST)
        console.until("ready", 90)
        console.type("\n")
        console.until("platform", 60)
        console.type("\x11")
        console.until("Leave the tutor?")
        console.type("\x11")
        assert console.end() == 0


def test_a_stop_takes_less_than_two_seconds(container: str) -> None:
    stop(container)


@pytest.mark.pty
def test_a_stop_while_somebody_learns_takes_no_longer_and_keeps_the_work(image: str, tmp_path: Path) -> None:
    with running(image, tmp_path) as container, enter(container) as console:
        console.until("ready", 90)
        console.type("e")
        console.until("esc leave")
        console.type("\x1b[200~while True: pass  # kept\n\x1b[201~")
        console.until("# kept")
        console.type("\n")
        console.until("running", 60)
        stop(container)
        console.end()
        modes = console.last_modes()
        assert modes[25], "the cursor is visible again"
        assert not modes[1049]
    assert "# kept" in (tmp_path / ".jittutor/state.json").read_text()
