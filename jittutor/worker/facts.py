"""What was traced where an error happened, in words: from the learner's frame and from JAX's message."""

import re
import types

from jittutor.worker.frames import handed, in_frame, is_traced

MOST = 4
"""Traced values that are named."""
_ABOUT = re.compile(
    r"while tracing the function (?P<function>\S+) at (?P<file>.+?):(?P<line>\d+) for (?P<how>\w+)"
)
_ARGUMENTS = re.compile(r"depends on the values? of the arguments? (?P<names>[^\n]+?)\.(?:\s|$)")
_MADE = re.compile(r"from line (?P<file>.+?):(?P<line>\d+):\d+ \((?P<function>[^)\n]+)\)")
_LEAKED = re.compile(r"when the value leaked was (?P<function>\S+) at ")
_LEAK_MADE = re.compile(r"was created on line (?P<file>.+?):(?P<line>\d+):\d+ \((?P<function>[^)\n]+)\)")
_TYPE = re.compile(r"\b[a-z]\w*(?:<\w+>)?\[[\d,]*\]")


def traced(message: str, trace: list[tuple[types.FrameType, int, int]], file: str) -> str | None:
    """What was traced where it failed, such as `x: float32[3], argument of f`; None when nothing was.

    Args:
        message: the exception's own words.
        trace: the learner's frames with line and instruction, the last one where it failed.
        file: the file whose lines may be named.
    """
    if not trace:
        return None
    frame, line, instruction = trace[-1]
    found = in_frame(frame, line, instruction)
    if leaked := _LEAKED.search(message):
        return _leaked(message, _fitting(found, message), leaked["function"], file)
    about = _ABOUT.search(message)
    if about is None:
        return _told(frame, _fitting(found, message) or found)
    function = about["function"]
    if _is_over(about, [frame for frame, _, _ in trace]):
        return f"{_listed(found) or _bare(message)}, kept from the trace of {_name(function)}"
    how = "" if about["how"] in ("jit", "pjit") else f", traced for {about['how']}"
    return _explained(message, frame, found, function, file) + how


def _explained(message: str, frame: types.FrameType, found: dict[str, str], function: str, file: str) -> str:
    """JAX says what the value depends on: name it as the learner wrote it, and that origin."""
    names = [name for some in _ARGUMENTS.finditer(message) for name in _split(some["names"])]
    names = list(dict.fromkeys(names))[:MOST]
    direct = {name: found[name] for name in names if name in found and frame.f_code.co_name == function}
    if direct:
        return f"{_listed(direct)}, {_arguments(len(direct))} of {_name(function)}"
    value = _listed(_fitting(found, message)) or _bare(message)
    if names:
        return f"{value}, from the {_arguments(len(names))} {_joined(names)} of {_name(function)}"
    made = [*_MADE.finditer(message)]
    lines = {some["line"] for some in made if some["file"] == file}
    where = f" at line {lines.pop()}" if len(lines) == 1 else ""
    return f"{value}, computed in {_name(made[-1]['function'] if made else function)}{where}"


def _leaked(message: str, found: dict[str, str], function: str, file: str) -> str:
    value = _listed(found) or _bare(message)
    made = _LEAK_MADE.search(message)
    if made is None:
        return f"{value}, kept from the trace of {_name(function)}"
    where = f" at line {made['line']}" if made["file"] == file else ""
    return f"{value}, kept from the trace of {_name(function)}, made in {_name(made['function'])}{where}"


def _told(frame: types.FrameType, found: dict[str, str]) -> str | None:
    """Only the frame tells: its parameters are arguments, all else was computed in it."""
    if not found:
        return None
    code = frame.f_code
    parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    given = {text: aval for text, aval in found.items() if re.split(r"[.\[]", text)[0] in parameters}
    made = {text: aval for text, aval in found.items() if text not in given}
    function = _name(code.co_name)
    parts = [f"{_listed(given)}, {_arguments(len(given))} of {function}"] if given else []
    if made:
        parts.append(f"{_listed(made)}, computed in {function}")
    return "; ".join(parts)


def _is_over(about: re.Match[str], frames: list[types.FrameType]) -> bool:
    """Whether the trace that JAX speaks of had ended: its function is in none of the frames.

    A frame that was handed traced values is within some trace: there a decorator can hide the function.
    """
    if all(about["file"] != frame.f_code.co_filename for frame in frames):
        return False
    if any(is_traced(value) for frame in frames for value in handed(frame)):
        return False
    line = int(about["line"])
    return all(
        about["function"] != frame.f_code.co_name and line != frame.f_code.co_firstlineno for frame in frames
    )


# ---------------------------------------------------------------- words


def _listed(found: dict[str, str]) -> str:
    return _joined([f"{text}: {aval}" for text, aval in list(found.items())[:MOST]])


def _joined(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _arguments(many: int) -> str:
    return "argument" if many == 1 else "arguments"


def _split(names: str) -> list[str]:
    return [name for name in re.split(r", and |, | and ", names) if name]


def _name(function: str) -> str:
    return {"<lambda>": "a lambda", "<module>": "the script"}.get(function, function)


def _bare(message: str) -> str:
    known = _TYPE.search(message)
    return known[0] if known else "a value"


def _fitting(found: dict[str, str], message: str) -> dict[str, str]:
    """The values whose type JAX names; all when it names none, or only that of their comparison."""
    named = set(_TYPE.findall(message.split("\n\n", 1)[0]))
    fitting = {text: aval for text, aval in found.items() if aval in named}
    return fitting or (found if not named or "boolean conversion" in message else {})
