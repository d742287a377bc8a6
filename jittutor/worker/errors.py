"""An exception -> the learner's line, what was traced there, and a traceback of their own lines only."""

import linecache
import os
import re
import types
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from jittutor.event import Inner, Raised
from jittutor.worker import facts

LONGEST = 4_000
"""Letters of a message that are kept: from its beginning, and from its end, where callbacks say why."""
TAIL = 1_000
ROWS = 8
"""Lines of a traceback that are kept at each end."""
CHAIN = 5
"""Causes, and members of a group, that are told."""


class _Place(NamedTuple):
    """A line of the learner's own code that the exception went through."""

    frame: types.FrameType
    line: int
    instruction: int


def raised(run: int, error: BaseException, own: Mapping[int, types.CodeType], file: str) -> Raised:
    """What is told of an exception.

    Args:
        run: the run it ended.
        error: the exception, with its traceback.
        own: the watched code by id.
        file: the file whose lines are told.
    """
    name, whole = type(error).__name__, _words(error)
    message = _cut(whole)
    if isinstance(error, SyntaxError) and error.filename == file:
        where = f"line {error.lineno}"
        code = (error.text or "").strip()
        return Raised(run, name, message, error.lineno, None, None, f"{where}: {message}", code=code)
    places = _places(error, own)
    inside = [place for place in places if place.frame.f_code.co_filename == file]
    function = inside[-1].frame.f_code.co_name if inside else "<module>"
    return Raised(
        run,
        name,
        message,
        inside[-1].line if inside else None,
        None if function == "<module>" else function,
        facts.traced(whole, [(place.frame, place.line, place.instruction) for place in places], file),
        _text(error, own, file),
        _elsewhere(error, whole, places, own, file),
        _code(error, places),
        tuple(_inner(other, own, file) for other in _within(error)),
    )


def _within(error: BaseException) -> list[BaseException]:
    """The members of a group, also of groups in it, then the causes; as many as are told."""
    found: list[BaseException] = []
    waiting = [error]
    while waiting and len(found) < CHAIN:
        here = waiting.pop(0)
        if isinstance(here, BaseExceptionGroup):
            waiting += here.exceptions[:CHAIN]
        elif here is not error:
            found.append(here)
    return [*found, *(cause for _, cause in _causes(error))][:CHAIN]


def _inner(error: BaseException, own: Mapping[int, types.CodeType], file: str) -> Inner:
    whole, places = _words(error), _places(error, own)
    return Inner(
        type(error).__name__,
        _cut(whole),
        next((place.line for place in reversed(places) if place.frame.f_code.co_filename == file), None),
        facts.traced(whole, [(place.frame, place.line, place.instruction) for place in places], file),
        _code(error, places),
    )


def _places(error: BaseException, own: Mapping[int, types.CodeType]) -> list[_Place]:
    places = []
    trace = error.__traceback__
    while trace is not None:
        if id(trace.tb_frame.f_code) in own:
            places.append(_Place(trace.tb_frame, trace.tb_lineno, trace.tb_lasti))
        trace = trace.tb_next
    return places


def _words(error: BaseException) -> str:
    try:
        return error.msg if isinstance(error, SyntaxError) and isinstance(error.msg, str) else str(error)
    except Exception as second:  # noqa: BLE001 - the learner's own __str__ may do anything
        return f"(its message cannot be shown: {type(second).__name__})"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - TAIL - 3]} … {text[-TAIL:]}"


# ---------------------------------------------------------------- the traceback


def _text(error: BaseException, own: Mapping[int, types.CodeType], file: str) -> str:
    """The learner's lines, then the exception, then what caused it and what it is made of."""
    parts = [*_rows(error, own, file), _line(error)]
    if isinstance(error, BaseExceptionGroup):
        for number, member in enumerate(error.exceptions[:CHAIN], 1):
            parts += [f"{number} of the group:", *_rows(member, own, file), _line(member)]
    for how, cause in _causes(error):
        if rows := _rows(cause, own, file):
            parts += [how, *rows, _line(cause)]
    return "\n".join(parts)


def _line(error: BaseException) -> str:
    message = _cut(_words(error))
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def _causes(error: BaseException) -> Iterator[tuple[str, BaseException]]:
    """The exceptions before this one, newest first."""
    told = {id(error)}
    here: BaseException | None = error
    for _ in range(CHAIN):
        assert here is not None
        if here.__cause__ is not None:
            how, here = "caused by:", here.__cause__
        elif here.__context__ is not None and not here.__suppress_context__:
            how, here = "raised while this was handled:", here.__context__
        else:
            return
        if id(here) in told:
            return
        told.add(id(here))
        yield how, here


def _rows(error: BaseException, own: Mapping[int, types.CodeType], file: str) -> list[str]:
    places = _places(error, own)
    rows = [f"{_where(place.frame.f_code, place.line, file)}\n    {_source(place)}" for place in places]
    if len(rows) <= 2 * ROWS + 1:
        return rows
    return [*rows[:ROWS], f"… {len(rows) - 2 * ROWS} more lines", *rows[-ROWS:]]


def _where(code: types.CodeType, number: int, file: str) -> str:
    place = f"line {number}"
    if code.co_filename != file:
        place = f"{_short(code.co_filename, file)}, {place}"
    return place if code.co_name == "<module>" else f"{place}, in {code.co_name}"


def _short(other: str, file: str) -> str:
    """The name of another file as seen from the folder of the learner's file."""
    if other.startswith("<"):
        return "the setup" if other == "<setup>" else other
    folder = os.path.dirname(os.path.realpath(file)) + os.sep  # noqa: PTH120 - text is compared
    return os.path.realpath(other).removeprefix(folder)


def _code(error: BaseException, places: list[_Place]) -> str:
    """The line of code that failed."""
    if isinstance(error, SyntaxError) and error.text:
        return error.text.strip()
    return _source(places[-1]) if places else ""


def _source(place: _Place) -> str:
    return linecache.getline(place.frame.f_code.co_filename, place.line).strip()


# ---------------------------------------------------------------- raised somewhere else


def _elsewhere(
    error: BaseException, message: str, places: list[_Place], own: Mapping[int, types.CodeType], file: str
) -> str:
    """Where it was really raised, when that is not the line of the file that is told; empty when it is."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{_short(error.filename, file)}, line {error.lineno}"
    if called_back := _called_back(message, own):
        return _where(*called_back, file)
    if places and places[-1].frame.f_code.co_filename != file:
        return _where(places[-1].frame.f_code, places[-1].line, file)
    return ""


def _called_back(message: str, own: Mapping[int, types.CodeType]) -> tuple[types.CodeType, int] | None:
    """The learner's line in the traceback that JAX writes into the message when a callback fails."""
    if "error calling callback" not in message:
        return None
    below = message.rpartition(", in _wrapped_callback\n")[2]
    lines = re.findall(r'File "([^"\n]+)", line (\d+), in (\S+)', below)
    for file, line, function in reversed(lines):
        for code in own.values():
            if code.co_filename == file and code.co_name == function:
                return code, int(line)
    return None
