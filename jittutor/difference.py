"""Two programs or two calls side by side: by equations, not by letters.

A jaxpr names its variables a, b, c in order, so that one new equation renames all that follow. Here lines
are matched without names; then a line differs only if its inputs come from other equations than before.
"""

import difflib
import re
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from jittutor.key import Key
from jittutor.reason import Difference
from jittutor.why import compare

type Mark = Literal[" ", "-", "+", "~"]

# A variable: a short word of its own, but neither the operation behind ` = ` nor a word of the grammar.
_NAME = re.compile(r"(?<![\w.\[@<'\"=])(?<!= )(?!(?:let|in)\b)[a-z]{1,4}(?=[:\s,)]|$)")


class Pair(msgspec.Struct, frozen=True):
    """One line of a side-by-side view: ` ` the same, `-` only before, `+` only now, `~` changed."""

    mark: Mark
    before: str
    now: str


def jaxprs(before: str, now: str) -> tuple[Pair, ...]:
    """Two jaxprs as text, line beside line; renamed variables are no difference."""
    old, new = before.splitlines(), now.splitlines()
    shape_old, shape_new = ([_NAME.sub("_", line) for line in lines] for lines in (old, new))
    matcher = difflib.SequenceMatcher(None, shape_old, shape_new, autojunk=False)
    return tuple(_pairs(old, new, matcher.get_opcodes()))


def keys(before: Key, now: Key) -> tuple[Difference, ...]:
    """What is different in the keys of two calls; the same text of two jaxprs can hide it."""
    return compare(before, now)


def is_same(pairs: Sequence[Pair]) -> bool:
    """Whether nothing differs."""
    return all(pair.mark == " " for pair in pairs)


def _pairs(old: list[str], new: list[str], codes: Sequence[tuple[str, int, int, int, int]]) -> Iterator[Pair]:
    names: dict[str, str] = {}
    for what, a, b, c, d in codes:
        if what == "equal":
            for x, y in zip(old[a:b], new[c:d], strict=True):
                yield Pair(" " if _is_same_line(x, y, names) else "~", x, y)
            continue
        both = min(b - a, d - c)
        for x, y in zip(old[a : a + both], new[c : c + both], strict=True):
            _bind(x, y, names)
            yield Pair("~", x, y)
        yield from (Pair("-", x, "") for x in old[a + both : b])
        yield from (Pair("+", "", y) for y in new[c + both : d])


def _is_same_line(before: str, now: str, names: dict[str, str]) -> bool:
    """Whether two lines of the same shape also use the same values; learns the names that they make."""
    used = [_NAME.findall(line.partition(" = ")[2] or line) for line in (before, now)]
    same = all(names.get(x, x) == y for x, y in zip(*used, strict=False))
    _bind(before, now, names)
    return same or "lambda" in before


def _bind(before: str, now: str, names: dict[str, str]) -> None:
    names.update(zip(_makes(before), _makes(now), strict=False))


def _makes(line: str) -> list[str]:
    """The variables that a line gives a name to: before ` = `, or behind `lambda`."""
    head, equals, _ = line.partition(" = ")
    if equals:
        return _NAME.findall(head)
    return _NAME.findall(line) if "lambda" in line else []
