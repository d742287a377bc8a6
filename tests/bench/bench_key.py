"""From the key that runs a cell to its result on the terminal, beside euporie-console and its kernel."""

import re
import statistics
import tempfile
import time
from pathlib import Path

from tests.bench.bench_screen import console, settled
from tests.bench.peers import python_of
from tests.bench.table import Row
from tests.pty.console import Console, jittutor

TURNS = 20
STAMP = '''"""Stamp

Says what time it is.
"""

# %% Stamp
"""Run it again and again."""
import time

print("at", time.time_ns())
'''
_TIME = re.compile(rb"(?<![0-9])1[0-9]{18}(?![0-9])")


def _until_painted(terminal: Console, key: str, sign: re.Pattern[bytes]) -> float:
    before, began = len(terminal.heard), time.perf_counter()
    terminal.type(key)
    patience = time.monotonic() + 20
    while time.monotonic() < patience and not sign.search(terminal.heard[before:]):
        terminal._hear(5)
    return time.perf_counter() - began


def _ours() -> tuple[float, float]:
    """Seconds, and bytes of the whole run."""
    folder = Path(tempfile.mkdtemp())
    (folder / "stamp.py").write_text(STAMP)
    (folder / "course.toml").write_text('[[chapter]]\ntitle = "All"\nlessons = ["stamp"]\n')
    seconds, sizes = [], []
    with console(*jittutor("--cpu", "--course", str(folder))) as terminal:
        terminal.until("ready", 60)
        for _ in range(TURNS):
            before = len(terminal.heard)
            seconds.append(_until_painted(terminal, "\n", _TIME))
            settled(terminal, "at 1")
            sizes.append(len(terminal.heard) - before)
    # The first two still build what the next ones find.
    return statistics.median(seconds[2:]), statistics.median(sizes[2:])


def _euporie() -> float | None:
    """Seconds; None where it cannot be had."""
    python = python_of("euporie")
    if python is None:
        return None
    seconds = []
    with console(str(python.with_name("euporie-console"))) as terminal:
        terminal.until("In [1]", 60)
        for turn in range(TURNS):
            terminal.type(f"print(10**6+{turn})")
            settled(terminal, "In [", 1)
            seconds.append(_until_painted(terminal, "\r", re.compile(str(10**6 + turn).encode())))
    return statistics.median(seconds[2:])


def rows() -> list[Row]:
    """The figures."""
    (ours, size), peer = _ours(), _euporie()
    found = [
        Row("warm run, key to painted result", ours * 1e3, 50, "ms", "≤ 50 ms", ours <= 0.05),
        Row("bytes of a run at 120x40", size, 0, "B", "-", ok=True),
    ]
    if peer is not None:
        name = "warm run, key to painted result, euporie-console"
        found.append(Row(name, ours * 1e3, peer * 1e3, "ms", "≤ 1.0x", ours <= peer))
    return found
