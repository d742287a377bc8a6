"""A difference between two cache keys -> one sentence and one change that helps."""

import os
import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from jittutor.key import Key

type Kind = Literal[
    "first call",
    "shape",
    "dtype",
    "weak type",
    "static value",
    "pytree",
    "call form",
    "new function",
    "context",
    "device or sharding",
    "cache cleared",
    "unknown",
]

# When several things changed at once, the first of these is told first.
PRIORITY: tuple[Kind, ...] = (
    "new function",
    "call form",
    "pytree",
    "static value",
    "shape",
    "dtype",
    "weak type",
    "device or sharding",
    "context",
    "cache cleared",
    "unknown",
)


UNEQUAL = ", with fixed parts that are not equal"
"""Said of a tree that looks the same."""
LONGEST, AROUND = 160, 40
"""Letters of a value that are told, and of what stands around the part that differs."""


class Difference(msgspec.Struct, frozen=True):
    """One part of the key that is not as it was."""

    kind: Kind
    argument: str | None
    before: str | None
    now: str | None


class Reason(msgspec.Struct, frozen=True):
    """Why a call was not reused, and what to do about it."""

    kind: Kind
    argument: str | None
    before: str | None
    now: str | None
    say: str
    fix: str
    raw: str | None = None
    differences: tuple[Difference, ...] = ()


def tell(key: Key, differences: tuple[Difference, ...], raw: str | None = None) -> Reason:
    """The reason for what differs, the most telling difference first."""
    differences = tuple(map(_clipped, differences))
    main = differences[0]
    say, fix = _say(main), _fix(main)
    words = {
        "function": key.function,
        "argument": main.argument,
        "before": main.before,
        "now": main.now,
        "what": _what(differences),
        "example": _example(key, main.argument),
    }
    return Reason(
        main.kind,
        main.argument,
        main.before,
        main.now,
        say.format_map(words) + _also(main, differences[1:]),
        fix.format_map(words),
        raw,
        differences,
    )


def _clipped(difference: Difference) -> Difference:
    """With long values cut down to where they differ."""
    before, now = _folded(difference.before), _folded(difference.now)
    if before is None or now is None or max(len(before), len(now)) <= LONGEST:
        return msgspec.structs.replace(difference, before=before, now=now)
    same = len(os.path.commonprefix([before, now]))  # noqa: RUF071 - letters are meant
    same_after = len(os.path.commonprefix([before[same:][::-1], now[same:][::-1]]))  # noqa: RUF071 - as above
    return msgspec.structs.replace(
        difference, before=_around(before, same, same_after), now=_around(now, same, same_after)
    )


def _folded(tree: str | None) -> str | None:
    """With a long row of arrays told by their number: `[* 50 times]`."""
    return tree and re.sub(r"\*(?:, \*){7,}", lambda row: f"* {row[0].count('*')} times", tree)


def _around(text: str, same: int, same_after: int) -> str:
    """The part between what is the same before and after, with a little of both."""
    start, end = max(0, same - AROUND), len(text) - max(0, same_after - AROUND)
    part = text[start : min(end, start + LONGEST)]
    return f"{'…' if start else ''}{part}{'…' if start + len(part) < len(text) else ''}"


def _is_jitted_again(main: Difference) -> bool:
    return main.kind == "new function" and not (main.now or "").startswith("function object")


def _say(main: Difference) -> str:
    if _is_jitted_again(main):
        return "not reused because {function} was jitted again with other options: {before} → {now}"
    return _SAY[main.kind]


def _fix(main: Difference) -> str:
    """What helps, in the words of this case."""
    if _is_jitted_again(main):
        return "jit {function} once, with the options it needs, and call that one everywhere"
    if main.kind == "static value":
        return _STATIC[_sort(main)]
    if main.kind == "pytree" and (main.now or "").endswith(UNEQUAL):
        return (
            "use the same objects as fixed parts of {argument} each time, or give their class an __eq__ and "
            "a __hash__ that compare values"
        )
    if main.kind == "dtype" and "key<" in f"{main.before}{main.now}":
        return "make random keys in one way everywhere: jax.random.key(…)"
    return _form(main) if main.kind == "call form" else _FIX[main.kind]


def _form(main: Difference) -> str:
    """How to call a function that was called in two ways."""
    if "[" in (main.argument or ""):
        return "call {function} with as many arguments each time, or hand them over as one array"
    if "left out" in (main.before, main.now):
        return "call {function} in one way: hand over {argument} in every call, or in none"
    return _FIX["call form"]


def _sort(main: Difference) -> str:
    """Whether a static argument is a number, another value, or an object that is not equal to its like."""
    if main.before is not None and (main.now or "").startswith(f"{main.before}, another object"):
        return "object" if "(" in main.before else "function"
    try:
        float(main.now or "")
    except ValueError:
        return "value"
    return "number"


