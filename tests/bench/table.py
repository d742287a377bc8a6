"""One row a figure: what was measured, beside what, the ratio, and what it should reach."""

import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path
from typing import NamedTuple


class Row(NamedTuple):
    """A measured figure; `ours` and `peer` have the same unit."""

    figure: str
    ours: float
    peer: float
    unit: str
    reach: str
    ok: bool

    @property
    def ratio(self) -> float:
        """Ours against the peer's."""
        return self.ours / self.peer if self.peer else float("inf")


def alternate(rounds: int, *measures: Callable[[], float]) -> list[float]:
    """The median of each measure; they take turns, so that a noisy minute hits all of them."""
    results: list[list[float]] = [[] for _ in measures]
    for _ in range(rounds):
        for result, measure in zip(results, measures, strict=True):
            result.append(measure())
    return [statistics.median(result) for result in results]


def resident(pid: int) -> float:
    """MiB that a process has in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def _digits(number: float) -> str:
    """Three that matter, never as a power of ten."""
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.3g}"


def show(rows: Sequence[Row]) -> str:
    """The table as Markdown, with date and versions."""
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ("jax", "textual"))
    lines = [
        f"{time.strftime('%Y-%m-%d')}, {versions}, Python {platform.python_version()}, {platform.machine()}",
        "",
        "| figure | jittutor | peer | ratio | reach | held |",
        "|---|---|---|---|---|---|",
    ]
    for row in rows:
        held = "yes" if row.ok else "no"
        peer, ratio = (f"{_digits(row.peer)} {row.unit}", f"{row.ratio:.2f}") if row.peer else ("-", "-")
        lines.append(
            f"| {row.figure} | {_digits(row.ours)} {row.unit} | {peer} | {ratio} | {row.reach} | {held} |"
        )
    return "\n".join(lines)
