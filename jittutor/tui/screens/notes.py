"""Two small pages: where a file was written, and what arrives when a key is pressed."""

from pathlib import Path

from textual import events
from textual.content import Content

from jittutor.tui import keys
from jittutor.tui.panes.flow import Block, rows
from jittutor.tui.say import join
from jittutor.tui.screens.dialogs import Page

LAST = 12
"""Pressed keys that are shown."""
NAME, LETTER = 14, 8
"""Cells for a key's name and for the letter that it types."""


class Saved(Page):
    """Where a file is."""

    def __init__(self, path: Path, fetch: str) -> None:
        """Tell of this file; `fetch` is the command that brings it to the learner's machine."""
        super().__init__()
        self.path, self.fetch = path, fetch

    def page_title(self) -> Content:
        """Say that it worked."""
        return join("Written to a file")

    def page(self) -> list[Block]:
        """The file, and how to get it."""
        shown = [Block(join((str(self.path), "bold")))]
        if self.fetch:
            shown.append(Block(join(("On your own machine, this fetches it:", "$muted"))))
            shown.append(Block(join((self.fetch, "bold")), gap=False))
        return shown


class Press(Page):
    """Each key as it arrives, and what it does."""

    def __init__(self) -> None:
        """Nothing was pressed yet."""
        super().__init__()
        self.pressed: list[Content] = []
        self._escape = False

    def page_title(self) -> Content:
        """Say what to do."""
        return join("Press a key")

    def keys_shown(self) -> list[tuple[str, str]]:
        """One Escape is shown like any key."""
        return [("esc twice", "close")]

    def page(self) -> list[Block]:
        """The last keys, newest first."""
        hint = (
            "Keys that your terminal keeps for itself never arrive here. Names as below stand in keys.toml."
        )
        shown = rows([Content(""), *reversed(self.pressed[-LAST:])], NAME + LETTER)
        return [Block(join((hint, "$muted"))), *shown]

    def on_key(self, event: events.Key) -> None:
        """Show the key instead of obeying it; Escape twice leaves."""
        event.stop()
        event.prevent_default()
        if event.key == "escape" and self._escape:
            self.dismiss(None)
            return
        self._escape = event.key == "escape"
        does = next((k.tooltip for k in keys.table() if event.key in _names(k)), "no command")
        letter = repr(event.character) if event.character else ""
        name = (f"{event.key:<{NAME - 1}} ", "bold $accent")
        self.pressed.append(join(name, (f"{letter:<{LETTER - 1}} ", "$muted"), does))
        self.turn()


def _names(key: keys.Key) -> list[str]:
    return [keys.NAMES.get(name, name) for name in (*key.keys, *key.silent)]
