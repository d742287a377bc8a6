"""Two cache keys -> what differs, in the learner's words.

JAX's own explanation is text, silent for some misses and wrong for others; this module compares the
keys themselves, with the closest earlier key of the same function.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from jittutor.key import Argument, Key, Leaf, owner

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

FIRST, LAST = 16, 64
"""So many of a function's oldest and newest keys are compared: enough to find a close one, and quick."""

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


def explain(key: Key, earlier: Sequence[Key], raw: str | None = None) -> Reason:
    """Why `key` found nothing among `earlier`, the keys JAX saw before it, oldest first.

    `earlier` may hold keys of any function. `raw` is JAX's own text, passed through.
    """
    same = [k for k in earlier if k.function == key.function and k.identity == key.identity]
    if same:
        closest, differences = _closest(key, same)
        if not differences:
            differences = (_hidden(closest, key),)
        return _reason(key, differences, raw)
    twins = [k for k in earlier if _is_twin(key, k)]
    if twins:
        now, before = f"function object {key.identity}", f"function object {twins[-1].identity}"
        return _reason(key, (Difference("new function", None, before, now),), raw)
    return _reason(key, (Difference("first call", None, None, None),), raw)


def _hidden(before: Key, now: Key) -> Difference:
    """What differs when the keys look the same."""
    if now.epoch > before.epoch:
        return Difference("cache cleared", None, None, None)
    for a, b in zip(before.arguments, now.arguments, strict=False):
        if a.object != b.object:
            return Difference("static value", b.name, a.static, f"{b.static}, another object and not equal")
    return Difference("unknown", None, None, None)


def compiled_alone(key: Key, compiled: Sequence[Key]) -> Reason:
    """Why a call was compiled though its trace was found; `compiled` are the keys compiled before it."""
    same = [k for k in compiled if k.function == key.function and k.identity == key.identity]
    if same:
        return explain(key, same)
    return Reason(
        "first call",
        None,
        None,
        None,
        f"compiled because this was the first call of {key.function} on its own: it had been traced before "
        "inside another function or a transformation",
        _FIX["first call"],
    )


def _is_twin(key: Key, other: Key) -> bool:
    """Whether the other key is of another object made from what looks like the same function."""
    same_name_and_file = (
        other.code == key.code or other.code.rpartition(":")[0] == key.code.rpartition(":")[0]
    )
    return same_name_and_file and other.identity != key.identity


def _closest(key: Key, earlier: Sequence[Key]) -> tuple[Key, tuple[Difference, ...]]:
    """The earlier key with the fewest differences; of equals, the one seen last."""
    if len(earlier) > FIRST + LAST:
        earlier = [*earlier[:FIRST], *earlier[-LAST:]]
    ranked = [(len(found := compare(k, key)), -at, k, found) for at, k in enumerate(earlier)]
    _, _, closest, differences = min(ranked, key=lambda row: row[:2])
    return closest, differences


def compare(before: Key, now: Key) -> tuple[Difference, ...]:
    """What changed from one key to the other of the same function, most telling first."""
    found = [*_arguments(before, now), *_context(before, now)]
    return tuple(sorted(found, key=lambda d: PRIORITY.index(d.kind)))


def _arguments(before: Key, now: Key) -> Iterator[Difference]:
    old = {a.name: a for a in before.arguments}
    new = {a.name: a for a in now.arguments}
    for name in dict.fromkeys([*new, *old]):
        a, b = old.get(name), new.get(name)
        if a is None or b is None or a.form != b.form:
            yield Difference("call form", name, _form(a), _form(b))
        if a is None or b is None or "left out" in (a.form, b.form):
            continue
        if a.static != b.static:
            yield Difference("static value", name, a.static, b.static)
        elif a.tree != b.tree:
            yield Difference("pytree", name, a.tree, b.tree)
        else:
            yield from _leaves(_of(before, name), _of(now, name))


def _form(argument: Argument | None) -> str:
    return "left out" if argument is None else argument.form


def _of(key: Key, name: str) -> list[Leaf]:
    return [leaf for leaf in key.leaves if owner(leaf.path) == name]


def _leaves(before: list[Leaf], now: list[Leaf]) -> Iterator[Difference]:
    for a, b in zip(before, now, strict=False):
        if a.shape != b.shape:
            yield Difference("shape", b.path, a.short, b.short)
        if a.dtype != b.dtype:
            yield Difference("dtype", b.path, a.short, b.short)
        elif a.weak != b.weak:
            yield Difference("weak type", b.path, a.short, b.short)
        if a.placed != b.placed:
            yield Difference("device or sharding", b.path, a.placed or "not placed", b.placed or "not placed")


def _context(before: Key, now: Key) -> Iterator[Difference]:
    old, new = dict(before.context), dict(now.context)
    for name in dict.fromkeys([*old, *new]):
        if old.get(name) != new.get(name):
            yield Difference("context", name, old.get(name), new.get(name))


def _reason(key: Key, differences: tuple[Difference, ...], raw: str | None) -> Reason:
    main = differences[0]
    say, fix = _SAY[main.kind], _FIX[main.kind]
    words = {
        "function": key.function,
        "argument": main.argument,
        "before": main.before,
        "now": main.now,
    }
    return Reason(
        main.kind,
        main.argument,
        main.before,
        main.now,
        say.format_map(words) + _also(differences[1:]),
        fix.format_map(words),
        raw,
        differences,
    )


def _also(more: Sequence[Difference]) -> str:
    """The other differences, in a few words."""
    if not more:
        return ""
    shown = [f"{d.argument or d.kind}: {d.before} → {d.now}" for d in more[:2]]
    rest = f" and {len(more) - 2} more" if len(more) > 2 else ""
    return f"; changed as well: {', '.join(shown)}{rest}"


_SAY: dict[Kind, str] = {
    "first call": "traced because this was the first call of {function}",
    "shape": "not reused because {argument} had a new shape: {before} → {now}",
    "dtype": "not reused because {argument} had a new dtype: {before} → {now}",
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
    "weak type": "pass {argument} as an array of a fixed dtype each time, for example jnp.float32(…)",
    "static value": "if {argument} varies often, do not mark it static: pass it as an array",
    "pytree": "pass {argument} with the same structure each time (same container types, keys and Nones)",
    "call form": "call {function} in one way: {argument} always by position or always by name",
    "new function": "create the jitted function once, outside the loop or function that calls it",
    "context": "set {argument} once, before the first call",
    "device or sharding": "put {argument} on its device the same way each time (jax.device_put)",
    "cache cleared": "clear caches only when you want to pay for compiling again",
    "unknown": "see JAX's own words",
}
