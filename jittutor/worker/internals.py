"""The one file that knows JAX's inside: which of its functions to watch, and what their frames hold.

All of it is private to JAX and may move. `find()` looks everything up by name and says what is missing,
so that the watcher can do without; tests run on each supported JAX version.
Checked with JAX 0.11.2 and 0.12.0.1.
"""

import contextlib
import dataclasses
import os
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import jax
from jax._src import ad_checkpoint, api, compiler, config, dtypes, pjit, pmap, traceback_util
from jax._src.array import ArrayImpl
from jax._src.interpreters import partial_eval
from jax._src.util import fun_name

JAX_FOLDER = str(Path(jax.__file__).parent) + os.sep
Jitted: type = type(jax.jit(lambda: None))
"""The type of every jitted function; a C type, so its calls are seen as calls of C functions."""

TRANSFORMING = (api.__file__, ad_checkpoint.__file__)
"""Where jax.vmap, jax.grad, jax.checkpoint and their like make functions of functions."""

MESHES = {"abstract_mesh_context_manager": "jax.set_mesh", "mesh_context_manager": "with mesh"}
"""What people write for JAX's own names."""

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


_TRANSFORMED = {"LinearizeTracer": "grad", "JVPTracer": "jvp", "BatchTracer": "vmap"}
"""Tracers of transformations, and of which."""


@dataclasses.dataclass(frozen=True, slots=True)
class Flat:
    """The arguments of a call as JAX has taken them apart; static ones are not among them."""

    arg_names: Sequence[str]
    values: Sequence[Any]
    trees: Sequence[Any]
    """Of the positional arguments, then of those by name, by the alphabet."""


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
    bodies: frozenset[int]
    """The id of the code of each function of JAX that runs a Python body with tracers.

    Ids: to hash a code, Python walks through all of it.
    """
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
    bodies = frozenset(id(c) for c in (body, dynamic) if c is not None)
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


def stored(value: Any, name: str) -> Any:
    """An attribute as it is stored, None when there is none; somebody's own __getattr__ is not asked."""
    try:
        return object.__getattribute__(value, name)
    except Exception:  # noqa: BLE001 - a property of theirs may raise anything
        return None


def unwrapped(function: Any) -> Any:
    """The function below decorators and partials, as far as they say what they wrap."""
    for _ in range(50):
        below = stored(function, "__wrapped__") or stored(function, "func")
        if below is None:
            return stored(function, "__func__") or function
        function = below
    return function


_UNNAMED = str(fun_name(type("Nameless", (), {"__call__": print})()))


def pmapped(function: Any) -> Any:
    """The function that jax.pmap was given, when `function` is what it made of it for jit; else None."""
    below = unwrapped(function)
    code = stored(below, "__code__")
    if getattr(code, "co_filename", "") != pmap.__file__ or "fun" not in code.co_freevars:
        return None
    cell = below.__closure__[code.co_freevars.index("fun")]
    return getattr(cell.cell_contents, "f", None)


def name_of(function: Any) -> str:
    """The name of a function: mostly the one that JAX gives its program."""
    if (inner := pmapped(function)) is not None:
        return name_of(inner)
    name = program_name_of(function)
    # An object that can be called has no name of its own, and JAX finds none.
    return type(unwrapped(function)).__name__ if name == _UNNAMED else name


def program_name_of(function: Any) -> str:
    """The name that JAX gives the program of a function."""
    return str(fun_name(function))


def dtype_name(dtype: Any) -> str:
    """The short name of a dtype as jaxprs write it: `f32`, `i32`, `bool`, `key<fry>`."""
    try:
        return str(dtypes.short_dtype_name(dtype))
    except (AttributeError, TypeError, ValueError):
        return str(dtype)


def ask_for_explanations() -> None:
    """Have JAX explain its misses. The setting becomes 1: it is True when the program itself asks."""
    config.explain_cache_misses.set_global(1)


def transformations(value: Any) -> tuple[str, Any]:
    """What made something of an argument, such as `vmap of grad`, and the array below."""
    names: list[str] = []
    while (name := _TRANSFORMED.get(type(value).__name__)) is not None:
        names.insert(0, name)
        value = getattr(value, "val" if name == "vmap" else "primal", None)
    return " of ".join(names), value


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
        text = _mesh(value) or repr(value)
        yield MESHES.get(name, str(name)), text if len(text) < 100 else text[:97] + "…"


def _mesh(value: Any) -> str:
    """The mesh of a `with` block, such as `mesh {'x': 4}`; empty for a setting that is none."""
    if isinstance(value, tuple) and value:
        value = value[-1]
    shape = getattr(value, "shape", None)
    if not hasattr(value, "axis_types") or not isinstance(shape, Mapping):
        return ""
    return f"mesh {dict(shape)}" if shape else "no mesh"


def options_of(info: Any) -> tuple[tuple[str, str], ...]:
    """What jit was asked for beside the function, as far as it asks for a program of its own."""
    # JAX fills in the names for the numbers and the other way round.
    donated = "donate_argnums" if getattr(info, "donate_argnums", None) else "donate_argnames"
    names = (donated, "keep_unused", "compiler_options_kvs")
    found = [
        (name.removesuffix("_kvs"), repr(value)) for name in names if (value := getattr(info, name, None))
    ]
    for name in ("in_shardings", "out_shardings"):
        leaves = getattr(info, f"{name}_leaves", ())
        if any("Unspecified" not in type(leaf).__name__ for leaf in leaves):
            found.append((name, ", ".join(str(getattr(leaf, "spec", leaf)) for leaf in leaves)))
    return tuple(found)


def flattened(here: Mapping[str, Any]) -> Flat | None:
    """What the locals of `Inside.slow_call` hold at its end; None where this version keeps it elsewhere."""
    try:
        known, values = here["p"], here["args_flat"]
        positional, named = known.in_tree.children()
        names = known.arg_names
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    if names is None or len(names) != len(values):
        return None
    return Flat(names, values, [*positional.children(), *named.children()])


def is_jax_code(code: types.CodeType | None) -> bool:
    """Whether code belongs to the jax package itself."""
    return code is not None and code.co_filename.startswith(JAX_FOLDER)


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
