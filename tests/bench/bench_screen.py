"""The screen: first paint, first result, bytes, memory; beside a minimal Textual app and rivals."""

import contextlib
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.bench.peers import MINIMAL, python_of
from tests.bench.table import Row, alternate
from tests.pty.console import Console, jittutor

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "7"))
LETTERS = "abcdef"
LESSON = """
import jax
print("JAX version:", jax.__version__)
print("Default backend:", jax.default_backend())
for number, device in enumerate(jax.devices()):
    print(f"Device {number}:", device.platform, device.device_kind)
"""


def console(*command: str) -> Console:
    return Console(
        list(command),
        draws=False,
        TERM="xterm-256color",
        COLORTERM="truecolor",
        JAX_PLATFORMS="cpu",
        JITTUTOR_STATE=tempfile.mkdtemp(),
    )


def _tutor() -> Console:
    return console(*jittutor("--cpu"))


def _minimal() -> Console:
    return console(sys.executable, "-c", MINIMAL)


def _paint(start: Callable[[], Console], sign: str) -> float:
    began = time.perf_counter()
    with start() as terminal:
        terminal.until(sign, 60)
        return time.perf_counter() - began


def _rival(name: str, sign: str) -> float | None:
    """Median seconds to a rival's first paint; None where it cannot be had or never paints."""
    python = python_of(name)
    if python is None:
        return None
    times = []
    for _ in range(5):
        began = time.perf_counter()
        with console(str(python.with_name(name))) as terminal, contextlib.suppress(AssertionError):
            terminal.until(sign, 15)
            times.append(time.perf_counter() - began)
    return statistics.median(times) if times else None


def first_result() -> float:
    """Seconds from the start of the tutor to the first lesson's result on the screen."""
    began = time.perf_counter()
    with _tutor() as terminal:
        terminal.until("ctrl+j", 60)
        terminal.type("\n")
        terminal.until("Device 0:", 120)
        return time.perf_counter() - began


def _cold_script() -> float:
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(LESSON)
        file.flush()
        began = time.perf_counter()
        with console(sys.executable, file.name) as terminal:
            terminal.until("Device 0", 60)
        return time.perf_counter() - began


def settled(terminal: Console, sign: str, patience: float = 4) -> None:
    """Listen until nothing was said for half a second; a cursor that blinks never stops: not for long."""
    terminal.until(sign, 60)
    end = time.monotonic() + patience
    quiet = time.monotonic() + 1
    while time.monotonic() < min(quiet, end):
        if terminal._hear(0.1):
            quiet = time.monotonic() + 0.5


def _memory(start: Callable[[], Console], sign: str) -> float:
    with start() as terminal:
        settled(terminal, sign)
        status = Path(f"/proc/{terminal.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024


def _bytes_per_key(start: Callable[[], Console], sign: str, enter: str) -> float:
    with start() as terminal:
        settled(terminal, sign)
        terminal.type(enter)
        settled(terminal, sign)
        before = len(terminal.heard)
        for letter in LETTERS:
            terminal.type(letter)
            settled(terminal, sign, 1.5)
        return (len(terminal.heard) - before) / len(LETTERS)


def _shares(pid: int) -> float:
    """MiB of a process and all its descendants, each page counted once."""
    found = [pid]
    for parent in found:
        with contextlib.suppress(OSError):
            children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
            found += map(int, children)
    rollups = [Path(f"/proc/{one}/smaps_rollup").read_text() for one in found]
    return sum(int(text.split("Pss:")[1].split()[0]) for text in rollups) / 1024


def _whole_memory() -> float:
    """MiB of tutor and worker after the first lesson's run."""
    with _tutor() as terminal:
        terminal.until("ready", 60)
        terminal.type("\n")
        settled(terminal, "Device 0:")
        return _shares(terminal.process.pid)


def _bare_memory() -> float:
    """MiB of a Python that has run the same snippet."""
    with console(sys.executable, "-i", "-c", LESSON) as terminal:
        settled(terminal, "Device 0")
        return _shares(terminal.process.pid)


def _idle_bytes() -> float:
    with _tutor() as terminal:
        settled(terminal, "ready")
        before = len(terminal.heard)
        end = time.monotonic() + 60
        while time.monotonic() < end:
            terminal._hear(0.5)
        return float(len(terminal.heard) - before)


def rows() -> list[Row]:
    """The figures."""
    ours, minimal = alternate(
        ROUNDS, lambda: _paint(_tutor, "ctrl+j"), lambda: _paint(_minimal, "first paint")
    )
    found = [Row("first paint, minimal app", ours, minimal, "s", "≤ 1.25x", ours <= 1.25 * minimal)]
    for rival, sign in (("posting", "Collection"), ("harlequin", "Query Editor")):
        peer = _rival(rival, sign)
        if peer is not None:
            found.append(Row(f"first paint, {rival}", ours, peer, "s", "< 1x", ours < peer))
    ours, bare = alternate(ROUNDS, first_result, _cold_script)
    found.append(
        Row("cold start to first result, python script", ours, bare, "s", "≤ 1.25x", ours <= 1.25 * bare)
    )
    ours, minimal = alternate(
        3,
        lambda: _bytes_per_key(_tutor, "ctrl+j", "e"),
        lambda: _bytes_per_key(_minimal, "first paint", "\t"),
    )
    found.append(Row("bytes for a typed key at 120x40", ours, minimal, "B", "≤ 600 B, 0.06x", ours <= 600))
    ours, minimal = alternate(3, lambda: _memory(_tutor, "ready"), lambda: _memory(_minimal, "first paint"))
    found.append(Row("memory of the screen", ours, minimal, "MiB", "≤ 1.5x", ours <= 1.5 * minimal))
    bare = statistics.median(_bare_memory() for _ in range(3))
    whole = statistics.median(_whole_memory() for _ in range(3))
    name = "memory of screen and worker, minimal app and bare JAX"
    found.append(Row(name, whole, minimal + bare, "MiB", "≤ 1.1x", whole <= 1.1 * (minimal + bare)))
    idle = _idle_bytes()
    found.append(Row("bytes in 60 s idle at 120x40", idle, 200, "B", "≤ 200 B", idle <= 200))
    return found
