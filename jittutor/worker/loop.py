"""The worker: read a request, run it, say what happened, until the tutor is gone or nothing is to do."""

import contextlib
import os
import platform
import select
import signal
import socket
import threading
import time
from collections.abc import Iterator

import jax
import jaxlib.version
import msgspec

import jittutor
from jittutor import wire
from jittutor.ending import IDLE, REPLACE
from jittutor.event import Device, Event, Printed, Ready, Stream, Versions
from jittutor.limits import limits
from jittutor.worker.leftovers import Leftovers, out_of_the_way
from jittutor.worker.prints import Descriptors
from jittutor.worker.sender import Sender
from jittutor.worker.snippet import Snippet


def versions() -> Versions:
    """The versions that results of this process belong to."""
    return Versions(
        jittutor.__version__, jax.__version__, jaxlib.version.__version__, platform.python_version()
    )


def device() -> Device:
    """The device JAX uses; the first look at it starts the backend."""
    devices = jax.devices()
    return Device(devices[0].platform, devices[0].device_kind, len(devices))


class Worker:
    """One process with the device."""

    def __init__(self, sock: socket.socket) -> None:
        """Speak over this socket."""
        self._socket = socket.socket(fileno=out_of_the_way(sock.detach()))
        self._sender = Sender(self._socket)
        self._running: Snippet | None = None
        self._pid = os.getpid()
        self._idle = limits().idle
        os.register_at_fork(after_in_child=self._sender.renew)
        self._descriptors = Descriptors(self._tell_raw)

    def serve(self) -> int:
        """Run requests one after the other; returns the exit code when this process shall end."""
        threading.Thread(target=self._guard, name="guard", daemon=True).start()
        self._sender.say(Ready(versions(), device(), os.getpid()))
        self._sender.flush()
        leftovers = Leftovers()
        for line in self._lines():
            with contextlib.suppress(msgspec.DecodeError):
                self._run(line)
            if leftovers.are_there():
                return REPLACE
        return IDLE

    def _run(self, line: bytes) -> None:
        snippet = Snippet(wire.decode_request(line), self._say, self._descriptors.drain)
        self._running = snippet
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            snippet.run()
        finally:
            if os.getpid() != self._pid:
                os._exit(0)  # a child that the code forked has come to the end of the code
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            self._running = None
            self._sender.flush()

    def _say(self, event: Event) -> None:
        """Tell what happens in this process; of a child that the code forked only what it prints."""
        if os.getpid() == self._pid or isinstance(event, Printed):
            self._sender.say(event)

    def _tell_raw(self, stream: Stream, text: str) -> None:
        """A line from C++ code or a child process."""
        snippet = self._running
        if snippet is not None:
            snippet.teller.tell(Printed(snippet.request.run, text, stream))

    def _lines(self) -> Iterator[bytes]:
        """Requests; none any more when the tutor is gone or has been silent for long."""
        buffer = bytearray()
        while data := self._receive():
            buffer += data
            while (end := buffer.find(b"\n")) >= 0:
                yield bytes(buffer[:end])
                del buffer[: end + 1]

    def _receive(self) -> bytes:
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        end = time.monotonic() + self._idle
        while (left := end - time.monotonic()) > 0:
            if poll.poll(left * 1000):
                return self._socket.recv(65536)
        return b""

    def _guard(self) -> None:
        """End the process when the tutor closes its end, whatever the main thread is doing."""
        poll = select.poll()
        poll.register(self._socket, select.POLLHUP | select.POLLRDHUP)
        while not poll.poll():
            pass
        os._exit(0)
