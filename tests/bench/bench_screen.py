"""The screen: first paint, first result, bytes, memory; beside a minimal Textual app and rivals."""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.bench.peers import MINIMAL, python_of
from tests.bench.table import Row, alternate
from tests.pty.console import Console, jittutor

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "7"))
LESSON = """
import jax
print("JAX version:", jax.__version__)
print("Default backend:", jax.default_backend())
for number, device in enumerate(jax.devices()):
    print(f"Device {number}:", device.platform, device.device_kind)
"""


def _console(*command: str) -> Console:
    return Console(
        list(command),
        TERM="xterm-256color",
        COLORTERM="truecolor",
        JAX_PLATFORMS="cpu",
        JITTUTOR_STATE=tempfile.mkdtemp(),
    )


def _tutor() -> Console:
    return _console(*jittutor("--cpu"))


def _minimal() -> Console:
    return _console(sys.executable, "-c", MINIMAL)


def _paint(start: Callable[[], Console], sign: str) -> float:
    began = time.perf_counter()
    with start() as console:
        console.until(sign, 60)
        return time.perf_counter() - began


def _first_result() -> float:
    began = time.perf_counter()
    with _tutor() as console:
        console.until("ctrl+j", 60)
        console.type("\n")
        console.until("Default backend:", 120)
        return time.perf_counter() - began


def _cold_script() -> float:
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(LESSON)
        file.flush()
        began = time.perf_counter()
        with _console(sys.executable, file.name) as console:
            console.until("Device 0", 60)
        return time.perf_counter() - began


def _settled(console: Console, sign: str) -> None:
    console.until(sign, 60)
    quiet = time.monotonic() + 1.5
    while time.monotonic() < quiet:
        if console._hear(0.2):
            quiet = time.monotonic() + 1.0


def _memory(start: Callable[[], Console], sign: str) -> float:
    with start() as console:
        _settled(console, sign)
        status = Path(f"/proc/{console.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024


def _bytes_per_key(start: Callable[[], Console], sign: str, enter: str) -> float:
    with start() as console:
        _settled(console, sign)
        console.type(enter)
        _settled(console, sign)
        before = len(console.heard)
        for letter in "abcdefgh":
            console.type(letter)
            _settled(console, sign)
        return (len(console.heard) - before) / 8


def _idle_bytes() -> float:
    with _tutor() as console:
        _settled(console, "ready")
        before = len(console.heard)
        end = time.monotonic() + 60
        while time.monotonic() < end:
            console._hear(0.5)
        return float(len(console.heard) - before)


def rows() -> list[Row]:
    """The figures."""
    ours, minimal = alternate(
        ROUNDS, lambda: _paint(_tutor, "ctrl+j"), lambda: _paint(_minimal, "first paint")
    )
    found = [Row("first paint, minimal app", ours, minimal, "s", "≤ 1.25x", ours <= 1.25 * minimal)]
    for rival, sign in (("posting", "Collection"), ("harlequin", "Query Editor")):
        python = python_of(rival)
        if python is not None:
            start = partial(_console, str(python.with_name(rival)))
            (peer,) = alternate(3, partial(_paint, start, sign))
            found.append(Row(f"first paint, {rival}", ours, peer, "s", "< 1x", ours < peer))
    ours, bare = alternate(ROUNDS, _first_result, _cold_script)
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
    idle = _idle_bytes()
    found.append(Row("bytes in 60 s idle at 120x40", idle, 200, "B", "≤ 200 B", idle <= 200))
    return found
