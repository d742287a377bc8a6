"""The one door through which text that we did not write reaches the screen: cleaned, never markup."""

from collections.abc import Iterable

from textual.content import Content
from textual.events import Click
from textual.style import Style

from jittutor.clean import clean, clean_line

type Piece = str | tuple[str, str] | Content


def say(text: str, style: str = "") -> Content:
    """Any text as content for a widget; newlines stay."""
    return Content.styled(clean(text), style)


def say_line(text: str, style: str = "") -> Content:
    """Any text as content of one line."""
    return Content.styled(clean_line(text), style)


def join(*pieces: Piece) -> Content:
    """Pieces side by side; plain text and (text, style) pairs are cleaned on the way."""
    return Content.assemble(*(piece if isinstance(piece, Content) else _said(piece) for piece in pieces))


def stack(lines: Iterable[Content]) -> Content:
    """Lines below each other."""
    return Content("\n").join(lines)


def fit(content: Content, width: int) -> Content:
    """The content in exactly this many cells: cut with an ellipsis, or filled with spaces."""
    return content.truncate(width, ellipsis=True, pad=True)


def beside(left: Content, right: Content, width: int) -> Content:
    """One line with something at each end; the left part gives way."""
    room = max(0, width - right.cell_length)
    return Content.assemble(fit(left, room), right) if room else fit(right, width)


def does(content: Content, action: str) -> Content:
    """The content with an action that a click on it runs (see `clicked`)."""
    return content.stylize(Style.from_meta({"does": action}))


def clicked(event: Click) -> str | None:
    """The action of what was clicked on, if it has one."""
    action = event.style.meta.get("does")
    return action if isinstance(action, str) else None


def _said(piece: str | tuple[str, str]) -> Content:
    return say(piece) if isinstance(piece, str) else say(*piece)
