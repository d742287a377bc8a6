"""What the screen needs of the link to the worker; jittutor.link.Link is one, tests have another."""

from collections.abc import AsyncIterator
from typing import Protocol

from jittutor.event import Event, Run


class Link(Protocol):
    """The worker, seen from the screen."""

    def events(self) -> AsyncIterator[Event]:
        """Everything the worker says, without end."""
        ...

    def send(self, request: Run) -> None:
        """Start a run, and a worker if there is none."""
        ...

    def interrupt(self) -> None:
        """Ask the run to stop."""
        ...

    async def restart(self) -> None:
        """End the worker and start another."""
        ...

    async def close(self) -> None:
        """End the worker."""
        ...
