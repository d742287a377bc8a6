"""A function from the outside in: what jit, vmap, partial and decorators made, down to the code below."""

import contextlib
import functools
import sys
import types
from collections.abc import Iterator
from typing import Any

from jittutor.worker import internals


def home_of(function: Any) -> types.CodeType | None:
    """The code of the plain Python function at the bottom, when there is one."""
    plain = internals.unwrapped(function)
    if (inner := internals.pmapped(plain)) is not None:
        return home_of(inner)
    code = internals.stored(plain, "__code__")
    if code is None and callable(plain):
        code = getattr(getattr(type(plain), "__call__", None), "__code__", None)  # noqa: B004 - its code is wanted
    return code if isinstance(code, types.CodeType) else None


def jitted_in(function: Any) -> Any:
    """The jitted function inside a bound method or a partial of one; else None."""
    if type(function) is types.MethodType:
        inner = function.__func__
    elif isinstance(function, functools.partial):
        inner = function.func
    else:
        return None
    return inner if type(inner) is internals.Jitted else None


def transformation(function: Any) -> str | None:
    """`vmap_f` for what jax.vmap made, and so on; None for a function that is no such wrapper."""
    if internals.pmapped(function) is not None:
        return "pmap_f"
    if internals.stored(function, "__wrapped__") is None:
        return None
    # JAX wraps its wrappers once more, to filter tracebacks.
    for candidate in (function, *_enclosed(function)):
        code = getattr(candidate, "__code__", None)
        if isinstance(code, types.CodeType) and code.co_filename in internals.TRANSFORMING:
            return code.co_name
    return None


def _enclosed(function: Any) -> Iterator[Any]:
    for cell in getattr(function, "__closure__", None) or ():
        with contextlib.suppress(ValueError):  # nothing in it yet
            yield cell.cell_contents


def steps_down(function: Any) -> Iterator[Any]:
    """A function and what it only passes calls on to, down to the first body that is not JAX's."""
    for _ in range(50):
        yield function
        code = internals.stored(function, "__code__")
        if code is not None and not internals.is_jax_code(code):
            return
        below = internals.stored(function, "__wrapped__") or internals.stored(function, "func")
        function = below or internals.pmapped(function)
        if function is None:
            return


def body_of(function: Any) -> types.CodeType | None:
    """The code that runs first when the function is called, past that of JAX."""
    *_, last = steps_down(function)
    code = internals.stored(last, "__code__")
    return code if isinstance(code, types.CodeType) else home_of(last)


def leads_to_jitted(function: Any) -> bool:
    """Whether what runs is another jitted function of the program: its own trace is what counts."""
    return any(type(step) is internals.Jitted and not is_jax_function(step) for step in steps_down(function))


def place_of(function: Any) -> str:
    """Where a function is written, as `name@file:line`, after what was made of it: `vmap of f@…`."""
    made = ""
    for step in steps_down(function):
        if type(step) is internals.Jitted:
            made += "jit of "
        elif isinstance(step, functools.partial):
            made += "partial of "
        elif name := transformation(step):
            made += f"{name.removesuffix('_f')} of "
    code = home_of(function)
    return f"{made}{code.co_qualname}@{code.co_filename}:{code.co_firstlineno}" if code else "?"


def is_jax_function(jitted: Any) -> bool:
    """Whether a jitted function is one that JAX ships, such as jnp.sin: its calls are operations."""
    if not (getattr(jitted, "__module__", None) or "").startswith("jax"):
        return False
    known = getattr(sys.modules.get(jitted.__module__), getattr(jitted, "__name__", ""), None)
    wrapped = getattr(jitted, "_fun", None)
    if known is None and wrapped is None:
        # What runs a program that was compiled ahead of time: it has no cache of its own.
        return True
    if transformation(wrapped) is not None:
        return False
    if known is not None:
        return known is jitted or not (known is wrapped or isinstance(wrapped, internals.Jitted))
    return internals.is_jax_code(home_of(jitted)) and not isinstance(wrapped, internals.Jitted)
