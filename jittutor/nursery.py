"""The nursery seen from the tutor: a process that has imported JAX and forks workers when asked."""

import asyncio
import contextlib
import json
import os
import signal
import socket
from collections.abc import Mapping
from subprocess import Popen
from typing import IO, Any

from jittutor.spawn import Spawned, spawn

PATIENCE = 10.0
"""Seconds in which a killed worker is reported as ended."""


class NurseryError(Exception):
    """No worker can be had; one clause that says why."""


class Child:
    """One worker process."""

    def __init__(self) -> None:
        """Not born yet."""
        loop = asyncio.get_running_loop()
        self.born: asyncio.Future[int] = loop.create_future()
        self._ended: asyncio.Future[int | None] = loop.create_future()
        self.pid: int | None = None
        self.why: str | None = None
        """Why it was ended, when it was."""

    def hear(self, message: Mapping[str, Any]) -> None:
        """What the nursery says of it."""
        if "exit" in message:
            self.why = self.why or message.get("why")
            if not self._ended.done():
                self._ended.set_result(message["exit"])
        elif not self.born.done():
            self.pid = message["pid"] or None
            if self.pid is None:
                self.born.set_exception(NurseryError(message.get("why") or "no process can be started"))
            else:
                self.born.set_result(self.pid)

    def lose(self, code: int | None, why: str) -> None:
        """The nursery is gone, and so is the worker."""
        if not self.born.done():
            self.born.set_exception(NurseryError(why))
        if not self._ended.done():
            self.why = self.why or why
            self._ended.set_result(code)

    async def ended(self) -> int | None:
        """The exit code, once it is known; None when nobody tells."""
        try:
            return await asyncio.wait_for(asyncio.shield(self._ended), PATIENCE)
        except TimeoutError:
            return None

    def signal(self, number: signal.Signals) -> None:
        """Send a signal, if it lives."""
        if self.pid is not None and not self._ended.done():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it and what is in its process group."""
        if self.pid is not None and not self._ended.done():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)

    def lives(self) -> bool:
        """Whether the kernel still knows it."""
        try:
            os.kill(self.pid or 0, 0)
        except OSError:
            return False
        return self.pid is not None


class Nursery:
    """Started when the first worker is asked for, and again when it is gone."""

    def __init__(self, *, cpu: bool, lock: int = -1, first: Spawned | None = None) -> None:
        """Prepare.

        Args:
            cpu: keep JAX on the CPU.
            lock: a descriptor that it and its workers keep open as long as they live.
            first: the process that is taken before another is started.
        """
        self._cpu, self._lock, self._first = cpu, lock, first
        self._process: Popen[bytes] | None = None
        self._control: asyncio.StreamWriter | None = None
        self._door: socket.socket | None = None
        self._log: IO[bytes] | None = None
        self._log_start = 0
        self._children: dict[int, Child] = {}
        self._unborn: list[Child] = []
        self._minding: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """Its process id."""
        return self._process.pid if self._process else None

    async def fork(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter, Child]:
        """A fresh worker and the two ends of its line.

        Raises:
            NurseryError: there is none to be had.
            OSError: the machine lets us start no process.
        """
        if self._minding is None or self._minding.done():
            await self._start()
        assert self._door is not None
        self._log_start = os.fstat(self._log.fileno()).st_size if self._log else 0
        child = Child()
        self._unborn.append(child)
        mine, theirs = socket.socketpair()
        try:
            with theirs:
                socket.send_fds(self._door, [b"w"], [theirs.fileno()])
            await child.born
        except BaseException:
            mine.close()
            raise
        reader, writer = await asyncio.open_unix_connection(sock=mine, limit=2**30)
        return reader, writer, child

    async def _start(self) -> None:
        self._forget()
        self._process, mine, self._log = self._first or spawn(cpu=self._cpu, lock=self._lock)
        self._first = None
        # asyncio hides the call that sends a descriptor: keep a door of our own to the same socket.
        self._door = mine.dup()
        reader, self._control = await asyncio.open_unix_connection(sock=mine)
        self._minding = asyncio.get_running_loop().create_task(self._mind(reader, self._process))

    async def _mind(self, reader: asyncio.StreamReader, process: Popen[bytes]) -> None:
        """Hear which workers were born and which ended, until the nursery ends."""
        with contextlib.suppress(ConnectionError):
            while line := await reader.readline():
                message = json.loads(line)
                if "exit" not in message:
                    child = self._unborn.pop(0)
                    self._children[message["pid"]] = child
                else:
                    child = self._children.pop(message["pid"])
                child.hear(message)
        code = await asyncio.to_thread(process.wait)
        left, self._unborn = [*self._unborn, *self._children.values()], []
        self._children = {}
        for child in left:
            child.lose(-signal.SIGKILL, self.last_words() or f"the process that starts it ended ({code})")

    def last_words(self) -> str:
        """The last line that the nursery, or a worker that did not become ready, wrote to stderr."""
        if self._log is None or self._log.closed:
            return ""
        # Not by seek and read: the place in the file is shared with those who write.
        size = os.fstat(self._log.fileno()).st_size
        start = max(self._log_start, size - 65536)
        lines = os.pread(self._log.fileno(), size - start, start).decode("utf-8", "replace").split("\n")
        lines = [line for line in lines if line.strip()]
        return lines[-1] if lines else ""

    async def close(self) -> None:
        """End it, with whatever its workers have left."""
        if self._first is not None:
            await self._start()
        if self._control is not None:
            self._control.close()
        if self._door is not None:
            self._door.close()
        if self._process is not None and self._minding is not None:
            # Its line is closed: it ends, and whoever minds it ends with it.
            done, _ = await asyncio.wait({self._minding}, timeout=PATIENCE)
            if not done:
                self._process.kill()
            await self._minding
        self._forget()

    def _forget(self) -> None:
        for thing in (self._control, self._door, self._log):
            if thing is not None:
                thing.close()
        self._control = self._door = self._log = None
