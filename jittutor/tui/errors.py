"""An exception -> the lines that explain it: where, what was traced, why, what helps, which lesson."""

from collections.abc import Iterator

from textual.content import Content

from jittutor.advice import advise
from jittutor.event import Raised
from jittutor.tui import keys
from jittutor.tui.panes.flow import Block, inline, rows
from jittutor.tui.say import join, say

NAME = 11
"""Cells for what a line tells."""


def explained(raised: Raised, lesson: str, *, raw: bool) -> Iterator[Block]:
    """The words about an error and the lesson to open; JAX's whole message only when `raw`."""
    place = f"  line {raised.line}" if raised.line else ""
    inside = f" in {raised.function}" if raised.function else ""
    yield _row(join(("✗ ", "bold $wrong"), (raised.type, "bold $wrong"), f"{place}{inside}"), 2)
    if raised.place:
        yield _named("raised in", join(raised.place))
        if raised.code:
            yield _named("", say(raised.code.strip()))
    if raised.traced:
        yield _named("traced", join((raised.traced, "$trace")))
    advice = advise(raised)
    if advice is not None:
        yield _named("why", inline(_sentence(advice.say)))
        yield _named("to change", inline(_sentence(advice.fix)))
    if lesson:
        yield _named("lesson", join(lesson, (keys.told("  {lesson} opens it"), "$muted")))
    yield from _message(raised, raw=raw, known=advice is not None)


def _message(raised: Raised, *, raw: bool, known: bool) -> Iterator[Block]:
    message = raised.message.strip()
    if raw:
        yield _row(join(("the message:", "$muted")))
        yield from rows(say(line) for line in message.split("\n"))
        yield from rows(say(line, "$muted") for line in raised.traceback.strip().splitlines())
        return
    if not known:
        yield from rows(say(line) for line in message.split("\n\n")[0].split("\n"))
    yield _row(join((keys.told("{raw} shows the whole message and where it came from"), "$muted")))


def _named(name: str, text: Content) -> Block:
    return _row(join((f"{name:<{NAME}}", "$muted"), text), NAME)


def _row(text: Content, hang: int = 0) -> Block:
    return Block(text, hang, gap=False)


def _sentence(text: str) -> str:
    return text.rstrip(".") + "."
