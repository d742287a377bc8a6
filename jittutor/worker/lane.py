"""What one thread is doing right now: its calls of jitted functions that have not come back yet."""

import dataclasses
import threading
import types
from typing import Any

from jittutor.key import Key
from jittutor.worker import functions, internals


@dataclasses.dataclass(slots=True)
class Fast:
    """A call seen from the watched code, before it is known whether JAX knows it."""

    function: Any
    start: float
    code: types.CodeType
    offset: int
    slow: bool = False
    """JAX had to look closer: another part of the watch tells about this call."""
    signature: str | None = None
    result: Any = None


@dataclasses.dataclass(slots=True)
class Slow:
    """A call that JAX's C++ cache did not answer: it may trace, lower and compile, or only look longer."""

    frame: int
    """id of the frame it runs in, to notice that an exception ended it."""
    function: str
    n: int
    """The number of the call; 0 for calls that the watched code did not make itself."""
    eager: bool
    line: int | None
    within: str | None
    started: float
    program_name: str
    """What JAX calls the program of the function."""
    trace: int | None = None
    key: Key | None = None
    trace_ms: float | None = None
    lower_ms: float | None = None
    compile_ms: float | None = None
    program: int | None = None
    compiled: int = 0
    ready: float = 0.0
    """When the last phase ended: from here on the call only dispatches."""


@dataclasses.dataclass(slots=True)
class Pending:
    """A trace that has begun, before the function's own body has."""

    frame: int
    """id of the frame that runs the body."""
    key: Key
    program_name: str
    line: int | None
    within: str | None
    raw: str | None
    slow: Slow | None
    """The call that it is for, when it is for one."""
    code: types.CodeType | None = None


class Lane(threading.local):
    """One per thread."""

    def __init__(self, every: dict[int, list[Slow]]) -> None:
        """Start in a thread, with what an ended one of the same number has left to be told.

        Args:
            every: the open calls of all threads, by the number of the thread.
        """
        self.fast: list[Fast] = []
        self.slow = every.setdefault(threading.get_ident(), [])
        self.pending: list[Pending] = []
        self.waiting: tuple[int, float] | None = None
        self.from_disk = False
        self.paused = False


def frames_of(frame: types.FrameType | None, code: types.CodeType | None) -> set[int]:
    """The ids of those frames that run `code`, among a frame and all that wait for it.

    The id of a frame that is over may belong to another one now, most likely of the same code: ask before
    that one is noted, and for all older ones.
    """
    found = set()
    while frame is not None:
        if frame.f_code is code:
            found.add(id(frame))
        frame = frame.f_back
    return found


def traced_function(
    frame: types.FrameType | None, bodies: frozenset[int], floor: types.CodeType | None = None
) -> str | None:
    """The function that is being traced where `frame` runs; None while nothing is traced.

    Functions of JAX's own are passed over: what counts is the learner's function around them. What called
    the code `floor` is not looked at.
    """
    innermost: str | None = None
    while frame is not None and frame.f_code is not floor:
        if id(frame.f_code) in bodies:
            function = frame.f_locals.get("fun")
            name = _name(function)
            innermost = innermost or name
            if not internals.is_jax_code(functions.home_of(function)):
                return name
        frame = frame.f_back
    return innermost


def _name(function: Any) -> str:
    debug = getattr(function, "debug_info", None)
    return str(getattr(debug, "func_name", None) or internals.name_of(function))
