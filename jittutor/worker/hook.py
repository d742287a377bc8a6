"""Our ear at the place where JAX keeps its NaN check: what JAX puts there always goes first."""

from collections.abc import Callable
from typing import Any

from jittutor.worker import internals

type Hook = Callable[[Any, tuple[Any, ...], dict[str, Any], Any], None]


def put(hook: Hook) -> bool:
    """Have `hook(function, args, kwargs, result)` called after each call that the C++ cache answered.

    Where JAX's own check is on, it stays. Returns whether the hook could be put there.
    """
    state = internals.hook_state()
    if state is None or state.value is not None:
        return False
    if state.get_local() is None:
        state.set_local(hook)
    if state.get_global() is None:
        # A thread's own hook would hide a check that is switched on for the process later.
        state.set_global(hook)
    return True


def keep(hook: Hook) -> None:
    """Put the hook back where JAX has set none: it empties its place when a NaN check is over."""
    state = internals.hook_state()
    if state is not None and state.value is None:
        put(hook)


def drop(hook: Hook) -> None:
    """Take the hook out, unless JAX has put its own in its place."""
    state = internals.hook_state()
    if state is not None:
        if state.get_global() is hook:
            state.set_global(None)
        if state.get_local() is hook:
            state.set_local(None)
