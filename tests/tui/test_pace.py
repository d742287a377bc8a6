"""Drawings: a few at once, then one at a time."""

import asyncio

from jittutor.tui.pace import Pace


async def test_a_few_drawings_wait_for_nothing_and_the_next_one_waits() -> None:
    pace = Pace(3600, 3)
    for _ in range(3):
        await asyncio.wait_for(pace.turn(), 5)
    waiting = asyncio.create_task(pace.turn())
    done, _ = await asyncio.wait({waiting}, timeout=0)
    assert not done
    waiting.cancel()


async def test_after_its_time_the_next_one_may_be_drawn() -> None:
    pace = Pace(0.001, 1)
    for _ in range(5):
        await asyncio.wait_for(pace.turn(), 5)
