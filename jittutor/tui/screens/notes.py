"""Two small pages: where a file was written, and what arrives when a key is pressed."""

from pathlib import Path

from textual import events
from textual.content import Content

from jittutor.tui import keys
from jittutor.tui.say import join, stack
from jittutor.tui.screens.dialogs import Page

LAST = 12
"""Pressed keys that are shown."""


class Saved(Page):
    """Where a file is."""

    def __init__(self, path: Path, fetch: str) -> None:
        """Tell of this file; `fetch` is the command that brings it to the learner's machine."""
        super().__init__()
        self.path, self.fetch = path, fetch

    def page_title(self) -> Content:
        """Say that it worked."""
        return join("Written to a file")

    def page(self) -> Content:
        """The file, and how to get it."""
        lines = [join((str(self.path), "bold"))]
        if self.fetch:
            lines += [
                Content(""),
                join(("On your own machine, this fetches it:", "$muted")),
                join((self.fetch, "bold")),
            ]
        return stack(lines)


class Press(Page):
    """Each key as it arrives, and what it does."""

    keys_shown = (("esc esc", "close"),)

    def __init__(self) -> None:
        """Nothing was pressed yet."""
        super().__init__()
        self.pressed: list[Content] = []
        self._escape = False

    def page_title(self) -> Content:
        """Say what to do."""
        return join("Press a key")

    def page(self) -> Content:
        """The last keys, newest first."""
        hint = (
            "Keys that your terminal keeps for itself never arrive here. Names as below stand in keys.toml."
        )
        return stack([join((hint, "$muted")), Content(""), *reversed(self.pressed[-LAST:])])

    def on_key(self, event: events.Key) -> None:
        """Show the key instead of obeying it; Escape twice leaves."""
        event.stop()
        event.prevent_default()
        if event.key == "escape" and self._escape:
            self.dismiss(None)
            return
        self._escape = event.key == "escape"
        does = next((k.tooltip for k in keys.table() if event.key in _names(k)), "no command")
        letter = f"  {event.character!r}" if event.character else ""
        self.pressed.append(join((f"{event.key:<16}", "bold $accent"), (f"{letter:<10}", "$muted"), does))
        self.turn()


def _names(key: keys.Key) -> list[str]:
    return [keys.NAMES.get(name, name) for name in (*key.keys, *key.silent)]
