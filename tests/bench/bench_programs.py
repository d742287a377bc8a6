"""A long jaxpr: from the program to its first screen, beside a Static that highlights the whole text."""

import asyncio
import os
import time

from textual.app import App, ComposeResult
from textual.highlight import highlight
from textual.widgets import Static

from jittutor.event import Program
from jittutor.tui.panes.programs import Programs
from tests.bench.table import Row, alternate

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "7"))
SIZE = (120, 40)


def jaxpr(equations: int) -> str:
    """A jaxpr of so many equations, one a line."""
    body = "\n".join(f"    v{n}:f32[8,128] = mul v{n - 1} 1.5:f32[]" for n in range(1, equations + 1))
    return f"{{ lambda ; v0:f32[8,128]. let\n{body}\n  in (v{equations},) }}"


class Ours(App[None]):
    """The programs pane alone."""

    def compose(self) -> ComposeResult:
        """One widget."""
        yield Programs()

    def fill(self, text: str, equations: int) -> None:
        """Show the program."""
        self.query_one(Programs).show((Program(1, 1, "f", "f32[8,128]", equations, text),))


class Peer(App[None]):
    """A Static in a screen that scrolls."""

    def compose(self) -> ComposeResult:
        """One widget."""
        yield Static(markup=False)

    def fill(self, text: str, equations: int) -> None:
        """Highlight all of it."""
        del equations
        self.query_one(Static).update(highlight(text, language="python"))


async def _shown(app: Ours | Peer, equations: int) -> float:
    text = jaxpr(equations)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        began = time.perf_counter()
        app.fill(text, equations)
        await pilot.pause()
        return time.perf_counter() - began


def _first_screen(kind: type[Ours] | type[Peer], equations: int) -> float:
    return asyncio.run(_shown(kind(), equations))


def rows() -> list[Row]:
    """The figures."""
    found = []
    for equations in (1_000, 10_000, 100_000):
        rounds = ROUNDS if equations < 100_000 else 1
        ours, peer = alternate(
            rounds,
            lambda equations=equations: _first_screen(Ours, equations),  # type: ignore[misc]
            lambda equations=equations: _first_screen(Peer, equations),  # type: ignore[misc]
        )
        name = f"jaxpr of {equations:,} equations to first screen, Static with highlight"
        found.append(Row(name, ours, peer, "s", "≤ 0.3 s", ours <= 0.3))
    return found
