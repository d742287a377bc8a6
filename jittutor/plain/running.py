"""Runs the code at the other end of a link and waits for the end, which ctrl+c brings nearer."""

import asyncio
import time

from jittutor.event import Event, Ready, Run
from jittutor.plain.lines import Lines
from jittutor.study.link import Link
from jittutor.study.output import Output
from jittutor.study.study import Study

FIRST = 5.0
"""Seconds until a run says for the first time that it lives; each next word comes after twice the time."""
PATIENCE = 2.0
"""Seconds a run may take to stop before its worker is ended."""


class Running:
    """The worker's side of a plain session."""

    def __init__(self, study: Study, link: Link, lines: Lines) -> None:
        """Nothing runs yet."""
        self.study, self.link, self.lines = study, link, lines
        self.output = Output()
        self._over = asyncio.Event()
        self._stops = 0
        self._listening: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Hear the worker from now on."""
        self._listening = asyncio.get_running_loop().create_task(self._listen())

    async def close(self) -> None:
        """End the worker."""
        if self._listening is not None:
            self._listening.cancel()
        await self.link.close()

    async def _listen(self) -> None:
        async for event in self.link.events():
            self._hear(event)

    def _hear(self, event: Event) -> None:
        if isinstance(event, Ready) and self.study.record.device is None:
            jax, device = event.versions.jax, event.device
            self.lines.write(f"[JAX {jax} is ready on {device.platform.upper()} {device.kind}]")
        self.output.add(self.study.hear([event]))
        if not self.study.running:
            self._over.set()

    async def run(self, request: Run) -> None:
        """Send a request and wait until its run is over."""
        self.output, self._stops = Output(), 0
        self._over.clear()
        self.link.send(request)
        started, pause = time.monotonic(), FIRST
        while self.study.running:
            try:
                await asyncio.wait_for(self._over.wait(), pause)
            except TimeoutError:
                pause *= 2
                self._say_alive(time.monotonic() - started)

    def _say_alive(self, seconds: float) -> None:
        now = self.study.record.now
        phase = f", {now.phase} of {now.function}" if now else ""
        self.lines.write(f"[running for {seconds:.0f} seconds{phase}; ctrl+c stops it]")

    def stop(self) -> None:
        """Ctrl+c: interrupt a run; the second time, or when it does not listen, end its worker."""
        if not self.study.running:
            self.lines.write("\nType quit to leave.")
            return
        self._stops += 1
        loop = asyncio.get_running_loop()
        if self._stops == 1:
            self.link.interrupt()
            run = self.study.record.run
            loop.call_later(PATIENCE, lambda: self._kill(run))
        else:
            self._kill(self.study.record.run)

    def _kill(self, run: int) -> None:
        if self.study.running and self.study.record.run == run:
            self.study.lose("you stopped it")
            self._over.set()
            self._restarting = asyncio.get_running_loop().create_task(self.link.restart())
