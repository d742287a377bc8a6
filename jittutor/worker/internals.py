"""The one file that knows JAX's inside: which of its functions to watch, and what their frames hold.

All of it is private to JAX and may move. `find()` looks everything up by name and says what is missing,
so that the watcher can do without; tests run on each supported JAX version.
Checked with JAX 0.11.2 and 0.12.0.1.
"""

import contextlib
import dataclasses
import functools
import os
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax
from jax._src import ad_checkpoint, api, compiler, config, dtypes, pjit, traceback_util
from jax._src.array import ArrayImpl
from jax._src.interpreters import partial_eval
from jax._src.util import fun_name

JAX_FOLDER = str(Path(jax.__file__).parent) + os.sep
Jitted: type = type(jax.jit(lambda: None))
"""The type of every jitted function; a C type, so its calls are seen as calls of C functions."""

_TRANSFORMING = (api.__file__, ad_checkpoint.__file__)
"""Where jax.vmap, jax.grad, jax.checkpoint and their like make functions of functions."""

# Settings that are named in a reason even when they still have the value they started with.
ALWAYS = (
    "jax_enable_x64",
    "jax_default_matmul_precision",
    "jax_numpy_dtype_promotion",
    "jax_numpy_rank_promotion",
    "jax_default_device",
    "jax_disable_jit",
    "jax_threefry_partitionable",
)


@dataclasses.dataclass(frozen=True, slots=True)
class Inside:
    """JAX's own code objects that mark what is going on; None where this version has no such thing."""

    slow_call: types.CodeType | None
    """Runs when the C++ cache did not know a call; its frame holds fun, args and kwargs."""
    trace_call: types.CodeType | None
    """Traces one function for jit; its frame holds fun, avals, args, kwargs and dbg."""
    run_body: types.CodeType | None
    """Runs the Python body with tracers, for jit and for the loops of lax."""
    compile: types.CodeType | None
    """Hands a lowered module to the backend."""
    to_host: types.CodeType | None
    """Copies an array's value to the host, which waits for it."""
    wait: types.CodeType | None
    """jax.block_until_ready."""
    clear_all: types.CodeType | None
    """jax.clear_caches."""
    clear_one: types.CodeType | None
    """The clear_cache method of a jitted function; its frame holds self."""
    bodies: frozenset[types.CodeType]
    """Every function of JAX that runs a Python body with tracers."""
    missing: tuple[str, ...]


def find() -> Inside:
    """Look up what this JAX version has."""
    missing: list[str] = []

    def code(name: str, get: Callable[[], Any]) -> types.CodeType | None:
        try:
            found = get()
        except (AttributeError, KeyError, TypeError):
            found = None
        if isinstance(found, types.CodeType):
            return found
        missing.append(name)
        return None

    slow = code("pjit.cache_miss", lambda: inner_code(pjit._cpp_pjit.__code__, "cache_miss"))
    trace = code("pjit._trace_for_jit", lambda: unwrapped(pjit._trace_for_jit).__code__)
    body = code("trace_to_jaxpr_nocache", lambda: unwrapped(partial_eval.trace_to_jaxpr_nocache).__code__)
    dynamic = code("trace_to_jaxpr_dynamic", lambda: unwrapped(partial_eval.trace_to_jaxpr_dynamic).__code__)
    built = code("compile_or_get_cached", lambda: unwrapped(compiler.compile_or_get_cached).__code__)
    host = code("ArrayImpl._value", lambda: unwrapped(ArrayImpl._value.fget).__code__)
    wait = code("jax.block_until_ready", lambda: unwrapped(jax.block_until_ready).__code__)
    clear_all = code("jax.clear_caches", lambda: unwrapped(jax.clear_caches).__code__)
    clear_one = code("pjit.jit_evict_fn", lambda: unwrapped(pjit.jit_evict_fn).__code__)
    bodies = frozenset(c for c in (body, dynamic) if c is not None)
    return Inside(slow, trace, body, built, host, wait, clear_all, clear_one, bodies, tuple(missing))


def inner_code(code: types.CodeType, name: str) -> types.CodeType | None:
    """The code of a function that is defined inside another."""
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            if constant.co_name == name:
                return constant
            if (deeper := inner_code(constant, name)) is not None:
                return deeper
    return None


def unwrapped(function: Any) -> Any:
    """The function below decorators and partials, as far as they say what they wrap."""
    for _ in range(50):
        below = getattr(function, "__wrapped__", None) or getattr(function, "func", None)
        if below is None:
            return getattr(function, "__func__", function)
        function = below
    return function


def name_of(function: Any) -> str:
    """The name that JAX gives the program of a function."""
    return str(fun_name(function))


def dtype_name(dtype: Any) -> str:
    """The short name of a dtype as jaxprs write it: `f32`, `i32`, `bool`, `key<fry>`."""
    try:
        return str(dtypes.short_dtype_name(dtype))
    except (AttributeError, TypeError, ValueError):
        return str(dtype)


