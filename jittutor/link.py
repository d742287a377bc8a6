"""Starts the worker process, sends it runs, hears its events, interrupts and replaces it.

Everything happens on one asyncio loop. The worker is forked by a nursery that has imported JAX, so that a
fresh one costs milliseconds. At most one worker lives at a time: the old one is dead and reaped before
the new one may touch the device.
"""

import asyncio
import contextlib
import signal
import time
from collections.abc import AsyncIterator
from typing import Any

import msgspec

from jittutor import ending, wire
from jittutor.event import Done, Ended, Event, Ready, Run
from jittutor.lease import Busy, Seat
from jittutor.limits import limits
from jittutor.nursery import Child, Nursery, NurseryError
from jittutor.spawn import Spawned

GRACE = 12.0
"""Seconds after its limit at which a run that has not stopped by itself is ended, and for each question."""


class Link:
    """The tutor's end of the line to the worker."""

    def __init__(self, *, cpu: bool = False, seat: Seat | None = None, first: Spawned | None = None) -> None:
        """Prepare; nothing starts before the first `send` or `events`.

        Args:
            cpu: keep JAX on the CPU.
            seat: where other tutors see this one, and where it takes the GPU; None when nobody looks.
            first: a nursery's process that was started already.
        """
        self._heard: asyncio.Queue[Event] = asyncio.Queue()
        self._nursery = Nursery(cpu=cpu, lock=seat.lock if seat else -1, first=first)
        self._seat = seat
        self._worker: Child | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._ready = False
        self._open: Run | None = None
        """The request that has not come to its end."""
        self._again = False
        self._began = 0.0
        self._expiry: asyncio.TimerHandle | None = None
        self._starting = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    # ------------------------------------------------------------ what the tutor uses

    async def events(self) -> AsyncIterator[Event]:
        """All events, for ever; starts a worker if there is none."""
        self._later(self._start())
        while not self._closed:
            yield await self._heard.get()

    def send(self, request: Run) -> None:
        """Have the worker run this; a worker is started if there is none."""
        self._open, self._again = request, False
        self._later(self._send(request))

    def interrupt(self) -> None:
        """Press ctrl+c in the worker: Python stops, what it has said stays."""
        if self._worker is not None:
            self._worker.signal(signal.SIGINT)

    async def restart(self) -> None:
        """Kill the worker and start a fresh one; an Ended is heard for the old one."""
        await self._replace(ending.STOPPED)

    def cut(self, why: str, seconds: float = 1.0) -> None:
        """From any thread, and whatever the loop is doing: kill the worker, wait until it is gone.

        The device is then free for others; the next run takes it again.
        """
        worker = self._worker
        if worker is not None and worker.pid is not None:
            worker.why = worker.why or why
            worker.kill()
            end = time.monotonic() + seconds
            while worker.lives() and time.monotonic() < end:
                time.sleep(0.01)
            if self._seat is not None and not worker.lives():
                self._seat.release()

    async def close(self) -> None:
        """End worker and nursery; nothing of them is left."""
        self._closed = True
        async with self._starting:
            await self._kill(ending.STOPPED)
            await self._nursery.close()
        # Only now: while they lived they heard how the worker ended.
        for task in list(self._tasks):
            task.cancel()
        if self._seat is not None:
            self._seat.close()

    @property
    def pid(self) -> int | None:
        """The worker's process id while it lives."""
        return self._worker.pid if self._worker else None

    # ------------------------------------------------------------ how it does it

    def _later(self, what: Any) -> None:
        task = asyncio.get_running_loop().create_task(what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send(self, request: Run) -> None:
        await self._start()
        if self._writer is not None:
            self._writer.write(wire.encode(request))
            self._began = time.monotonic()
            self._expire_later()
            if self._seat is not None:
                self._seat.note(active=time.time())

    async def _start(self) -> None:
        async with self._starting:
            if self._worker is not None or self._closed:
                return
            try:
                if self._seat is not None:
                    self._seat.take()
                reader, writer, worker = await self._nursery.fork()
            except (Busy, NurseryError, OSError) as error:
                self._open = None
                await self._heard.put(Ended(f"it could not start: {error}"))
                return
            self._worker, self._writer, self._ready = worker, writer, False
            self._later(self._listen(reader, writer, worker))
            if self._seat is not None:
                self._seat.note(worker=worker.pid or 0, nursery=self._nursery.pid or 0)

    async def _listen(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, worker: Child
    ) -> None:
        """Hear one worker until it ends."""
        # ValueError: the learner's code wrote a line without end into our socket.
        with contextlib.suppress(ConnectionError, ValueError):
            while line := await reader.readline():
                try:
                    event = wire.decode_event(line)
                except msgspec.DecodeError:
                    continue
                self._note(event)
                await self._heard.put(event)
        writer.close()
        worker.kill()
        code = await worker.ended()
        if self._worker is worker:
            self._worker = self._writer = None
        await self._tell_end(worker, code)

    def _note(self, event: Event) -> None:
        if isinstance(event, Ready):
            self._ready = True
            self._expire_later()
        elif isinstance(event, Done) and self._open is not None and event.run == self._open.run:
            self._open = None
            self._expire_later()

    async def _tell_end(self, worker: Child, code: int | None) -> None:
        """Say how it ended; a worker that left by itself between two runs takes nothing with it."""
        request, leaves = self._open, code in (ending.REPLACE, ending.IDLE) and worker.why is None
        if leaves and request is not None and not self._again:
            self._again = True
            self._later(self._send(request))
        elif leaves and request is None and code == ending.REPLACE:
            self._later(self._start())
        else:
            if self._seat is not None and code == ending.IDLE:
                self._seat.release()
            if self._worker is None:
                self._open = None
            await self._heard.put(Ended(self._words(worker, code, request), code))

    def _words(self, worker: Child, code: int | None, request: Run | None) -> str:
        if worker.why is not None:
            return worker.why
        if code == ending.IDLE:
            return ending.idle(limits().idle)
        if (
            code == 1
            and request is not None
            and request.seconds
            and time.monotonic() - self._began > request.seconds
        ):
            return ending.too_long(request.seconds)
        if not self._ready and (why := self._nursery.last_words()):
            return f"it could not start: {why}"
        return ending.words(code)

    # ------------------------------------------------------------ its end

    def _expire_later(self) -> None:
        """A run that neither stops by itself at its limit nor lets itself be stopped is ended."""
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None
        request = self._open
        if request is not None and request.seconds and self._ready:
            late = request.seconds + GRACE * (1 + len(request.asks))
            words = ending.too_long(request.seconds)
            self._expiry = asyncio.get_running_loop().call_later(
                late, lambda: self._later(self._replace(words))
            )

    async def _replace(self, why: str) -> None:
        async with self._starting:
            await self._kill(why)
        await self._start()

    async def _kill(self, why: str) -> None:
        """The worker is dead and reaped when this returns."""
        worker, self._worker = self._worker, None
        writer, self._writer = self._writer, None
        if worker is not None:
            worker.why = worker.why or why
            self._open = None
            worker.kill()
            await worker.ended()
        if writer is not None:
            writer.close()
