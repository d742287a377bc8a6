"""The worker: read a request, run it, say what happened, until the tutor is gone."""

import contextlib
import os
import platform
import select
import signal
import socket
import threading
from collections.abc import Iterator

import jax
import jaxlib.version
import msgspec

import jittutor
from jittutor import wire
from jittutor.event import Device, Printed, Ready, Stream, Versions
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
        self._socket = sock
        self._sender = Sender(sock)
        self._running: Snippet | None = None
        Descriptors(self._tell_raw)

    def serve(self) -> None:
        """Run requests one after the other; returns when the tutor closes the socket."""
        threading.Thread(target=self._guard, name="guard", daemon=True).start()
        self._sender.say(Ready(versions(), device(), os.getpid()))
        self._sender.flush()
        for line in self._lines():
            with contextlib.suppress(msgspec.DecodeError):
                self._run(line)

    def _run(self, line: bytes) -> None:
        snippet = Snippet(wire.decode_request(line), self._sender.say)
        self._running = snippet
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            snippet.run()
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            self._running = None
            self._sender.flush()

    def _tell_raw(self, stream: Stream, text: str) -> None:
        """A line from C++ code or a child process."""
        snippet = self._running
        if snippet is not None:
            snippet.teller.tell(Printed(snippet.request.run, text, stream))

    def _lines(self) -> Iterator[bytes]:
        buffer = bytearray()
        while data := self._receive():
            buffer += data
            while (end := buffer.find(b"\n")) >= 0:
                yield bytes(buffer[:end])
                del buffer[: end + 1]

    def _receive(self) -> bytes:
        while True:
            try:
                return self._socket.recv(65536)
            except InterruptedError:
                continue

    def _guard(self) -> None:
        """End the process when the tutor closes its end, whatever the main thread is doing."""
        poll = select.poll()
        poll.register(self._socket, select.POLLHUP | select.POLLRDHUP)
        while not poll.poll():
            pass
        os._exit(0)
