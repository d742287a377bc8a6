"""A terminal with a program in it: starts a command on a pty, hears every byte, draws them with pyte."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

import pyte

# Makes the pty the controlling terminal, as a shell would, then becomes the command.
_LAUNCH = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""
_DA1 = b"\x1b[c"


class Console:
    """A command on a terminal of `columns` x `rows`; `answer` is what it says when asked who it is.

    One that does not draw takes next to no time of its own: what it heard is told as it came.
    """

    def __init__(
        self,
        command: list[str],
        *,
        columns: int = 120,
        rows: int = 40,
        answer: bytes = b"\x1b[?62c",
        draws: bool = True,
        **environ: str,
    ) -> None:
        self.heard = b""
        self._answer, self._answered, self._draws = answer, False, draws
        self.screen = pyte.Screen(columns or 80, rows or 24)
        self._stream = pyte.ByteStream(self.screen)
        self.far, near = pty.openpty()
        self.resize(columns, rows)
        self.modes = termios.tcgetattr(near)
        self._near = near
        self.process = subprocess.Popen(
            [sys.executable, "-c", _LAUNCH, *command],
            stdin=near,
            stdout=near,
            stderr=near,
            start_new_session=True,
            env=os.environ | environ,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(10)
        os.close(self._near)
        os.close(self.far)

    @property
    def text(self) -> str:
        """The screen as lines of text; of one that does not draw, all that was heard."""
        if not self._draws:
            return self.heard.decode("utf-8", "replace")
        return "\n".join(line.rstrip() for line in self.screen.display)

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self.far, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size; the program gets its signal."""
        fcntl.ioctl(self.far, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        if columns and rows:
            self.screen.resize(rows, columns)

    def until(self, what: str | Callable[[], object], seconds: float = 20) -> None:
        """Listen until the text is on the screen (or the function says yes)."""
        ready: Callable[[], object] = (lambda: what in self.text) if isinstance(what, str) else what
        end = time.monotonic() + seconds
        while not ready():
            left = end - time.monotonic()
            assert left > 0, f"not seen in {seconds} s: {what}\n{self.text}\n{self.heard[-2000:]!r}"
            self._hear(min(left, 0.1))

    def end(self, seconds: float = 20) -> int:
        """Listen until the program has ended; its exit code."""
        self.until(lambda: self.process.poll() is not None, seconds)
        while self._hear(0.05):
            pass
        return self.process.returncode

    def last_modes(self) -> dict[int, bool]:
        """Each private mode that was ever switched, and whether it is on now."""
        modes: dict[int, bool] = {}
        for piece in self.heard.split(b"\x1b[?")[1:]:
            number = piece[: len(piece) - len(piece.lstrip(b"0123456789;"))]
            switch = piece[len(number) : len(number) + 1]
            if switch in (b"h", b"l"):
                for one in number.split(b";"):
                    modes[int(one)] = switch == b"h"
        return modes

    def _hear(self, seconds: float) -> bool:
        if not select.select([self.far], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.far, 65536)
        except OSError:  # the other side is gone
            return False
        self.heard += data
        if self._draws:
            self._stream.feed(_drawable(data))
        if not self._answered and _DA1 in self.heard:
            self._answered = True
            os.write(self.far, self._answer)
        return True


def _drawable(data: bytes) -> bytes:
    """What pyte understands: it draws the strings of DCS, and the `u` of kitty keys, as text."""
    return re.sub(rb"\x1bP.*?\x1b\\|\x1b\[[<>=?][\d;]*[a-zA-Z](?<![hl])", b"", data, flags=re.DOTALL)


def jittutor(*arguments: str) -> list[str]:
    """The command, as it is installed beside this Python."""
    return [str(Path(sys.executable).with_name("jittutor")), *arguments]
