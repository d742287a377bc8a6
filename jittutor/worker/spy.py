"""Tells what a script prints from Python, with line and phase, while its own stdout stays in place.

The script's stream objects are not replaced: each gets its `write` looked over, and the original does
the writing.
"""

import contextlib
import sys
import types
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
        if told < MOST and isinstance(text, str):
            told += 1
            with contextlib.suppress(Exception):  # whatever goes wrong here is not the script's trouble
                say(_printed(text, name, discovery, sys._getframe().f_back))
        elif told >= MOST and vars(stream).get("write") is spied:
            del stream.write
        return written

    stream.write = spied


def _printed(text: str, name: Stream, discovery: "Discovery", frame: types.FrameType | None) -> Printed:
    """What was printed, with where and when; `frame` is None when Python itself writes at its end."""
    watch = discovery.watch
    line, function = None, None
    if watch is None:
        own = frame is not None and frame.f_code.co_filename == discovery.file
        line = frame.f_lineno if own and frame is not None else None
    elif not watch.lane.paused:
        from jittutor.worker.lane import traced_function  # noqa: PLC0415 - it imports JAX

        line, function = watch.line_of(frame), traced_function(frame, watch.inside.bodies)
    return Printed(1, text, name, line, "run" if function is None else "trace", function)
