"""Keys are worked off one after the other: each finds the focus and the screen as the one before left them.

Textual gives a key to the widget that has the focus when the key arrives. A key that moves the focus does so
only when it has come from that widget up to the app; what was typed right behind it would go to the old one.
"""

import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from functools import partial

from textual.app import App
from textual.dom import DOMNode
from textual.errors import NoWidget
from textual.events import Event, InputEvent, Key, MouseEvent, MouseMove, Paste
from textual.message_pump import MessagePump
from textual.widgets import Input, TextArea

PATIENCE = 5.0
"""Seconds after which a key goes ahead although the one before it never came to its end."""
type Then = Callable[[], Awaitable[None] | None]


class InOrderApp(App[None]):
    """An app that looks at a key, a paste or a click when all before it have had their effect."""

    def __init__(self) -> None:
        """Nothing was typed yet."""
        super().__init__()
        self._typed: deque[Event] = deque()
        self._busy_since: float | None = None
        self._written: DOMNode | None = None
        """Where letters were sent that nobody has waited for: they move no focus, so they need not wait."""

    @property
    def waits(self) -> bool:
        """Whether something that was typed is not worked off; letters on their way do not count."""
        return bool(self._typed) or self._busy_since is not None

    async def on_event(self, event: Event) -> None:
        """What comes from the learner waits for its turn."""
        if not isinstance(event, InputEvent | Paste) or event.is_forwarded:
            await super().on_event(event)
            return
        self._typed.append(event)
        if self._busy_since is None or time.monotonic() - self._busy_since > PATIENCE:
            await self._take()

    async def _take(self) -> None:
        """Work off what was typed, as far as nothing has to be waited for."""
        self._busy_since = None
        while self._typed and self._busy_since is None:
            event = self._typed[0]
            target = self._target(event)
            is_letter = _is_letter(event, target)
            if self._written is not None and not (is_letter and target is self._written):
                # The app may hear this one before the widget has seen the letters.
                self._settle(self._written, partial(self._settle, self._written, self._take))
                self._written = None
                continue
            self._typed.popleft()
            await super().on_event(event)
            if is_letter:
                self._written = target
            elif not isinstance(event, MouseMove):
                self._settle(target, partial(self._settle, target, self._take))

    def _target(self, event: Event) -> DOMNode:
        """Who hears of the event first."""
        if isinstance(event, MouseEvent):
            try:
                return self.get_widget_at(event.x, event.y)[0]
            except NoWidget:
                return self.screen
        return self.focused or self.screen

    def _settle(self, target: DOMNode, then: Then) -> None:
        """Go on when everyone the event may have come to has done all that was asked of them until now."""
        self._busy_since = time.monotonic()
        now = self.focused or self.screen
        nodes = dict.fromkeys([*target.ancestors_with_self, *now.ancestors_with_self])
        nodes.pop(self, None)
        self._visit(iter(nodes), then)

    def _visit(self, nodes: Iterator[MessagePump], then: Then) -> None:
        """Ask one after the other; who is gone is passed over."""
        if not any(node.call_later(self._visit, nodes, then) for node in nodes):
            self.call_later(then)


def _is_letter(event: Event, target: DOMNode) -> bool:
    """Whether this is a letter that is only written down."""
    return isinstance(event, Key) and event.is_printable and isinstance(target, TextArea | Input)
