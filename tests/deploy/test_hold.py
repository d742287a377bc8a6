"""`jittutor hold`: one line, no JAX, then it waits; and it lets nobody believe in a GPU that is not there."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.cluster import stopped

JITTUTOR = str(Path(sys.executable).with_name("jittutor"))


def environment(**more: str) -> dict[str, str]:
    """As in a Pod: a container's output is a pipe, and nothing says that Python shall not fill it first."""
    hidden = ("JAX_PLATFORMS", "PYTHONUNBUFFERED")
    return {name: value for name, value in os.environ.items() if name not in hidden} | more


def hold(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [JITTUTOR, "hold", *arguments], capture_output=True, text=True, check=False,
        stdin=subprocess.DEVNULL, env=environment(**more), timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_says_one_line_at_once_and_ends_when_told(number: signal.Signals) -> None:
    with (
        subprocess.Popen([JITTUTOR, "hold"], stdout=subprocess.PIPE, text=True, env=environment()) as process,
        stopped(process.pid),
    ):
        assert process.stdout
        assert select.select([process.stdout], [], [], 20)[0], "nothing is said"
        assert process.stdout.readline().startswith("jittutor holds this Pod: ")
        process.send_signal(number)
        assert process.wait(10) == 0
        assert process.stdout.read() == ""


def test_check_ends_by_itself() -> None:
    done = hold("--check", JAX_PLATFORMS="cpu")
    assert done.returncode == 0
    assert done.stdout.count("\n") == 1


def test_a_pod_that_needs_a_gpu_and_has_none_does_not_start(tmp_path: Path) -> None:
    # A library that is no library: the driver cannot be loaded, wherever this runs.
    (tmp_path / "libcuda.so.1").write_text("")
    done = hold(JAX_PLATFORMS="cuda,cpu", LD_LIBRARY_PATH=str(tmp_path))
    assert done.returncode == 1
    assert "a GPU is needed and none is there" in done.stdout
    assert "nvidia.com/gpu" in done.stdout


def test_neither_jax_nor_textual_is_imported() -> None:
    program = (
        "import sys; from jittutor.cli.main import start; start(['hold', '--check']);"
        "print(sorted({'jax', 'jaxlib', 'numpy', 'textual'} & sys.modules.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment()
    )
    assert done.stdout.endswith("[]\n")


def test_it_ends_the_tutors_of_its_pod_first(tmp_path: Path) -> None:
    # The hold process is the first of a process namespace here, as in a Pod.
    alone = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]
    if subprocess.run([*alone, "true"], capture_output=True, check=False).returncode:
        pytest.skip("process namespaces need root")
    tutor = tmp_path / "jittutor"
    tutor.write_text("trap 'echo saved; exit 0' TERM; echo here; while :; do sleep 0.05; done")
    script = f"bash {tutor} & exec {JITTUTOR} hold"
    command = [*alone, "bash", "-c", script]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment()) as process:
        assert process.stdout
        said = {process.stdout.readline().split(":")[0].strip() for _ in range(2)}
        assert said == {"here", "jittutor holds this Pod"}
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        os.kill(int(children[0]), signal.SIGTERM)
        assert process.stdout.read() == "saved\n"
        assert process.wait(10) == 0
