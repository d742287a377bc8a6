"""Imports JAX once, touches no device, and forks a fresh worker in milliseconds whenever it is asked.

Run as `python -m jittutor.worker.nursery FD`: FD is a Unix socket. A byte with a socket attached asks for
a worker on that socket; answered by a JSON line `{"pid": …}`, later `{"pid": …, "exit": …}` when it ended
(negative: the signal that ended it). When the socket closes, the nursery ends with its workers.
"""

import array
import contextlib
import ctypes
import json
import os
import select
import signal
import socket
import sys
import warnings

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Serve the socket whose descriptor is the first argument."""
    link = socket.socket(fileno=int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from jittutor.worker import loop  # noqa: PLC0415, F401 - the slow import is this process's purpose

    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    os.set_blocking(reader, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writer)
    poll = select.poll()
    poll.register(link, select.POLLIN)
    poll.register(reader, select.POLLIN)
    children: set[int] = set()
    try:
        while True:
            for fd, _ in poll.poll():
                if fd == reader:
                    with contextlib.suppress(BlockingIOError):
                        os.read(reader, 1024)
                    _reap(link, children)
                elif not _answer(link, children):
                    return
    finally:
        for pid in children:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)


def _answer(link: socket.socket, children: set[int]) -> bool:
    """Fork a worker for the socket that came; False when the tutor is gone."""
    data, descriptors = _receive(link)
    if not data:
        return False
    for fd in descriptors:
        with warnings.catch_warnings():
            # JAX warns of forking with threads; it has started none before its backend.
            warnings.simplefilter("ignore")
            pid = os.fork()
        if pid == 0:
            _become_worker(link, fd)
        os.close(fd)
        children.add(pid)
        _say(link, {"pid": pid})
    return True


def _receive(link: socket.socket) -> tuple[bytes, list[int]]:
    found = array.array("i")
    data, ancillary, _, _ = link.recvmsg(1, socket.CMSG_SPACE(8 * found.itemsize))
    for level, kind, content in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            found.frombytes(content[: len(content) - len(content) % found.itemsize])
    return data, list(found)


def _become_worker(link: socket.socket, fd: int) -> None:
    """The life of the forked child; never returns."""
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setpgid(0, 0)
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        link.close()
        from jittutor.worker.loop import Worker  # noqa: PLC0415 - imported before the fork

        Worker(socket.socket(fileno=fd)).serve()
        code = 0
    finally:
        os._exit(code)


def _reap(link: socket.socket, children: set[int]) -> None:
    for pid in list(children):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            children.discard(pid)
            _say(link, {"pid": pid, "exit": os.waitstatus_to_exitcode(status)})


def _say(link: socket.socket, message: dict[str, int]) -> None:
    with contextlib.suppress(OSError):
        link.sendall(json.dumps(message).encode() + b"\n")


if __name__ == "__main__":
    main()
