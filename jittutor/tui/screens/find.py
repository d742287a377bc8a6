"""Find a word in the code, the output or a program: a line at the bottom, Enter goes to the next place."""

from typing import ClassVar, Protocol

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from jittutor.tui.panes.editor import Editor
from jittutor.tui.panes.prints import Prints
from jittutor.tui.panes.programs import Programs
from jittutor.tui.say import join
from jittutor.tui.screens.footer import joined, words


class Target(Protocol):
    """Something to find words in."""

    def text(self) -> str:
        """All of it."""
        ...

    def see(self, start: int, end: int) -> None:
        """Bring this part in sight."""
        ...


class Code:
    """The code in the editor."""

    def __init__(self, editor: Editor) -> None:
        """Find in this one."""
        self.editor = editor

    def text(self) -> str:
        """The code."""
        return self.editor.text

    def see(self, start: int, end: int) -> None:
        """Select what was found."""
        self.editor.select_text(start, end)


class Shown:
    """The lines of a pane."""

    def __init__(self, pane: Prints | Programs) -> None:
        """Find in this one."""
        self.pane = pane

    def text(self) -> str:
        """Its lines."""
        return self.pane.plain()

    def see(self, start: int, end: int) -> None:  # noqa: ARG002 - a line is seen as a whole
        """Bring the line in sight."""
        row = self.text().count("\n", 0, start)
        self.pane.stand(row)


class Find(ModalScreen[None]):
    """The line to type in, and how many places there are."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "close"),
        Binding("down", "turn(1)", show=False),
        Binding("up", "turn(-1)", show=False),
        Binding("ctrl+j", "turn(1)", show=False, priority=True),
    ]

    def __init__(self, target: Target, where: str) -> None:
        """Find in this."""
        super().__init__()
        self.target, self.where = target, where
        self.at = 0

    def compose(self) -> ComposeResult:
        """What is known above, what is typed below."""
        yield Static(markup=False)
        yield Input(placeholder="a word", compact=True)

    def on_mount(self) -> None:
        """Say what this is; a cursor that blinks would send bytes all the time."""
        self.query_one(Input).cursor_blink = False
        self.show()

    @on(Input.Changed)
    def typed(self) -> None:
        """The first place."""
        self.at = 0
        self.show()

    @on(Input.Submitted)
    def again(self) -> None:
        """The next place."""
        self.action_turn(1)

    def action_turn(self, offset: int) -> None:
        """Another place."""
        self.at += offset
        self.show()

    def show(self) -> None:
        """Go to the place and say which it is."""
        wanted = self.query_one(Input).value
        places = positions(self.target.text(), wanted)
        if places:
            start = places[self.at % len(places)]
            self.target.see(start, start + len(wanted))
            said = f"{self.at % len(places) + 1} of {len(places)} in the {self.where}"
        else:
            said = f"not in the {self.where}" if wanted else f"find in the {self.where}"
        hints = joined([words("enter", "next"), words("up", "before"), words("esc", "close")])
        self.query_one(Static).update(join((said, "bold"), "  ", hints))


def positions(text: str, wanted: str) -> list[int]:
    """Where a word begins in a text; capital letters count only if the word has some."""
    if not wanted:
        return []
    if wanted == wanted.lower():
        text = text.lower()
    found, at = [], text.find(wanted)
    while at >= 0:
        found.append(at)
        at = text.find(wanted, at + len(wanted))
    return found
