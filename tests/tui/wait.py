"""Waiting for what must become true, never for a time to pass."""

import asyncio
import time
from collections.abc import Callable

from textual.pilot import Pilot

from jittutor.tui.app import Tutor


async def until(pilot: Pilot[None], holds: Callable[[], object], *, seconds: float = 10.0) -> None:
    """Let the app work until this holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "this never came true"
        await asyncio.sleep(0)
        await pilot.pause()


async def ready(pilot: Pilot[None], app: Tutor) -> None:
    """The first screen stands and the worker has greeted."""
    await until(pilot, lambda: app.screen is app.lesson_screen and app.lesson_screen.worker == "ready")
    await pilot.pause()


async def ran(pilot: Pilot[None], app: Tutor) -> None:
    """The run is over and drawn."""
    await until(pilot, lambda: app.study.record.done is not None and not app.study.running)
    await pilot.pause()


def shown(app: Tutor, pane: str) -> str:
    """What stands in a pane, with its title, as plain text."""
    widget = app.lesson_screen.pane(pane)
    region = widget.region
    lines = screen_text(app)
    return "\n".join(line[region.x : region.right] for line in lines[region.y : region.bottom])


def screen_text(app: Tutor) -> list[str]:
    """The whole screen as lines of text."""
    strips = app.screen._compositor.render_strips()
    return [strip.text for strip in strips]
