"""An exception -> why it happened in one sentence, one change that helps, and the lesson about it.

Unknown exceptions get none: an honest silence is better than a guess.
"""

import re
from string import Template

from jittutor.advice import gradients, loops, placing, running, shapes, sizes, static, strict, tracers
from jittutor.advice.rule import Advice, Rule
from jittutor.event import Inner, Raised

__all__ = ["RULES", "Advice", "Rule", "advise", "find"]

RULES: tuple[Rule, ...] = (
    *tracers.RULES,
    *sizes.RULES,
    *static.RULES,
    *loops.RULES,
    *gradients.RULES,
    *shapes.RULES,
    *running.RULES,
    *placing.RULES,
    *strict.RULES,
)
"""All that is known; the first rule that fits is used, so the special ones stand before the general."""

LONGEST = 120
_DIRECT = re.compile(r"(.+), arguments? of (?:\w+|a lambda)")
_BEHIND = re.compile(r".+, from the arguments? (.+) of (?:\w+|a lambda)")
_NAME = re.compile(r"([A-Za-z_]\w*)(?:: \w+\[\])?")
"""An argument that could be static: a name, and a single number where the type is told."""


def advise(error: Raised) -> Advice | None:
    """What is known about this error, or about what it was made from; None when nothing is."""
    every: tuple[Raised | Inner, ...] = (error, *error.inner)
    for one in every:
        found = find(one)
        if found is not None:
            rule, words = found
            say, fix = (Template(text).safe_substitute(words) for text in (rule.say, rule.fix))
            return Advice(f"{_from(one)}{say}", fix, rule.lesson)
    return None


def _from(error: Raised | Inner) -> str:
    """Which exception is meant, when it is not the one that was raised."""
    if isinstance(error, Raised):
        return ""
    return f"{error.type} at line {error.line}: " if error.line else f"{error.type}: "


def find(error: Raised | Inner) -> tuple[Rule, dict[str, str]] | None:
    """The rule for this error, and the words that stand for its `$names`."""
    for rule in RULES:
        if error.type not in rule.type.split("|"):
            continue
        said = re.search(rule.words, error.message)
        if said and re.search(rule.code, error.code) and re.search(rule.traced, error.traced or ""):
            return rule, {**_static(error), **_cut(said.groupdict())}
    return None


def _static(error: Raised | Inner) -> dict[str, str]:
    """How the text names the arguments of the jitted function, and the option that makes them static."""
    told = _DIRECT.fullmatch(error.traced or "") or _BEHIND.fullmatch(error.traced or "")
    found = [_NAME.fullmatch(part) for part in re.split(r", | and ", told[1])] if told else []
    names = [part[1] for part in found if part]
    if not names:
        return {"argument": "the argument", "static": "static_argnames"}
    quoted = ", ".join(f'"{name}"' for name in names)
    return {
        "argument": " and ".join(f"`{name}`" for name in names),
        "static": f"static_argnames={quoted}" if len(names) == 1 else f"static_argnames=({quoted})",
    }


def _cut(words: dict[str, str | None]) -> dict[str, str]:
    return {
        key: (word or "") if len(word or "") <= LONGEST else f"{word or '':.{LONGEST - 1}}…"
        for key, word in words.items()
    }
