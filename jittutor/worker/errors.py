"""An exception -> the learner's line and a traceback of their own lines only."""

import linecache
import traceback
import types
from collections.abc import Mapping

from jittutor.event import Raised

LONGEST = 4_000


def raised(run: int, error: BaseException, own: Mapping[int, types.CodeType], file: str) -> Raised:
    """What is told of an exception.

    Args:
        run: the run it ended.
        error: the exception, with its traceback.
        own: the watched code by id.
        file: the file whose lines are told.
    """
    message = _message(error)
    if isinstance(error, SyntaxError) and error.filename == file:
        return Raised(
            run, type(error).__name__, message, error.lineno, None, None, f"line {error.lineno}: {message}"
        )
    places = [
        (frame.f_code, number)
        for frame, number in traceback.walk_tb(error.__traceback__)
        if id(frame.f_code) in own
    ]
    inside = [(code.co_name, number) for code, number in places if code.co_filename == file]
    rows = [f"{_where(code, number, file)}\n    {_text(code.co_filename, number)}" for code, number in places]
    name = type(error).__name__
    text = "\n".join([*rows, f"{name}: {message}"])
    function, line = inside[-1] if inside else (None, None)
    return Raised(run, name, message, line, None if function == "<module>" else function, None, text)


def _message(error: BaseException) -> str:
    try:
        text = error.msg if isinstance(error, SyntaxError) else str(error)
    except Exception as second:  # noqa: BLE001 - the learner's own __str__ may do anything
        text = f"(its message cannot be shown: {type(second).__name__})"
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _where(code: types.CodeType, number: int, file: str) -> str:
    place = f"line {number}" if code.co_filename == file else f"{code.co_filename}, line {number}"
    return place if code.co_name == "<module>" else f"{place}, in {code.co_name}"


def _text(file: str, number: int) -> str:
    return linecache.getline(file, number).strip()
