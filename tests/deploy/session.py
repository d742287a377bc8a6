"""One `kubectl exec` as a container runtime serves it: channels on one side, a process on the other.

As under containerd: with a terminal TERM is xterm whatever the Pod says, the terminal has no size until the
client's first resize message, and a process whose client is gone lives on, with nobody who reads its output.
"""

import asyncio
import contextlib
import fcntl
import json
import os
import pty
import signal
import struct
import termios
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

STDIN, STDOUT, STDERR, ERROR, RESIZE, CLOSE = 0, 1, 2, 3, 4, 255
"""The first byte of each message says to which channel it belongs (v5.channel.k8s.io)."""

type Say = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Wanted:
    """What the client asked for, and where it shall run."""

    command: list[str]
    tty: bool
    stdin: bool
    environment: dict[str, str]
    home: str
    idle: float = 0
    hangup: bool = False


def failure(code: int, reason: str, message: str, **more: Any) -> dict[str, Any]:
    """Kubernetes' way to say that something did not work."""
    return {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "message": message, "reason": reason, "code": code, **more}  # fmt: skip


def ended(code: int) -> dict[str, Any]:
    """The last message of a session: how the process ended."""
    if code == 0:
        return {"metadata": {}, "status": "Success"}
    shown = str(code if code > 0 else 128 - code)
    return failure(500, "NonZeroExitCode", f"command terminated with exit code {shown}",
                   details={"causes": [{"reason": "ExitCode", "message": shown}]})  # fmt: skip


@dataclass
class Session:
    """From the process's start to its end, or to the client's."""

    socket: Any
    wanted: Wanted
    say: Say
    _master: int = -1
    _process: asyncio.subprocess.Process | None = None
    _output: asyncio.Queue[bytes] = field(default_factory=asyncio.Queue)

    async def run(self) -> None:
        """Serve until one side ends."""
        try:
            process = self._process = await self._start()
        except OSError as error:
            await self._send(ERROR, json.dumps(failure(500, "InternalError", f"exec: {error}")).encode())
            return
        self.say({"did": "start", "pid": process.pid, "command": self.wanted.command, "tty": self.wanted.tty})
        pumps = [asyncio.ensure_future(pump) for pump in self._pumps(process)]
        listening = asyncio.ensure_future(self._listen(process))
        waiting = asyncio.ensure_future(process.wait())
        await asyncio.wait([listening, waiting], return_when=asyncio.FIRST_COMPLETED)
        if waiting.done():
            await asyncio.gather(*pumps, return_exceptions=True)
            self.say({"did": "exit", "pid": process.pid, "code": process.returncode})
            with contextlib.suppress(ConnectionError):
                await self._send(ERROR, json.dumps(ended(waiting.result())).encode())
        else:
            self._leave(process, pumps)
        listening.cancel()

    def end(self) -> None:
        """Kill whatever is left of it: the test is over."""
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def cut(self) -> None:
        """Break the line, as a proxy or a lost network does."""
        if self._process is not None and self._process.returncode is None:
            self.say({"did": "cut", "pid": self._process.pid})
            self.socket._req.transport.abort()

    async def _start(self) -> asyncio.subprocess.Process:
        wanted, slave = self.wanted, asyncio.subprocess.PIPE
        if wanted.tty:
            self._master, slave = pty.openpty()
        try:
            return await asyncio.create_subprocess_exec(
                *wanted.command, stdin=slave, stdout=slave, stderr=slave, cwd=wanted.home,
                env=wanted.environment, start_new_session=True,
                preexec_fn=(lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)) if wanted.tty else None,
            )  # fmt: skip
        finally:
            if wanted.tty:
                os.close(slave)

    def _pumps(self, process: asyncio.subprocess.Process) -> list[Any]:
        if self.wanted.tty:
            asyncio.get_running_loop().add_reader(self._master, self._read)
            return [self._pump(STDOUT, self._output.get)]
        assert process.stdin
        if not self.wanted.stdin:
            process.stdin.close()
        assert process.stdout
        assert process.stderr
        out, err = process.stdout, process.stderr
        return [self._pump(STDOUT, lambda: out.read(32768)), self._pump(STDERR, lambda: err.read(32768))]

    def _read(self) -> None:
        try:
            data = os.read(self._master, 32768)
        except OSError:  # the last process closed the terminal
            data = b""
        if not data:
            asyncio.get_running_loop().remove_reader(self._master)
        self._output.put_nowait(data)

    async def _pump(self, channel: int, read: Callable[[], Any]) -> None:
        while data := await read():
            await self._send(channel, data)

    async def _send(self, channel: int, data: bytes) -> None:
        await self.socket.send_bytes(bytes([channel]) + data)

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        """Take what the client sends, until it is gone."""
        while True:
            try:
                message = await asyncio.wait_for(self.socket.receive(), self.wanted.idle or None)
            except TimeoutError:
                self.cut()
                return
            if message.type.name != "BINARY":
                return
            await self._take(process, message.data[0], message.data[1:])

    async def _take(self, process: asyncio.subprocess.Process, channel: int, data: bytes) -> None:
        assert process.stdin or self.wanted.tty
        if channel == RESIZE and self.wanted.tty:
            size = json.loads(data)
            shape = struct.pack("HHHH", size["Height"], size["Width"], 0, 0)
            fcntl.ioctl(self._master, termios.TIOCSWINSZ, shape)
            self.say({"did": "resize", "pid": process.pid, "size": [size["Width"], size["Height"]]})
        elif channel == STDIN and data and self.wanted.tty:
            await asyncio.get_running_loop().run_in_executor(None, os.write, self._master, data)
        elif channel == STDIN and data and process.stdin:
            process.stdin.write(data)
            await process.stdin.drain()
        elif channel == CLOSE and process.stdin:
            process.stdin.close()

    def _leave(self, process: asyncio.subprocess.Process, pumps: list[asyncio.Future[None]]) -> None:
        """The client is gone: the process hears nothing of it, unless the runtime hangs up."""
        if self.wanted.tty:
            asyncio.get_running_loop().remove_reader(self._master)
            if self.wanted.hangup:
                os.close(self._master)
        for pump in pumps:
            pump.cancel()
        self.say({"did": "left", "pid": process.pid})
