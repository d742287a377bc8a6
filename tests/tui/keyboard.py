"""Keys as the driver would send them, without waiting for what they do."""

import asyncio

from textual.events import Event, Key
from textual.message_pump import MessagePump

from jittutor.tui.app import Tutor

_NAMES = {
    " ": "space", ",": "comma", ".": "full_stop", ":": "colon", "?": "question_mark", "/": "slash",
    "(": "left_parenthesis", ")": "right_parenthesis", "[": "left_square_bracket",
    "]": "right_square_bracket", "#": "number_sign", "<": "less_than_sign", ">": "greater_than_sign",
    "+": "plus", "-": "minus", "=": "equals_sign", "'": "apostrophe", '"': "quotation_mark",
}  # fmt: skip
_CHARACTERS = {"ctrl+j": "\n", "enter": "\r", "tab": "\t", "escape": "\x1b"}


def key(name: str) -> Key:
    """A key by its name, or by its letter."""
    if len(name) == 1:
        return Key(_NAMES.get(name, name), name)
    return Key(name, _CHARACTERS.get(name))


def burst(app: Tutor, *typed: str | Event) -> None:
    """All of this at once."""
    for one in typed:
        app.post_message(one if isinstance(one, Event) else key(one))


async def worked_off(app: Tutor) -> None:
    """Everything that was typed has had its effect; returns at once when the app has ended."""
    while app.is_running:
        await _through(app)
        if not app.waits:
            break
    for node in (app.focused or app.screen).ancestors_with_self if app.is_running else ():
        await _through(node)


async def _through(pump: MessagePump) -> None:
    """The pump has done all that was asked of it until now."""
    done = asyncio.Event()
    if pump.call_later(done.set):
        await done.wait()
