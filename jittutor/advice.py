"""An exception -> why it happened in one sentence, one change that helps, and the lesson about it.

Unknown exceptions get none: an honest silence is better than a guess.
"""

import re

import msgspec

from jittutor.event import Raised


class Advice(msgspec.Struct, frozen=True):
    """What helps with one kind of error."""

    say: str
    fix: str
    lesson: str | None = None


class _Rule(msgspec.Struct, frozen=True):
    """Which errors an advice is for: a type and, when several errors share it, words of the message."""

    type: str
    words: str
    advice: Advice


_RULES = (
    _Rule(
        "TracerBoolConversionError",
        "",
        Advice(
            "a Python `if`, `while`, `and`, `or`, `not` or `assert` needs True or False, but while jit "
            "traces this value is only a shape and a dtype",
            "choose with jnp.where(condition, a, b), or branch with jax.lax.cond; for a setting that rarely "
            "changes, mark the argument static",
            "branches",
        ),
    ),
    _Rule(
        "TracerIntegerConversionError",
        "",
        Advice(
            "Python needs a whole number here (for range() or an index), but while jit traces this "
            "value is not known",
            "mark the argument static (static_argnames), or loop with jax.lax.fori_loop",
            "branches",
        ),
    ),
    _Rule(
        "TracerArrayConversionError",
        "",
        Advice(
            "NumPy needs the numbers themselves, but while jit traces there are none yet",
            "use the jax.numpy function of the same name",
            "branches",
        ),
    ),
    _Rule(
        "NonConcreteBooleanIndexError",
        "",
        Advice(
            "how many elements a boolean mask selects depends on values, and jit must know every shape",
            "keep the full shape with jnp.where(mask, x, 0), or fix the size: jnp.nonzero(mask, size=…)",
            "stable-shapes",
        ),
    ),
    _Rule(
        "ConcretizationTypeError",
        "",
        Advice(
            "this operation needs a value while tracing, and a traced array has only shape and dtype",
            "mark the argument static, give a fixed size (size=…), or use an operation that works on arrays",
            "branches",
        ),
    ),
    _Rule(
        "UnexpectedTracerError",
        "",
        Advice(
            "a traced value was kept after its trace was over (in a list, a global or an attribute), "
            "and is used now",
            "return the value from the jitted function instead of storing it",
            "tracing-once",
        ),
    ),
)


def advise(error: Raised) -> Advice | None:
    """What is known about this error; None when nothing is."""
    for rule in _RULES:
        if rule.type == error.type and re.search(rule.words, error.message):
            return rule.advice
    return None
