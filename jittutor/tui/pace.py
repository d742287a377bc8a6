"""How often something may be drawn: a few times at once, so that answers come quickly, then steadily."""

import asyncio
import time


class Pace:
    """So many drawings may follow each other at once; after them each waits for its turn."""

    def __init__(self, seconds: float, at_once: int) -> None:
        """Allow one drawing per `seconds`, and to save up `at_once` of them."""
        self._seconds, self._most = seconds, float(at_once)
        self._saved, self._counted = self._most, time.monotonic()

    async def turn(self) -> None:
        """Wait until the next drawing may be made."""
        self._count()
        if self._saved < 1:
            await asyncio.sleep((1 - self._saved) * self._seconds)
            self._count()
        self._saved -= 1

    def _count(self) -> None:
        now = time.monotonic()
        self._saved = min(self._most, self._saved + (now - self._counted) / self._seconds)
        self._counted = now
