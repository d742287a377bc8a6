"""Imports JAX once, touches no device, and forks a fresh worker in milliseconds whenever it is asked.

Run as `python -m jittutor.worker.nursery FD`: FD is a Unix socket. A byte with a socket attached asks for
a worker on that socket; answered by a JSON line `{"pid": …}`, later `{"pid": …, "exit": …}` when it ended
(negative: the signal that ended it), with `"why": …` when it was ended for what it used. When the socket
closes, the nursery ends with its workers and all they started.
"""

import array
import contextlib
import gc
import json
import os
import select
import signal
import socket
import sys
import warnings

from jittutor.limits import limits
from jittutor.worker import keeper


class Nursery:
    """Forks workers, looks after them, and says which ended."""

    def __init__(self, link: socket.socket) -> None:
        """Speak with the tutor over this socket."""
        self._link = link
        self._keeper = keeper.Keeper(limits())
        self._children: dict[int, str | None] = {}
        """The workers that live, and why one was ended."""

    def serve(self) -> None:
        """Until the tutor closes the socket."""
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        os.set_blocking(reader, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(writer)
        poll = select.poll()
        poll.register(self._link, select.POLLIN)
        poll.register(reader, select.POLLIN)
        pause: float | None = None
        while True:
            for fd, _ in poll.poll(None if pause is None else pause * 1000):
                if fd == reader:
                    with contextlib.suppress(BlockingIOError):
                        os.read(reader, 1024)
                    self._reap()
                elif not self._answer():
                    return
            pause = self._look()

    def end(self) -> None:
        """Kill what lives."""
        for pid in self._children:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)
        keeper.sweep()

    def _look(self) -> float | None:
        """See how much the workers use; the seconds until the next look."""
        pauses = []
        for pid in self._children:
            pause, why = self._keeper.look(pid)
            pauses.append(pause)
            if why is not None:
                self._children[pid] = why
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(pid, signal.SIGKILL)
        return min(pauses, default=None)

    def _answer(self) -> bool:
        """Fork a worker for the socket that came; False when the tutor is gone."""
        try:
            data, descriptors = _receive(self._link)
        except OSError:
            return False
        if not data:
            return False
        for fd in descriptors:
            try:
                pid = _fork()
            except OSError as error:
                self._say({"pid": 0, "why": f"no process can be started: {error.strerror}"})
                os.close(fd)
                continue
            if pid == 0:
                _become_worker(self._link, fd)
            os.close(fd)
            # The child does it too. Here, since who hears of it may kill its group before the child has run.
            with contextlib.suppress(OSError):
                os.setpgid(pid, pid)
            self._children[pid] = None
            self._say({"pid": pid})
        return True

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid not in self._children:
                continue  # left behind by a worker, and ended since
            why = self._children.pop(pid)
            keeper.sweep()
            self._say({"pid": pid, "exit": os.waitstatus_to_exitcode(status), "why": why})

    def _say(self, message: dict[str, int | str | None]) -> None:
        with contextlib.suppress(OSError):
            self._link.sendall(json.dumps(message).encode() + b"\n")


def main() -> None:
    """Serve the socket whose descriptor is the first argument."""
    link = socket.socket(fileno=int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # While JAX is imported nobody listens to the socket. Later the tutor's end is heard there, and swept up.
    keeper.die_with_parent(really=True)
    # What an import makes stays. To look for garbage in it meanwhile costs a fifteenth more, and to look
    # later makes each worker copy the memory that it shares with this process.
    gc.disable()
    from jittutor.worker import loop  # noqa: PLC0415, F401 - the slow import is this process's purpose

    gc.freeze()
    gc.enable()
    keeper.die_with_parent(really=False)
    nursery = Nursery(link)
    try:
        nursery.serve()
    finally:
        nursery.end()
    # Nothing is left to tidy up, and a Python that has JAX takes a tenth of a second to do it.
    os._exit(0)


def _receive(link: socket.socket) -> tuple[bytes, list[int]]:
    found = array.array("i")
    data, ancillary, _, _ = link.recvmsg(1, socket.CMSG_SPACE(8 * found.itemsize))
    for level, kind, content in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            found.frombytes(content[: len(content) - len(content) % found.itemsize])
    return data, list(found)


def _fork() -> int:
    with warnings.catch_warnings():
        # JAX warns of forking with threads; it has started none before its backend.
        warnings.simplefilter("ignore")
        return os.fork()


def _become_worker(link: socket.socket, fd: int) -> None:
    """The life of the forked child; never returns."""
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setpgid(0, 0)
        keeper.confine()
        link.close()
        from jittutor.worker.loop import Worker  # noqa: PLC0415 - imported before the fork

        code = Worker(socket.socket(fileno=fd)).serve()
    finally:
        os._exit(code)


if __name__ == "__main__":
    main()
