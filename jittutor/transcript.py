"""What a script wrote, line by line: the bytes of its streams, matched with what is known of the prints.

The bytes are the truth (child processes and C code write there too); the prints that Python made are
told apart, with their line and phase, and are found again in the bytes in their order.
"""

import codecs
from collections import deque
from collections.abc import Iterator

from jittutor.event import Event, Printed, Stream

FIRST, LAST = 2_000, 500
"""Lines kept of each stream from its start and from its end."""
LONGEST = 10_000
"""Characters kept of one line."""
AHEAD = 50
"""So many prints further on a line is looked for."""


class Written:
    """The lines of one stream, in bounded memory."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._open = ""
        self._first: list[str] = []
        self._last: deque[str] = deque(maxlen=LAST)
        self.dropped = 0

    def add(self, data: bytes) -> None:
        """Take bytes as they come."""
        *lines, rest = (self._open + self._decoder.decode(data)).split("\n")
        for line in lines:
            self._keep(line)
        self._open = rest if len(rest) <= LONGEST else rest[:LONGEST]

    def _keep(self, line: str) -> None:
        if len(line) > LONGEST:
            line = line[:LONGEST] + "…"
        if len(self._first) < FIRST:
            self._first.append(line)
            return
        if len(self._last) == LAST:
            self.dropped += 1
        self._last.append(line)

    def lines(self) -> list[str]:
        """The lines that were kept."""
        if self._open:
            self._keep(self._open)
            self._open = ""
        return [*self._first, *self._last]


class Transcript:
    """Both streams and the prints that are known."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.stdout, self.stderr = Written(), Written()
        self._known: list[Printed] = []
        self._open: dict[Stream, Printed] = {}

    def hears(self, event: Event) -> bool:
        """Take an event if it is a print."""
        if not isinstance(event, Printed):
            return False
        start = self._open.pop(event.stream, None)
        text = (start.text if start else "") + event.text
        first = start or event
        *lines, rest = text.split("\n")
        self._known += [_as(first, line) for line in lines]
        if rest:
            self._open[event.stream] = _as(first, rest)
        return True

    def merged(self) -> tuple[list[Printed], int]:
        """All lines in the order they were printed, and how many were dropped."""
        self._known += self._open.values()
        self._open.clear()
        waiting = {
            "stdout": _matched("stdout", self.stdout.lines(), self._known),
            "stderr": _matched("stderr", self.stderr.lines(), self._known),
        }
        merged: list[Printed] = []
        for at in range(len(self._known)):
            mine = waiting.get(self._known[at].stream, deque())
            if not any(place == at for _, place in mine):
                continue
            while mine:
                line, place = mine.popleft()
                merged.append(line)
                if place == at:
                    break
        merged += [line for rest in waiting.values() for line, _ in rest]
        return merged, self.stdout.dropped + self.stderr.dropped


def _as(printed: Printed, text: str) -> Printed:
    return Printed(printed.run, text, printed.stream, printed.line, printed.during, printed.function)


def _matched(stream: Stream, lines: list[str], known: list[Printed]) -> deque[tuple[Printed, int | None]]:
    return deque(_match(stream, lines, [(at, p) for at, p in enumerate(known) if p.stream == stream]))


def _match(
    stream: Stream, lines: list[str], known: list[tuple[int, Printed]]
) -> Iterator[tuple[Printed, int | None]]:
    """Each line as it is known, with its place among the prints; None where Python did not print it."""
    next_at = 0
    for line in lines:
        for at in range(next_at, min(next_at + AHEAD, len(known))):
            if known[at][1].text == line:
                yield known[at][1], known[at][0]
                next_at = at + 1
                break
        else:
            yield Printed(1, line, stream), None
