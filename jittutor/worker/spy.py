"""Tells what a script prints from Python, with line and phase, while its own stdout stays in place.

The script's stream objects are not replaced: each gets its `write` looked over, and the original does
the writing.
"""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jittutor.event import Event, Printed, Stream

if TYPE_CHECKING:
    from jittutor.worker.discovery import Discovery

MOST = 5_000
"""Pieces of text that are told; the rest is only written."""


def spy_on(discovery: "Discovery", say: Callable[[Event], None]) -> None:
    """Look over both streams."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None:
            _look_over(stream, name, discovery, say)


def _look_over(stream: Any, name: Stream, discovery: "Discovery", say: Callable[[Event], None]) -> None:
    write = stream.write
    told = 0

    def spied(text: str, /) -> int:
        nonlocal told
        written: int = write(text)
        watch = discovery.watch
        if told < MOST and isinstance(text, str):
            told += 1
            line, function = None, None
            if watch is not None and not watch.lane.paused:
                from jittutor.worker.lane import traced_function  # noqa: PLC0415 - it imports JAX

                frame = sys._getframe(1)
                line, function = watch.line_of(frame), traced_function(frame, watch.inside.bodies)
            elif watch is None:
                frame = sys._getframe(1)
                line = frame.f_lineno if frame.f_code.co_filename == discovery.file else None
            say(Printed(1, text, name, line, "run" if function is None else "trace", function))
        elif told >= MOST:
            del stream.write
        return written

    stream.write = spied
