"""Ways to break a lesson: each gives a changed step and what verify must find wrong with it."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from jittutor.lesson import Claim, Code, Lesson, Step
from jittutor.spans import paths

NONSENSE = "nothing like this"
INTRO = (
    "This text stands in for the introduction of the lesson, which speaks of all of its steps, not of one."
)


class Mutation(NamedTuple):
    """A lesson of one broken step, as it was, and the names of the findings of which one must come."""

    name: str
    whole: Lesson
    broken: Lesson
    found: frozenset[str]


def mutations(lesson: Lesson) -> Iterator[Mutation]:
    """Every way to break this lesson that is known here."""
    for step in lesson.steps:
        for name, broken, *found in (*claims(step), *predictions(step), *exercise(step), *hints(step)):
            yield Mutation(
                f"{lesson.slug}/{step.id}: {name}",
                alone(lesson, step),
                alone(lesson, broken),
                frozenset(found),
            )


def alone(lesson: Lesson, step: Step) -> Lesson:
    """The lesson with this step only."""
    return msgspec.structs.replace(lesson, steps=(step,), intro=INTRO)


type Broken = tuple[Any, ...]
"""A name, the broken step, and the findings."""


def changed(step: Step, **changes: Any) -> Step:
    return msgspec.structs.replace(step, **changes)


def claims(step: Step) -> Iterator[Broken]:
    for at, claim in enumerate(step.claims):
        wrong = Claim(claim.name, falsified(claim.name, claim.expected), claim.line)
        others = (*step.claims[:at], wrong, *step.claims[at + 1 :])
        yield f"{claim.name}={wrong.expected!r}", changed(step, claims=others), claim.name


def falsified(name: str, value: Any) -> Any:  # noqa: PLR0911 - one for each kind of value
    """Another value of the same kind that cannot hold where this one does."""
    if isinstance(value, dict):
        first, *_ = value
        return {**value, first: falsified(name, value[first])}
    if isinstance(value, list):
        return [falsified(name, value[0]), *value[1:]]
    if isinstance(value, int):
        return value + 1
    if name == "cache":
        return f"{value} hit"
    if name == "reasons":
        return f"{value}, unknown" if value else "unknown"
    if name == "slower":
        a, times, b = re.fullmatch(r"(\w+) > ((?:[\d.]+ \* )?)(\w+)", value).groups()  # type: ignore[union-attr]
        return f"{b} > {times}{a}"
    return f"not ({value})" if name == "holds" else NONSENSE


def predictions(step: Step) -> Iterator[Broken]:
    for at, predict in enumerate(step.predicts):
        wrong = msgspec.structs.replace(predict, answer=f"[{predict.answer}]")
        others = (*step.predicts[:at], wrong, *step.predicts[at + 1 :])
        yield (
            f"prediction {at + 1} answers something else",
            changed(step, predicts=others),
            f"prediction {at + 1}",
        )


def exercise(step: Step) -> Iterator[Broken]:
    if step.check is None or step.solution is None:
        return
    answers = [f"wrong answer {at}" for at, _ in enumerate(step.wrongs, 1)]
    nothing = changed(step, check=code(step.check, source="pass\n"))
    yield "the check checks nothing", nothing, "start code", *answers
    yield "the start code is solved", changed(step, source=step.solution.source), "start code"
    for source, name in (
        (step.source, "the start code"),
        *((w.source, "a wrong answer") for w in step.wrongs),
    ):
        yield (
            f"the solution is {name}",
            changed(step, solution=code(step.solution, source=source)),
            "solution",
        )
    for at, wrong in enumerate(step.wrongs):
        for name, bad in (
            ("is right", code(wrong, source=step.solution.source)),
            ("is told something else", code(wrong, prose=NONSENSE)),
        ):
            others = (*step.wrongs[:at], bad, *step.wrongs[at + 1 :])
            yield f"wrong answer {at + 1} {name}", changed(step, wrongs=others), f"wrong answer {at + 1}"


def code(old: Code, **changes: Any) -> Code:
    return msgspec.structs.replace(old, **changes)


def hints(step: Step) -> Iterator[Broken]:
    for at, hint in enumerate(step.hints):
        before, after = step.hints[:at], step.hints[at + 1 :]
        name = f"hint {at + 1}"
        for path in paths(hint):
            bad = re.sub(rf"(`[^`]*){re.escape(path)}(?![\w.])([^`]*`)", rf"\g<1>{path}q\g<2>", hint, count=1)
            yield f"{name} says {path}q", changed(step, hints=(*before, bad, *after)), "spans"
        bad = re.sub(r"\b([a-z]{4,})\b(?=[^`]*(?:`[^`]*`[^`]*)*\Z)", r"\1zq", hint, count=1)
        if bad != hint:
            yield f"{name} is misspelled", changed(step, hints=(*before, bad, *after)), "spelling"
        again = step.hints[at - 1]
        yield f"{name} says what another says", changed(step, hints=(*before, again, *after)), "form"
        if len(step.hints) == 2:
            yield f"{name} is missing", changed(step, hints=(*before, *after)), "form"
        elif at == 0:
            yield "all hints but one are missing", changed(step, hints=(hint,)), "form"
