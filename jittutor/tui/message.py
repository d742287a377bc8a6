"""The single bridge from what the worker says to a Textual message."""

import asyncio
from collections.abc import Sequence

from textual.message import Message

from jittutor.event import Event


class Heard(Message):
    """Events of the worker, oldest first; `drawn` is set when the panes have taken them in."""

    def __init__(self, events: Sequence[Event]) -> None:
        """Carry a batch: a message for each line of a chatty program would cost more than the line."""
        super().__init__()
        self.events = events
        self.drawn = asyncio.Event()
