"""The tutor through the real kubectl: it starts, is used, and gives the terminal back."""

import json
import os
import signal
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.cluster import Cluster, kubectls, leave
from tests.pty.console import Console

pytestmark = pytest.mark.pty
FIRST = "The device that does the work"
MOUSE, ALTERNATE, PASTE, FOCUS = (1000, 1003, 1006), 1049, 2004, 1004
each_kubectl = pytest.mark.parametrize(
    "which", kubectls() or ["kubectl"], ids=lambda path: Path(path).parent.name
)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with Cluster(tmp_path) as running:
        yield running


def assert_left_clean(console: Console) -> None:
    modes = console.last_modes()
    assert modes[25], "the cursor must be visible again"
    assert not any(modes.get(mode, False) for mode in (*MOUSE, ALTERNATE, PASTE, FOCUS))
    assert termios.tcgetattr(console.far) == console.modes


@each_kubectl
def test_each_kubectl_here_opens_the_tutor_runs_a_step_and_gives_the_terminal_back(
    cluster: Cluster, which: str
) -> None:
    with cluster.exec("jittutor", which=which) as console:
        console.until(FIRST[:20])
        started = cluster.wait(did="start")
        assert started["tty"]
        assert cluster.wait(did="resize")["size"] == [120, 40]
        console.until("ready", 60)
        console.type("\n")
        console.until("platform", 60)
        console.resize(60, 20)
        console.process.send_signal(signal.SIGWINCH)
        assert cluster.wait(did="resize", reading=console)["size"] == [60, 20]
        leave(console)
        assert_left_clean(console)
        assert cluster.wait(did="exit")["code"] == 0


@each_kubectl
def test_each_kubectl_needs_get_for_its_websocket_and_create_without_it(
    cluster: Cluster, which: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = cluster.kubectl("exec", "jittutor-0", "--", "sh", "-c", "exit 3", which=which, check=False)
    assert done.returncode == 3
    started = cluster.wait(did="start")
    assert (started["method"], started["protocol"]) == ("GET", "v5.channel.k8s.io")
    # As behind a proxy that lets no WebSocket through: a learner's Role must hold both verbs.
    monkeypatch.setenv("KUBECTL_REMOTE_COMMAND_WEBSOCKETS", "false")
    assert cluster.kubectl("exec", "jittutor-0", "--", "true", which=which, check=False).returncode
    refused = cluster.wait(did="refuse")
    assert (refused["method"], refused["upgrade"]) == ("POST", "SPDY/3.1")


@each_kubectl
def test_each_kubectl_carries_a_large_input_both_ways(cluster: Cluster, which: str) -> None:
    blob = os.urandom(300_000)
    assert cluster.kubectl("exec", "-i", "jittutor-0", "--", "cat", stdin=blob, which=which).stdout == blob


def test_it_follows_the_size_through_kubectl(cluster: Cluster) -> None:
    with cluster.exec("jittutor") as console:
        console.until(FIRST)
        for columns, rows in ((60, 20), (120, 40)):
            console.resize(columns, rows)
            console.process.send_signal(signal.SIGWINCH)
            assert cluster.wait(did="resize", size=[columns, rows])
            console.until(FIRST[:20])
            console.until(lambda: console.screen.display[-1].strip() != "")
        leave(console)


def test_keys_a_paste_and_unicode_arrive_whole(cluster: Cluster, tmp_path: Path) -> None:
    text = "größe = 'λ → 中'\n" + "".join(f"x{n} = {n}\n" for n in range(40)) + "print('end of paste')"
    with cluster.exec("jittutor") as console:
        console.until(FIRST)
        console.until("ready", 60)
        console.type("e")
        console.until("esc leave")
        console.type(f"\x1b[200~{text}\x1b[201~")
        console.until("end of paste")
        console.type("\n")
        leave(console)
    state = json.loads((tmp_path / "jittutor-0/.jittutor/state.json").read_text())
    (edit,) = (step["edit"] for steps in state["steps"].values() for step in steps.values() if "edit" in step)
    assert text in edit


def test_exit_codes_pass_through_pipes(cluster: Cluster) -> None:
    for code in (0, 3, 2):
        done = cluster.kubectl("exec", "jittutor-0", "--", "sh", "-c", f"exit {code}", check=False)
        assert done.returncode == code


def test_without_a_terminal_the_tutor_says_how_and_ends_with_2(cluster: Cluster) -> None:
    done = cluster.kubectl("exec", "-i", "jittutor-0", "--", "jittutor", check=False)
    assert done.returncode == 2
    assert b"kubectl exec -it" in done.stderr


def test_doctor_and_list_work_over_exec(cluster: Cluster) -> None:
    report = json.loads(cluster.kubectl("exec", "jittutor-0", "--", "jittutor", "doctor", "--json").stdout)
    assert report["ok"]
    (environment,) = (check for check in report["checks"] if check["name"] == "environment")
    assert environment["grade"] == "ok", "nothing that our own manifest sets is complained of"
    assert json.loads(cluster.kubectl("exec", "jittutor-0", "--", "jittutor", "list", "--json").stdout)
