"""Two cache keys -> what differs, in the learner's words.

JAX's own explanation is text, silent for some misses and wrong for others; this module compares the
keys themselves, with the closest earlier key of the same function.
"""

from collections.abc import Iterator, Sequence

from jittutor.key import Argument, Key, Leaf
from jittutor.reason import (
    PRIORITY,
    UNEQUAL,
    Difference,
    Reason,
    after_failure,
    first_on_its_own,
    first_transformed,
    tell,
)

MESHES = ("jax.set_mesh", "with mesh")
"""Settings that also decide where arrays are."""
FIRST, LAST = 16, 64
"""So many of a function's oldest and newest keys are compared: enough to find a close one, and quick."""


def explain(key: Key, earlier: Sequence[Key], raw: str | None = None, failed: Sequence[Key] = ()) -> Reason:
    """Why `key` found nothing among `earlier`, the keys JAX saw before it, oldest first.

    `earlier` may hold keys of any function. `raw` is JAX's own text, passed through. `failed` are the keys
    whose trace raised: JAX keeps nothing of them.
    """
    same = [k for k in earlier if k.function == key.function and k.identity == key.identity]
    if same:
        closest, differences = _closest(key, same)
        if not differences:
            differences = (_hidden(closest, key),)
        return tell(key, differences, raw)
    if any(k.function == key.function and k.identity == key.identity for k in failed):
        return after_failure(key.function, raw)
    twins = [k for k in earlier if _is_twin(key, k)]
    if twins:
        now, before = f"function object {key.identity}", f"function object {twins[-1].identity}"
        return tell(key, (Difference("new function", None, before, now),), raw)
    return tell(key, (Difference("first call", None, None, None),), raw)


def _hidden(before: Key, now: Key) -> Difference:
    """What differs when the keys look the same."""
    if now.epoch > before.epoch:
        return Difference("cache cleared", None, None, None)
    for a, b in zip(before.arguments, now.arguments, strict=False):
        if a.object != b.object and b.static is None:
            return Difference("pytree", b.name, a.tree, f"{b.tree}{UNEQUAL}")
        if b.static == "nan":
            return Difference("static value", b.name, a.static, "nan, which is never equal to itself")
        if a.object != b.object:
            return Difference("static value", b.name, a.static, f"{b.static}, another object and not equal")
    return Difference("unknown", None, None, None)


def compiled_alone(key: Key, compiled: Sequence[Key]) -> Reason:
    """Why a call was compiled though its trace was found; `compiled` are the keys compiled before it."""
    same = [k for k in compiled if k.function == key.function and k.identity == key.identity]
    alike = [k for k in same if _way(k) == _way(key)]
    if alike:
        reason = explain(key, alike)
        return first_transformed(key, first=False) if key.transformed and reason.kind == "unknown" else reason
    if key.transformed:
        return first_transformed(key)
    return first_on_its_own(key.function)


def _way(key: Key) -> list[tuple[str, str]]:
    """Which arguments a transformation has made what of."""
    return [(one.path, one.by) for one in key.transformed]


def _is_twin(key: Key, other: Key) -> bool:
    """Whether the other key is of another object made from what looks like the same function."""
    if other.identity == key.identity:
        return False
    if other.code == key.code:
        return True
    # Written again, at another line; of lambdas there can be many, and they all have one name.
    return "<lambda>@" not in key.code and other.code.rpartition(":")[0] == key.code.rpartition(":")[0]


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
    for a, b in zip(before.transformed, now.transformed, strict=False):
        if a.value != b.value and not any(d.argument == b.path for d in found):
            found.append(Difference("shape", b.path, a.value, b.value))
    if before.options != now.options:
        found.append(Difference("new function", None, _options(before), _options(now)))
    # Another mesh around the call is told of every argument as well.
    return tuple(sorted(found, key=lambda d: (d.argument not in MESHES, PRIORITY.index(d.kind))))


def _options(key: Key) -> str:
    return ", ".join(f"{name}={value}" for name, value in key.options) or "no options"


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
            yield from _leaves(before.leaves_of(name), now.leaves_of(name))


def _form(argument: Argument | None) -> str:
    return "left out" if argument is None else argument.form


def _leaves(before: list[Leaf], now: list[Leaf]) -> Iterator[Difference]:
    for a, b in zip(before, now, strict=False):
        if a.dtype != b.dtype and "key<" in a.dtype + b.dtype:
            # A random key of the new kind against one that is made of numbers: the shapes say nothing.
            yield Difference("dtype", b.path, a.short, b.short)
            continue
        if a.shape != b.shape:
            yield Difference("shape", b.path, a.short, b.short)
        if a.dtype != b.dtype:
            yield Difference("dtype", b.path, a.short, b.short)
        elif a.weak != b.weak:
            yield Difference("weak type", b.path, a.short, b.short)
        if a.placed != b.placed:
            yield Difference("device or sharding", b.path, a.placed or "not placed", b.placed or "not placed")


def _context(before: Key, now: Key) -> Iterator[Difference]:
    old = {**dict(now.usual), **dict(before.context)}
    new = {**dict(before.usual), **dict(now.context)}
    for name in dict.fromkeys([*old, *new]):
        if old.get(name) != new.get(name):
            yield Difference("context", name, old.get(name), new.get(name))