def home_of(function: Any) -> types.CodeType | None:
    """The code of the plain Python function at the bottom, when there is one."""
    plain = unwrapped(function)
    code = getattr(plain, "__code__", None)
    if code is None and callable(plain):
        code = getattr(getattr(type(plain), "__call__", None), "__code__", None)  # noqa: B004 - its code is wanted
    return code if isinstance(code, types.CodeType) else None


def is_jax_code(code: types.CodeType | None) -> bool:
    """Whether code belongs to the jax package itself."""
    return code is not None and code.co_filename.startswith(JAX_FOLDER)


def jitted_in(function: Any) -> Any:
    """The jitted function inside a bound method or a partial of one; else None."""
    if type(function) is types.MethodType:
        inner = function.__func__
    elif isinstance(function, functools.partial):
        inner = function.func
    else:
        return None
    return inner if type(inner) is Jitted else None


def transformation(function: Any) -> str | None:
    """`vmap_f` for what jax.vmap made, and so on; None for a function that is no such wrapper."""
    if not hasattr(function, "__wrapped__"):
        return None
    # JAX wraps its wrappers once more, to filter tracebacks.
    for candidate in (function, *_enclosed(function)):
        code = getattr(candidate, "__code__", None)
        if isinstance(code, types.CodeType) and code.co_filename in _TRANSFORMING:
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
        code = getattr(function, "__code__", None)
        if code is not None and not is_jax_code(code):
            return
        function = getattr(function, "__wrapped__", None) or getattr(function, "func", None)
        if function is None:
            return


def leads_to_jitted(function: Any) -> bool:
    """Whether what runs is another jitted function of the program: its own trace is what counts."""
    return any(type(step) is Jitted and not is_jax_function(step) for step in steps_down(function))


def place_of(function: Any) -> str:
    """Where a function is written, as `name@file:line`, after what was made of it: `vmap of f@…`."""
    made = ""
    for step in steps_down(function):
        if type(step) is Jitted:
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
    if transformation(wrapped) is not None:
        return False
    if known is not None:
        return known is jitted or not (known is wrapped or isinstance(wrapped, Jitted))
    return is_jax_code(home_of(jitted)) and not isinstance(wrapped, Jitted)


def has_programs(jitted: Any) -> bool:
    """Whether anything is in the C++ cache of a jitted function."""
    size = getattr(jitted, "_cache_size", None)
    return bool(size()) if size is not None else True


def is_jit_off() -> bool:
    """Whether jax.disable_jit is on in this thread: calls then run Python, and no cache is asked."""
    return bool(jax.config.jax_disable_jit)


def caller_of(frame: types.FrameType | None) -> types.FrameType | None:
    """The frame that made a call, past JAX's traceback filter."""
    filter_file = traceback_util.__file__
    frame = frame.f_back if frame else None
    while frame is not None and frame.f_code.co_filename == filter_file:
        frame = frame.f_back
    return frame


def is_inspection(frame: types.FrameType) -> bool:
    """Whether a trace is only for looking (jax.make_jaxpr, jax.eval_shape), so jit's cache is not asked."""
    names = {"make_jaxpr_f", "eval_shape"}
    step: types.FrameType | None = frame
    for _ in range(8):
        step = step.f_back if step else None
        if step is None:
            return False
        if step.f_code.co_name in names and is_jax_code(step.f_code):
            # jax.eval_shape of a jitted function is that function's own trace, and is kept.
            return type(step.f_locals.get("fun")) is not Jitted or step.f_code.co_name != "eval_shape"
        if not is_jax_code(step.f_code):
            return False
    return False


def context() -> Iterator[tuple[str, str]]:
    """The JAX settings that are part of the cache key, by name, shortened to text."""
    try:
        names, values = config.trace_context_names(), config.trace_context()
    except AttributeError:
        names, values = ALWAYS, tuple(getattr(jax.config, name, None) for name in ALWAYS)
    for name, value in zip(names, values, strict=False):
        yield str(name), repr(value) if len(repr(value)) < 100 else repr(value)[:97] + "…"


def hook_state() -> Any:
    """The place of the function that JAX calls after each call that its C++ cache answered.

    JAX keeps its NaN check there, for the process and for a thread; it is not part of the cache key.
    None where this version has no such place.
    """
    return getattr(api, "_post_hook_state", None)


def forget_thread_settings() -> None:
    """Take back what a program has set for its thread only, as `with jax.debug_nans(True)` does.

    JAX itself leaves traces of such a block: a check that is switched on later is not heard of there.
    """
    unset = getattr(config.config_ext, "unset", None)
    for state in (*getattr(config, "config_states", {}).values(), hook_state()):
        if unset is not None and state is not None and state.get_local() is not unset:
            with contextlib.suppress(Exception):
                state.set_local(unset)
