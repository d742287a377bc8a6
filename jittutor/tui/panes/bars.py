"""One-line bars at the edges of the screen: something at the left, something at the right."""

from textual.content import Content
from textual.events import Click
from textual.widget import Widget

from jittutor.tui.say import beside, clicked

NOTHING = Content("")


class Bar(Widget):
    """A line with two ends; drawn only when what it says changes."""

    DEFAULT_CSS = "Bar { height: 1; width: 1fr; }"

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's own name for it
        """Say nothing yet."""
        super().__init__(id=id)
        self.left = self.right = NOTHING

    def say(self, left: Content, right: Content = NOTHING) -> None:
        """Say this from now on."""
        if not (left.is_same(self.left) and right.is_same(self.right)):
            self.left, self.right = left, right
            self.refresh()

    async def on_click(self, event: Click) -> None:
        """A click on a key's name does what the key does."""
        if (action := clicked(event)) is not None:
            await self.screen.run_action(action)

    def render(self) -> Content:
        """The two ends."""
        return beside(self.left, self.right, self.size.width)
