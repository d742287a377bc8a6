"""Stands in for stdout and stderr in the worker: each line is told with where and when it was printed."""

import collections
import io
import os
import sys
import threading
import types
from collections.abc import Buffer, Callable

from jittutor.event import During, Printed, Stream
from jittutor.worker.lane import traced_function
from jittutor.worker.leftovers import out_of_the_way
from jittutor.worker.watch import Watch

MOST_LINES = 50_000
MOST_CHARACTERS = 8_000_000
PATIENCE = 1.0
"""Seconds to wait for what was written to a descriptor."""
TAIL = 200
"""Lines told at the end when more were printed than are told one by one."""


class _Begun:
    """A line that has begun where it is tagged, and what there is of it."""

    __slots__ = ("during", "function", "line", "text")

    def __init__(self, line: int | None, function: str | None) -> None:
        self.line, self.function, self.text = line, function, ""
        self.during: During = "run" if function is None else "trace"


class Teller:
    """Says printed text line by line, in the order it was written, up to a limit."""

    def __init__(
        self, say: Callable[[Printed], None], watch: Watch, floor: types.CodeType | None = None
    ) -> None:
        """Tell for one run, whose code is all called by the code `floor`."""
        self._say, self._watch, self._floor = say, watch, floor
        self._lock = threading.RLock()
        self._begun: dict[Stream, _Begun] = {}
        self._lines = self._characters = 0
        self.dropped = 0
        self._tail: collections.deque[Printed] = collections.deque(maxlen=TAIL)
        self._over = False

    def write(self, stream: Stream, text: str) -> None:
        """Take what Python code writes; a piece without a newline is held back until the line is whole."""
        with self._lock:
            begun = self._begun.pop(stream, None) or self._begin(sys._getframe(1))
            begun.text += text
            if "\n" not in text:
                self._begun[stream] = begun
                return
            lines = begun.text.splitlines(keepends=True)
            if not lines[-1].endswith("\n"):
                begun.text = lines.pop()
                self._begun[stream] = begun
            for line in lines:
                self._tell(line, stream, begun)

    def tell(self, printed: Printed) -> None:
        """Take a line of which nobody knows where it was printed."""
        with self._lock:
            self._tell(printed.text, printed.stream, printed)

    def flush(self) -> None:
        """Tell lines that are not whole yet."""
        if self._begun:
            with self._lock:
                for stream in list(self._begun):
                    begun = self._begun.pop(stream)
                    self._tell(begun.text, stream, begun)

    def finish(self) -> None:
        """Tell what is held back, and the last lines when the middle was dropped; then no more."""
        self.flush()
        with self._lock:
            self._over = True
            self.dropped = max(0, self.dropped - len(self._tail))
            for printed in self._tail:
                self._say(printed)
            self._tail.clear()

    def _begin(self, frame: types.FrameType) -> _Begun:
        watch = self._watch
        return _Begun(watch.line_of(frame), traced_function(frame, watch.inside.bodies, self._floor))

    def _tell(self, text: str, stream: Stream, begun: _Begun | Printed) -> None:
        if self._over:
            return
        self._lines += 1
        self._characters += len(text)
        told = self._lines <= MOST_LINES and self._characters <= MOST_CHARACTERS
        text = text if told else text[:1000]
        printed = Printed(self._watch.run, text, stream, begun.line, begun.during, begun.function)
        if told:
            self._say(printed)
        else:
            self.dropped += 1
            self._tail.append(printed)


class Stand(io.TextIOBase):
    """The object behind sys.stdout or sys.stderr while a run is told."""

    def __init__(self, teller: Teller, stream: Stream, fd: int) -> None:
        """Tell what is written as text; what is written to `buffer` as bytes is told as text too."""
        self._teller, self._stream, self._fd = teller, stream, fd
        self.buffer = _Bytes(self)
        self.mode = "w"
        self.name = f"<{stream}>"

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """Always UTF-8."""
        return "utf-8"

    @property
    def errors(self) -> str:  # type: ignore[override]
        """Nothing that can be typed stops a print."""
        return "replace"

    def writable(self) -> bool:
        """Yes."""
        return True

    def fileno(self) -> int:
        """The worker's own descriptor, which is told too."""
        return self._fd

    def isatty(self) -> bool:
        """No."""
        return False

    def write(self, text: str) -> int:
        """Tell the text."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if text:
            self._teller.write(self._stream, text)
        return len(text)

    def flush(self) -> None:
        """Tell an unfinished line now."""
        if not self.closed:
            self._teller.flush()


class _Bytes(io.RawIOBase):
    """`sys.stdout.buffer`."""

    def __init__(self, stand: Stand) -> None:
        self._stand = stand

    def writable(self) -> bool:
        return True

    def write(self, data: Buffer) -> int:
        raw = bytes(data)
        self._stand.write(raw.decode("utf-8", "replace"))
        return len(raw)


class Descriptors:
    """File descriptors 1 and 2 of the worker: what C++ code and child processes write is told as well."""

    def __init__(self, tell: Callable[[Stream, str], None]) -> None:
        """Put pipes in place of both, read by threads."""
        self._channels = [_Channel(1, "stdout", tell), _Channel(2, "stderr", tell)]

    def drain(self) -> None:
        """Return when all that was written until now is told."""
        for channel in self._channels:
            channel.mark()
        for channel in self._channels:
            channel.wait()


class _Channel:
    """One descriptor, its pipe, and the thread that reads it."""

    def __init__(self, fd: int, stream: Stream, tell: Callable[[Stream, str], None]) -> None:
        self._stream, self._tell = stream, tell
        source, sink = os.pipe()
        os.dup2(sink, fd)
        source, self._sink = out_of_the_way(source), out_of_the_way(sink)
        self._pid, self._marks, self._seen = os.getpid(), 0, threading.Event()
        threading.Thread(target=self._read, args=(source,), daemon=True).start()

    def mark(self) -> None:
        """Write a mark behind what is there; it is seen when that has been read."""
        if os.getpid() == self._pid:
            self._marks += 1
            self._seen.clear()
            os.write(self._sink, self._mark.encode())

    def wait(self) -> None:
        """Until the mark is seen."""
        if os.getpid() == self._pid:
            self._seen.wait(PATIENCE)

    @property
    def _mark(self) -> str:
        return f"\0{self._pid}.{self._marks}\0\n"

    def _read(self, source: int) -> None:
        with open(source, encoding="utf-8", errors="replace", newline="\n") as file:
            for line in file:
                text = line.removesuffix(self._mark)
                if text:
                    self._tell(self._stream, text)
                if text != line:
                    self._seen.set()
