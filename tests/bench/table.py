"""One row a figure: what was measured, beside what, the ratio, and what it should reach."""

import platform
import statistics
import time
from collections.abc import Callable, Sequence
from importlib import metadata
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
        ours, peer = f"{row.ours:.3g} {row.unit}", f"{row.peer:.3g} {row.unit}"
        lines.append(f"| {row.figure} | {ours} | {peer} | {row.ratio:.2f} | {row.reach} | {held} |")
    return "\n".join(lines)
