"""The traced values that stand in the part of a frame's code that failed.

Nothing of the learner's runs here: values are looked at by their type only, and only in plain dicts,
lists, tuples and attributes.
"""

import ast
import inspect
import itertools
import linecache
import sys
import types
import warnings
from collections.abc import Iterator
from typing import Any

Span = tuple[tuple[int, int], tuple[int, int]]

_FAR = 1 << 30
_ALWAYS_KNOWN = frozenset({"shape", "ndim", "dtype", "size"})
"""What is known of a traced value too, so its use is never the cause."""


def in_frame(frame: types.FrameType, line: int, instruction: int) -> dict[str, str]:
    """The traced values in the part of the code that failed: text -> type."""
    found: dict[str, str] = {}
    if "jax" not in sys.modules:
        return found
    span = _span(frame.f_code, line, instruction)
    for node in _expressions(frame.f_code.co_filename, span):
        value = _value(node, frame)
        if is_traced(value):
            found.setdefault(ast.unparse(node), _type(value))
    return found


def is_traced(value: Any) -> bool:
    """Whether it is a placeholder of JAX."""
    jax = sys.modules.get("jax")
    return jax is not None and issubclass(type(value), jax.core.Tracer)


def _type(value: Any) -> str:
    try:
        return str(sys.modules["jax"].typeof(value)).removeprefix("~")
    except (AttributeError, TypeError, ValueError):
        return type(value).__name__


def handed(frame: types.FrameType) -> Iterator[Any]:
    """The values that a function was called with, those of *args and **kwargs one by one."""
    code = frame.f_code
    many = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & inspect.CO_VARARGS)
    many += bool(code.co_flags & inspect.CO_VARKEYWORDS)
    for name in code.co_varnames[:many]:
        value: Any = frame.f_locals.get(name)
        if type(value) in (tuple, list):
            yield from value
        elif type(value) is dict:
            yield from value.values()
        else:
            yield value


def _span(code: types.CodeType, line: int, instruction: int) -> Span:
    """Where the failed part of the code begins and ends."""
    place = next(itertools.islice(code.co_positions(), instruction // 2, None), None)
    first, last, begin, end = place or (None, None, None, None)
    if first is None or begin is None:
        return (line, 0), (line, _FAR)
    return (first, begin), (last or first, _FAR if end is None else end)


def _expressions(file: str, span: Span) -> Iterator[ast.expr]:
    """The names, attributes and items that stand in that part, the outer ones first."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError, RecursionError):
        return
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.expr) and _inside(node, span):
            if isinstance(node, ast.Lambda) or (
                isinstance(node, ast.Attribute) and node.attr in _ALWAYS_KNOWN
            ):
                continue
            if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
                yield node
        waiting += [child for child in ast.iter_child_nodes(node) if _touches(child, span)]


def _inside(node: ast.expr, span: Span) -> bool:
    end = (node.end_lineno or node.lineno, node.end_col_offset or 0)
    return span[0] <= (node.lineno, node.col_offset) and end <= span[1]


def _touches(node: ast.AST, span: Span) -> bool:
    first, last = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    return first is None or last is None or (first <= span[1][0] and last >= span[0][0])


def _value(node: ast.expr, frame: types.FrameType) -> Any:
    """The value of an expression as far as it is known without running anything; None when not."""
    if isinstance(node, ast.Name):
        return frame.f_locals.get(node.id, frame.f_globals.get(node.id))
    if isinstance(node, ast.Attribute):
        fields = _fields(_value(node.value, frame))
        return fields.get(node.attr) if fields is not None else None
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        base, key = _value(node.value, frame), node.slice.value
        if type(base) is dict:
            return base.get(key)
        if type(base) in (list, tuple) and type(key) is int and -len(base) <= key < len(base):
            return base[key]
    return None


def _fields(value: Any) -> dict[str, Any] | None:
    try:
        fields = object.__getattribute__(value, "__dict__")
    except (AttributeError, TypeError):
        return None
    return fields if type(fields) is dict else None
