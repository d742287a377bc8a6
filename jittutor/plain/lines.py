"""Lines in and lines out: a thread that reads a line only when asked for one, and clean writing."""

import asyncio
import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING, TextIO

from jittutor.clean import clean

if TYPE_CHECKING:
    from collections.abc import Callable


class Lines:
    """The learner's end: `ask` for a line, `write` one."""

    def __init__(self, stdin: TextIO, stdout: TextIO) -> None:
        """Read from and write to these."""
        self.stdin, self.stdout = stdin, stdout
        self._wanted: SimpleQueue[Callable[[str | None], object]] = SimpleQueue()
        threading.Thread(target=self._read, name="lines", daemon=True).start()

    def write(self, line: str = "") -> None:
        """One line, whatever it holds; signs that the terminal cannot show become others."""
        encoding = getattr(self.stdout, "encoding", None) or "utf-8"
        text = clean(line)
        if not encoding.lower().startswith("utf"):
            text = text.replace("→", "->").replace("…", "...")
        self.stdout.write(text.encode(encoding, "replace").decode(encoding) + "\n")
        self.stdout.flush()

    async def ask(self, prompt: str = "> ") -> str | None:
        """A line, or None at the end of input."""
        self.stdout.write(prompt)
        self.stdout.flush()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[str | None] = loop.create_future()

        def give(line: str | None) -> None:
            if not answer.done():
                answer.set_result(line)

        # Read in a thread of its own: the worker is heard meanwhile, and no file or pipe can block it.
        self._wanted.put(lambda line: loop.call_soon_threadsafe(give, line))
        line = await answer
        if line is not None and not self.stdin.isatty():
            self.write(line)  # a transcript without what was typed could not be followed
        return line

    def _read(self) -> None:
        while True:
            give = self._wanted.get()
            try:
                line = self.stdin.readline()
            except (OSError, ValueError, UnicodeDecodeError):
                line = ""
            give(line.rstrip("\r\n") if line else None)
