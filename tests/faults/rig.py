"""A link with a real worker, and an eye on every process that comes of it."""

import asyncio
import os
import threading
import time
import uuid
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jittutor.event import Answered, Done, Ended, Event, Printed, Raised, Ready, Run
from jittutor.link import Link

PATIENCE = 60.0
MARK = "JITTUTOR_TEST_MARK"
GOING = "going"
"""What code prints when it has come to the point where it is to be stopped."""
KILL_AFTER = 2.0
"""As on the screen: seconds until a run that does not listen is ended."""


@dataclass
class Told:
    """What a learner was told of one run."""

    events: list[Event] = field(default_factory=list)
    stopped: float = 0.0
    """Seconds from the first press of Stop to the end."""

    @property
    def outcome(self) -> str:
        """The outcome, or `lost`."""
        ends = [event for event in self.events if isinstance(event, Done)]
        return ends[0].outcome if ends else "lost"

    @property
    def words(self) -> str:
        """How it ended, in words: the exception, or why the worker is gone."""
        words = [f"{e.type}: {e.message}" for e in self.events if isinstance(e, Raised)]
        return " / ".join(words + [e.message for e in self.events if isinstance(e, Ended)])

    @property
    def output(self) -> str:
        """Everything printed."""
        return "".join(event.text for event in self.events if isinstance(event, Printed))

    @property
    def answers(self) -> dict[str, str]:
        """Question to answer."""
        return {event.id: event.text for event in self.events if isinstance(event, Answered)}


class Rig:
    """One tutor's link; use it from any thread."""

    def __init__(self) -> None:
        """Mark all processes that come, then start."""
        self.mark = os.environ[MARK] = uuid.uuid4().hex
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.link = self.wait(self._make())
        self._heard = self.link.events()
        self._number = 0

    async def _make(self) -> Link:
        return Link(cpu=True)

    def wait[T](self, what: Coroutine[Any, Any, T]) -> T:
        """The result of something that runs on the loop."""
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(PATIENCE)

    def run(
        self,
        source: str,
        *,
        stop: bool = False,
        then: Callable[[Event], None] = lambda _: None,
        **options: Any,
    ) -> Told:
        """Run a step; with `stop`, press Stop when it has printed GOING, and again if that does not help."""
        self._number += 1
        return self.wait(self._run(Run(self._number, source, **options), stop=stop, then=then))

    async def _run(self, request: Run, *, stop: bool, then: Callable[[Event], None]) -> Told:
        told, pressed = Told(), 0.0
        self.link.send(request)
        while True:
            if not pressed:
                event = await anext(self._heard)
            else:
                hearing = asyncio.ensure_future(anext(self._heard))
                done, _ = await asyncio.wait({hearing}, timeout=KILL_AFTER)
                if not done:
                    await self.link.restart()
                event = await hearing
            told.events.append(event)
            then(event)
            if isinstance(event, Ended) or (isinstance(event, Done) and event.run == request.run):
                told.stopped = time.monotonic() - pressed
                return told
            if stop and not pressed and isinstance(event, Printed) and GOING in event.text:
                await asyncio.sleep(0.3)  # there is no event for "is deep inside C code now"
                pressed = time.monotonic()
                self.link.interrupt()

    def warm(self) -> None:
        """A worker is there and waits."""
        assert self.run("print('warm')").outcome == "ok"

    def others(self) -> list[int]:
        """Processes of ours beside the nursery and the worker of now."""
        own = {self.link._nursery.pid, self.link.pid}
        return [pid for pid in marked(self.mark) if pid not in own]

    def close(self) -> None:
        """End it all."""
        self.wait(self._heard.aclose())  # type: ignore[attr-defined] # an async generator
        self.wait(self.link.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def marked(mark: str) -> Iterator[int]:
    """Living processes whose environment has the mark."""
    wanted = f"{MARK}={mark}".encode()
    for path in Path("/proc").iterdir():
        if path.name.isdecimal():
            try:
                if wanted in (path / "environ").read_bytes().split(b"\0") and not is_zombie(path):
                    yield int(path.name)
            except OSError:
                continue


def is_zombie(path: Path) -> bool:
    return (path / "stat").read_text(errors="replace").rpartition(")")[2].split()[0] in "ZX"


def soon(holds: Callable[[], object], seconds: float = 8.0) -> bool:
    """Whether this comes true in time."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


__all__ = ["GOING", "MARK", "Ready", "Rig", "Told", "marked", "soon"]
