"""Printed pieces -> the lines a terminal would show, in a ring that cannot grow without end."""

from collections import deque
from collections.abc import Iterable, Iterator

import msgspec

from jittutor.event import Printed

LINES = 5000
CUT = 10_000
"""Longest line that is kept, in characters."""


class Line(msgspec.Struct):
    """A line and where it came from; `number` counts all lines of the run from 0."""

    number: int
    text: str
    stream: str
    during: str
    line: int | None
    function: str | None
    cut: int = 0

    @property
    def where(self) -> str:
        """`f:3` while f was traced, `:7` while the code ran."""
        place = "" if self.line is None else f":{self.line}"
        return (self.function or "") + place if self.during == "trace" else place


class Output:
    """What a run printed, oldest first."""

    def __init__(self) -> None:
        """Nothing is printed yet."""
        self.lines: deque[Line] = deque(maxlen=LINES)
        self.counts = {"trace": 0, "run": 0}
        self.widest = 0
        self.where = 0
        self._total = 0
        self._open: Line | None = None
        self._return = False

    @property
    def dropped(self) -> int:
        """Lines that the ring no longer has."""
        return self._total - len(self.lines)

    def add(self, pieces: Iterable[Printed]) -> None:
        """Take in more output."""
        for piece in pieces:
            self._add(piece)

    def _add(self, piece: Printed) -> None:
        head, newline, rest = piece.text.partition("\n")
        while True:
            self._write(piece, head)
            if newline:
                self._open, self._return = None, False
            if not rest:
                break
            head, newline, rest = rest.partition("\n")

    def _write(self, piece: Printed, text: str) -> None:
        line = self._open
        if line is None or (line.stream, line.during) != (piece.stream, piece.during):
            line = self._start(piece)
        if "\r" in text or self._return:
            self._overwrite(line, text)
        else:
            self._set(line, line.text + text if line.text else text)

    def _start(self, piece: Printed) -> Line:
        line = Line(self._total, "", piece.stream, piece.during, piece.line, piece.function)
        self.lines.append(line)
        self._total += 1
        self.counts[piece.during] += 1
        self.where = max(self.where, len(line.where))
        self._open, self._return = line, False
        return line

    def _overwrite(self, line: Line, text: str) -> None:
        """A carriage return goes back to the start of the line; what follows covers what was there."""
        first, *parts = text.split("\r")
        shown = first + line.text[len(first) :] if self._return else line.text + first
        self._return = self._return and not first
        for part in parts:
            self._return = not part
            shown = part + shown[len(part) :]
        self._set(line, shown)

    def _set(self, line: Line, text: str) -> None:
        if len(text) > CUT:
            line.cut += len(text) - CUT
            text = text[:CUT]
        line.text = text
        self.widest = max(self.widest, len(text))

    def plain(self) -> Iterator[str]:
        """The lines as text, marked as the pane marks them."""
        for line in self.lines:
            yield f"{mark(line)} {line.where:<{self.where}}  {line.text}"


def mark(line: Line) -> str:
    """Two letters: T while tracing or R while running, and = for a value, ! for stderr."""
    return ("T" if line.during == "trace" else "R") + {"value": "=", "stderr": "!"}.get(line.stream, " ")
