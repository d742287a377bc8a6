"""Ask the terminal about itself: four questions, answered within milliseconds or not at all."""

import contextlib
import os
import re
import select
import termios
import time
import tty
from dataclasses import dataclass
from typing import Self

QUESTIONS = b"\x1bP+q524742\x1b\\\x1b[>0q\x1b[?u\x1b[c"
"""24-bit colour (XTGETTCAP RGB), name (XTVERSION), kitty keys; last what every terminal answers (DA1)."""
# All that a question made a terminal print by mistake is on this line.
_WIPE = b"\r\x1b[K"
_LIMIT, _LIMIT_ONCE_HEARD = 0.3, 1.0


@dataclass(frozen=True)
class Answers:
    """What the terminal said about itself; `raw` is every byte that came."""

    raw: bytes = b""
    seconds: float = 0.0

    @property
    def complete(self) -> bool:
        """Whether the last question was answered, and so all that ever will be."""
        return re.search(rb"\x1b\[\?[\d;]*c", self.raw) is not None

    @property
    def rgb(self) -> bool:
        """Whether it claims 24-bit colour."""
        return re.search(rb"\x1bP1\+r524742", self.raw) is not None

    @property
    def kitty_keys(self) -> bool:
        """Whether it can tell ctrl+enter from Enter."""
        return re.search(rb"\x1b\[\?\d+u", self.raw) is not None

    @property
    def name(self) -> str:
        """Its name and version, or an empty string."""
        found = re.search(rb"\x1bP>\|([\x20-\x7e]*)(?:\x1b\\|\x07)", self.raw)
        return found[1].decode() if found else ""


class Asking:
    """The questions on their way: what the learner waits for anyway can be done before the answers are read.

    Use it as a context manager: at its end the terminal is as it was, and no late answer becomes typed text.
    """

    def __init__(self, stdin: int = 0, out: int = 2) -> None:
        """Ask through these two file descriptors."""
        self.stdin, self.out = stdin, out
        self._before: list[object] | None = None
        self._start = 0.0
        self._answers: Answers | None = None

    def __enter__(self) -> Self:
        """Send the questions, unless there is nobody to ask or the shell has sent us to the background."""
        self._start = time.monotonic()
        with contextlib.suppress(OSError, termios.error):
            if os.isatty(self.out) and os.isatty(self.stdin) and os.tcgetpgrp(self.stdin) == os.getpgrp():
                before = termios.tcgetattr(self.stdin)
                tty.setcbreak(self.stdin, termios.TCSANOW)
                self._before = before
                os.write(self.out, QUESTIONS)
        return self

    def answers(self) -> Answers:
        """What came: waits 0.3 s at most when the terminal is silent, 1 s once it has begun to answer."""
        if self._answers is None:
            raw = b""
            with contextlib.suppress(OSError):  # the terminal went away; the next read will tell
                while self._before and not Answers(raw).complete:
                    left = self._start + (_LIMIT_ONCE_HEARD if raw else _LIMIT) - time.monotonic()
                    if not select.select([self.stdin], [], [], max(left, 0))[0]:
                        break
                    if not (more := os.read(self.stdin, 4096)):
                        break
                    raw += more
            self._answers = Answers(raw, time.monotonic() - self._start)
        return self._answers

    def __exit__(self, *_: object) -> None:
        """Wipe what a question may have left on the line, forget unread input, put the line mode back."""
        if self._before:
            self.answers()
            with contextlib.suppress(OSError, termios.error):
                os.write(self.out, _WIPE)
                termios.tcflush(self.stdin, termios.TCIFLUSH)
                termios.tcsetattr(self.stdin, termios.TCSANOW, self._before)  # type: ignore[arg-type] # mixed kinds