def _example(key: Key, path: str | None) -> str:
    """How to write a number with the dtype of an argument."""
    dtype = next((leaf.dtype for leaf in key.leaves if leaf.path == path), "")
    return f"jnp.{_NUMBERS.get(dtype, 'float32')}(…)"


def _what(differences: Sequence[Difference]) -> str:
    """All that changed where the first change was: `shape and dtype`."""
    kinds = [d.kind for d in differences if _told(d) == _told(differences[0])]
    return " and ".join(kinds)


def _told(difference: Difference) -> tuple[str | None, ...]:
    return difference.argument, difference.before, difference.now


def _also(main: Difference, more: Sequence[Difference]) -> str:
    """The other differences, in a few words; what the first has told is not said again."""
    more = list({_told(d): d for d in reversed(more) if _told(d) != _told(main)}.values())[::-1]
    if not more:
        return ""
    shown = [f"{d.argument or d.kind}: {d.before} → {d.now}" for d in more[:2]]
    rest = f" and {len(more) - 2} more" if len(more) > 2 else ""
    return f"; changed as well: {', '.join(shown)}{rest}"


def first_on_its_own(function: str) -> Reason:
    """The reason of a call that only compiled, as the first that was executed."""
    return Reason(
        "first call",
        None,
        None,
        None,
        f"compiled because this was the first call of {function} on its own: it had been traced before "
        "(inside another function, by a transformation, or ahead of time)",
        _FIX["first call"],
    )


def first_transformed(key: Key, *, first: bool = True) -> Reason:
    """The reason of a call that only compiled, under transformations: their first, or another sort."""
    ways = dict.fromkeys(one.by for one in key.transformed)
    told = " and ".join(
        f"{way} ({', '.join(one.path for one in key.transformed if one.by == way)})" for way in ways
    )
    return Reason(
        "first call",
        None,
        None,
        None,
        f"compiled because this was the first call of {key.function} under {told}: a transformation makes "
        "a program of its own from the trace"
        if first
        else f"compiled because {told} made another program from the trace of {key.function} than before, "
        "as vjp, linearize and another choice of results do",
        _FIX["first call"],
    )


def after_failure(function: str, raw: str | None = None) -> Reason:
    """The reason of a call whose like raised before it was traced to its end."""
    return Reason(
        "first call",
        None,
        None,
        None,
        f"traced again because the same call of {function} raised before its trace was complete: nothing of "
        "it was kept",
        "nothing to fix here: what raised is the one to mend",
        raw,
    )


_SAY: dict[Kind, str] = {
    "first call": "traced because this was the first call of {function}",
    "shape": "not reused because {argument} had a new {what}: {before} → {now}",
    "dtype": "not reused because {argument} had a new {what}: {before} → {now}",
    "weak type": "not reused because {argument} was a Python scalar one time and an array the other "
    "(weak type, marked ~): {before} → {now}",
    "static value": "not reused because the static argument {argument} had a new value: {before} → {now}",
    "pytree": "not reused because {argument} had a new structure: {before} → {now}",
    "call form": "not reused because {argument} was passed in a new way: {before} → {now}",
    "new function": "not reused because {function} is a new function object, made again from the same code",
    "context": "not reused because the setting {argument} changed: {before} → {now}",
    "device or sharding": "not reused because {argument} was placed differently: {before} → {now}",
    "cache cleared": "not reused because the cache was cleared since the same call was made",
    "unknown": "not reused, and the keys look the same: the reason is not known",
}

_FIX: dict[Kind, str] = {
    "first call": "nothing to fix: every program is built once",
    "shape": "keep one shape: pad {argument} to a fixed length before the call, or use a few fixed lengths",
    "dtype": "convert {argument} to one dtype before the call",
    "weak type": "pass {argument} as an array of a fixed dtype each time, for example {example}",
    "pytree": "pass {argument} with the same structure each time (same container types, keys and Nones)",
    "call form": "call {function} in one way: {argument} always by position or always by name",
    "new function": "create the jitted function once, outside the loop or function that calls it, and hand "
    "over what differs as an argument",
    "context": "set {argument} once, before the first call",
    "device or sharding": "put {argument} on its device the same way each time (jax.device_put)",
    "cache cleared": "clear caches only when you want to pay for compiling again",
    "unknown": "see JAX's own words",
}

_STATIC = {
    "number": "if {argument} varies often, do not mark it static: pass it as an array",
    "value": "keep {argument} to a few values: each of them has a program of its own",
    "function": "hand over the same function object each time: define it once, outside the loop",
    "object": "make the object once and hand over the same one, or give its class an __eq__ and a __hash__ "
    "that compare values, as a frozen dataclass has",
}
"""For a static value: a number, another value, a function, an object that only looks the same."""

_NUMBERS = {
    "f16": "float16",
    "bf16": "bfloat16",
    "f32": "float32",
    "f64": "float64",
    "i32": "int32",
    "i64": "int64",
    "c64": "complex64",
    "c128": "complex128",
}
