"""An exception -> the lines that explain it: where, what was traced, why, what helps, which lesson."""

from collections.abc import Iterator

from textual.content import Content

from jittutor.advice import advise
from jittutor.event import Raised
from jittutor.tui.panes.flow import inline
from jittutor.tui.say import join, say


def explained(raised: Raised, *, raw: bool) -> Iterator[Content]:
    """The words about an error; JAX's whole message and where it came from only when `raw`."""
    place = f"  line {raised.line}" if raised.line else ""
    inside = f" in {raised.function}" if raised.function else ""
    yield join(("✗ ", "bold $wrong"), (raised.type, "bold $wrong"), f"{place}{inside}")
    if raised.place:
        yield join(("raised in  ", "$muted"), raised.place)
        if raised.code:
            yield say(f"           {raised.code.strip()}")
    if raised.traced:
        yield join(("traced     ", "$muted"), (raised.traced, "$trace"))
    advice = advise(raised)
    if advice is not None:
        yield join(("why        ", "$muted"), inline(_sentence(advice.say)))
        yield join(("to change  ", "$muted"), inline(_sentence(advice.fix)))
        if advice.lesson:
            yield join(("lesson     ", "$muted"), advice.lesson, ("  i opens it", "$muted"))
    yield from _message(raised, raw=raw, known=advice is not None)


def _message(raised: Raised, *, raw: bool, known: bool) -> Iterator[Content]:
    message = raised.message.strip()
    if raw:
        yield join(("the message:", "$muted"))
        yield say(message)
        if raised.traceback:
            yield say(raised.traceback.strip(), "$muted")
        return
    if not known:
        yield say(message.split("\n\n")[0])
    yield join(("j shows the whole message and where it came from", "$muted"))


def _sentence(text: str) -> str:
    return text.rstrip(".") + "."
