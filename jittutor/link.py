"""Starts the worker process, sends it runs, hears its events, interrupts and replaces it.

Everything happens on one asyncio loop. The worker is forked by a nursery that has imported JAX, so that a
fresh one costs milliseconds. At most one worker lives at a time: the old one is dead and reaped before
the new one may touch the device.
"""

import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
import tempfile
from collections.abc import AsyncIterator
from typing import IO, Any

import msgspec

from jittutor import wire
from jittutor.event import Ended, Event, Ready, Run

WORDS = {
    signal.SIGKILL: "it was killed (out of memory?)",
    signal.SIGSEGV: "it crashed with a segmentation fault",
    signal.SIGABRT: "it aborted",
}


class Link:
    """The tutor's end of the line to the worker."""

    def __init__(self, *, cpu: bool = False) -> None:
        """Prepare; nothing starts before the first `send` or `events`.

        Args:
            cpu: keep JAX on the CPU.
        """
        self._cpu = cpu
        self._heard: asyncio.Queue[Event] = asyncio.Queue()
        self._nursery: asyncio.subprocess.Process | None = None
        self._control: asyncio.StreamWriter | None = None
        self._door: socket.socket | None = None
        self._log: IO[bytes] | None = None
        self._worker: asyncio.StreamWriter | None = None
        self._pid: int | None = None
        self._exits: dict[int, asyncio.Future[int]] = {}
        self._starting = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._stopping = False
        self._closed = False

    # ------------------------------------------------------------ what the tutor uses

    async def events(self) -> AsyncIterator[Event]:
        """All events, for ever; starts a worker if there is none."""
        self._later(self._start())
        while not self._closed:
            yield await self._heard.get()

    def send(self, request: Run) -> None:
        """Have the worker run this; a worker is started if there is none."""
        self._later(self._send(request))

    def interrupt(self) -> None:
        """Press ctrl+c in the worker: Python stops, what it has said stays."""
        if self._pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGINT)

    async def restart(self) -> None:
        """Kill the worker and start a fresh one; an Ended is heard for the old one."""
        async with self._starting:
            await self._kill()
        await self._start()

    async def close(self) -> None:
        """End worker and nursery; nothing of them is left."""
        self._closed = True
        async with self._starting:
            self._stopping = True
            await self._kill()
            if self._control is not None:
                self._control.close()
            if self._door is not None:
                self._door.close()
            if self._nursery is not None:
                try:
                    await asyncio.wait_for(self._nursery.wait(), 2)
                except TimeoutError:
                    self._nursery.kill()
                    await self._nursery.wait()
            if self._log is not None:
                self._log.close()
        # Only now: while they lived they heard how the worker ended.
        for task in list(self._tasks):
            task.cancel()

    @property
    def pid(self) -> int | None:
        """The worker's process id while it lives."""
        return self._pid

    # ------------------------------------------------------------ how it does it

    def _later(self, what: Any) -> None:
        task = asyncio.get_running_loop().create_task(what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send(self, request: Run) -> None:
        await self._start()
        if self._worker is not None:
            self._worker.write(wire.encode(request))

    async def _start(self) -> None:
        async with self._starting:
            if self._worker is not None or self._closed:
                return
            await self._start_nursery()
            assert self._door is not None
            mine, theirs = socket.socketpair()
            with theirs:
                socket.send_fds(self._door, [b"w"], [theirs.fileno()])
            reader, writer = await asyncio.open_unix_connection(sock=mine, limit=2**30)
            self._worker = writer
            self._later(self._listen(reader, writer))

    async def _start_nursery(self) -> None:
        if self._nursery is not None and self._nursery.returncode is None:
            return
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the link
        mine, theirs = socket.socketpair()
        with theirs:
            self._nursery = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "jittutor.worker.nursery",
                str(theirs.fileno()),
                pass_fds=(theirs.fileno(),),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                start_new_session=True,
                env=environment(cpu=self._cpu),
            )
        # asyncio hides the call that sends a descriptor: keep a door of our own to the same socket.
        self._door = mine.dup()
        reader, self._control = await asyncio.open_unix_connection(sock=mine)
        self._later(self._mind(reader))

    async def _mind(self, reader: asyncio.StreamReader) -> None:
        """Hear from the nursery which workers were born and which ended."""
        async for message in _messages(reader):
            pid = message["pid"]
            future = self._exits.setdefault(pid, asyncio.get_running_loop().create_future())
            if "exit" in message:
                if not future.done():
                    future.set_result(message["exit"])
            else:
                self._pid = pid
        for future in self._exits.values():
            if not future.done():
                future.set_result(-signal.SIGKILL)

    async def _listen(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Hear one worker until it ends."""
        with contextlib.suppress(ConnectionError):
            while line := await reader.readline():
                try:
                    event = wire.decode_event(line)
                except msgspec.DecodeError:
                    continue
                if isinstance(event, Ready):
                    self._pid = event.pid
                await self._heard.put(event)
        writer.close()
        pid, killed = self._pid, self._worker is not writer
        code = await self._exit_code(pid)
        if not killed:
            self._worker = self._pid = None
        await self._heard.put(Ended(self._words(code, stopped=killed), code))

    async def _exit_code(self, pid: int | None) -> int | None:
        if pid is None:
            return self._nursery.returncode if self._nursery else None
        future = self._exits.setdefault(pid, asyncio.get_running_loop().create_future())
        try:
            return await asyncio.wait_for(asyncio.shield(future), 5)
        except TimeoutError:
            return None

    def _words(self, code: int | None, *, stopped: bool) -> str:
        if stopped:
            return "the worker was stopped and replaced"
        if code is not None and code < 0:
            number = signal.Signals(-code)
            return f"the worker ended: {WORDS.get(number, f'signal {number.name}')}"
        if self._pid is None and (why := self._last_words()):
            return f"the worker could not start: {why}"
        return f"the worker ended with exit code {code}"

    def _last_words(self) -> str:
        if self._log is None:
            return ""
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""

    async def _kill(self) -> None:
        """The worker is dead and reaped when this returns."""
        worker, self._worker = self._worker, None
        pid, self._pid = self._pid, None
        if pid is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)
            await self._exit_code(pid)
        if worker is not None:
            worker.close()


async def _messages(reader: asyncio.StreamReader) -> AsyncIterator[dict[str, int]]:
    with contextlib.suppress(ConnectionError):
        while line := await reader.readline():
            yield json.loads(line)


def environment(*, cpu: bool) -> dict[str, str]:
    """The worker's environment: no terminal, no memory held in advance, no cache that hides compiles."""
    changed = {
        "TERM": "dumb",
        "NO_COLOR": "1",
        "PYTHONUNBUFFERED": "1",
        "JAX_ENABLE_COMPILATION_CACHE": "false",
        "TF_CPP_MIN_LOG_LEVEL": os.environ.get("TF_CPP_MIN_LOG_LEVEL", "2"),
    }
    if not {"XLA_PYTHON_CLIENT_PREALLOCATE"} & set(os.environ):
        changed["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    if cpu:
        changed["JAX_PLATFORMS"] = "cpu"
    return {**os.environ, **changed}
