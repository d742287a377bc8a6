"""Printed pieces -> the lines a terminal would show, in a ring that cannot grow without end."""

from collections import deque
from collections.abc import Iterable, Iterator

import msgspec

from jittutor.event import Printed
from jittutor.study import sgr

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
    looks: sgr.Looks = ()

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
        self._column: int | None = None
        """Where the next letter goes after a carriage return; None is the end of the line."""
        self._look: sgr.Look = ""
        self._half = ""
        """The start of a sequence whose rest is still to come."""

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
            self._write(piece, head, ends=bool(newline))
            if newline:
                self._open, self._column = None, None
            if not rest:
                break
            head, newline, rest = rest.partition("\n")

    def _write(self, piece: Printed, text: str, *, ends: bool) -> None:
        line = self._open
        if line is None or (line.stream, line.during) != (piece.stream, piece.during):
            line = self._start(piece)
        if self._half or sgr.is_in(text):
            # A sequence may come in two parts; one that a newline cuts is no sequence.
            text = self._half + text
            begun = len(text) if ends else sgr.begun(text)
            text, self._half = text[:begun], text[begun:]
        elif not (self._look or line.looks or self._column is not None or "\r" in text):
            self._set(line, line.text + text if line.text else text)
            return
        # A value is shown by us, not printed by the program: colours left open are not for it.
        pieces = list(sgr.taken_apart(text, "" if piece.stream == "value" else self._look))
        for part, look in pieces:
            self._put(line, part, look)
        if piece.stream != "value":
            self._look = pieces[-1][1]

    def _start(self, piece: Printed) -> Line:
        line = Line(self._total, "", piece.stream, piece.during, piece.line, piece.function)
        self.lines.append(line)
        self._total += 1
        self.counts[piece.during] += 1
        self.where = max(self.where, len(line.where))
        self._open, self._column = line, None
        return line

    def _put(self, line: Line, text: str, look: sgr.Look) -> None:
        """A carriage return goes back to the start of the line; what follows covers what was there."""
        for n, part in enumerate(text.split("\r")):
            if n:
                self._column = 0
            if not part:
                continue
            start = len(line.text) if self._column is None else self._column
            end = start + len(part)
            if look or line.looks:
                line.looks = sgr.laid_over(line.looks, start, end, look, len(line.text))
            self._column = end if end < len(line.text) else None
            self._set(line, line.text[:start] + part + line.text[end:])

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
