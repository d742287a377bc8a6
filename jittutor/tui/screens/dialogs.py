"""Small screens on top of the lesson: a question, the solution, all keys."""

import difflib
from collections.abc import Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from jittutor.study.source import normal
from jittutor.study.study import Study
from jittutor.tui import keys
from jittutor.tui.panes.code import coloured
from jittutor.tui.panes.flow import Block, Flow, blocks, rows
from jittutor.tui.say import join, say_line
from jittutor.tui.screens.arrange import SHORT
from jittutor.tui.screens.footer import joined, words

WIDE = 16
"""Cells for the names of keys."""
ADVICE = (
    "Letters work when you are not editing: Escape leaves the code. "
    "To select text with the mouse hold Shift (macOS: Option), or press {plain}."
)


class Confirm(ModalScreen[bool]):
    """A question with yes and no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "dismiss(True)", "yes"),
        Binding("enter", "dismiss(True)", "yes"),
        Binding("ctrl+j", "dismiss(True)", "yes"),
        Binding("n", "dismiss(False)", "no"),
        Binding("escape", "dismiss(False)", "no"),
    ]

    def __init__(self, question: str) -> None:
        """Ask this."""
        super().__init__()
        self.question = question

    def compose(self) -> ComposeResult:
        """The question and its two answers."""
        with Vertical(classes="dialog"):
            yield Static(join((self.question, "bold")), markup=False)
            yield Static(Content("   ").join([words("y", "yes"), words("n", "no")]), markup=False)


class Page(ModalScreen[str | None]):
    """Something to read, with a title; Escape closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "close"),
        Binding("q", "dismiss(None)", "close"),
    ]

    VERTICAL_BREAKPOINTS = SHORT

    def keys_shown(self) -> list[tuple[str, str]]:
        """What the keys do here."""
        return [("esc", "close")]

    def page_title(self) -> Content:
        """What stands above."""
        raise NotImplementedError

    def page(self) -> list[Block]:
        """What is to read."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        """Title, text, keys."""
        with Vertical(classes="page"):
            with VerticalScroll() as scroll:
                scroll.border_title = self.page_title()
                yield Flow()
            yield Static(markup=False, classes="keys")

    def on_mount(self) -> None:
        """Show what is to read."""
        self.turn()

    def turn(self) -> None:
        """Draw again after something changed."""
        self.query_one(VerticalScroll).border_title = self.page_title()
        self.query_one(Flow).show(self.page())
        self.query_one(".keys", Static).update(joined([words(*pair) for pair in self.keys_shown()]))


class Help(Page):
    """All keys, from their table."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("question_mark", "dismiss(None)", show=False)]

    def page_title(self) -> Content:
        """Say what this is."""
        return join("Keys")

    def page(self) -> list[Block]:
        """A line for each key, in groups."""
        shown: list[Block] = []
        for group in dict.fromkeys(key.group for key in keys.table()):
            shown.append(Block(join((group, "bold underline"))))
            for key in keys.table():
                if key.group == group:
                    names = "  ".join(key.keys)
                    line = join((f"  {names:<{WIDE - 2}}", "bold $accent"), key.tooltip)
                    shown.append(Block(line, WIDE, gap=False))
        return [*shown, Block(join((keys.told(ADVICE), "$muted")))]


class Solution(Page):
    """The lesson's solution; an exercise that is not done counts as skipped then."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "use", "use it"),
        Binding("d", "diff", "compare"),
        Binding("k", "dismiss(None)", show=False),
    ]

    def __init__(self, study: Study) -> None:
        """Show the solution of the study's step."""
        super().__init__()
        self.study, self.compares = study, False
        assert study.step.solution is not None
        self.solution = study.step.solution
        if not study.known.done:
            study.change(skipped=True)

    def page_title(self) -> Content:
        """Say which of the two views this is."""
        return join("From your code to the solution" if self.compares else "Solution")

    def page(self) -> list[Block]:
        """The code, or what to change in the learner's."""
        source = normal(self.solution.source)
        if self.compares:
            return rows(diff(self.study.source, source))
        head = [*blocks(self.solution.prose), Block(Content(""), gap=False)] if self.solution.prose else []
        return [*head, *rows(coloured(line, "python") for line in source.splitlines())]

    def keys_shown(self) -> list[tuple[str, str]]:
        """Take it, compare, close."""
        other = "the code" if self.compares else "compare with mine"
        return [("u", "use it"), ("d", other), ("esc", "close")]

    def action_diff(self) -> None:
        """Compare, or not."""
        self.compares = not self.compares
        self.turn()

    def action_use(self) -> None:
        """Take it over."""
        self.dismiss(normal(self.solution.source))


def diff(mine: str, other: str) -> Iterator[Content]:
    """Two texts line by line: - is only in mine, + only in the other."""
    for line in difflib.ndiff(mine.splitlines(), other.splitlines()):
        if not line.startswith("?"):
            style = {"-": "$wrong", "+": "$right"}.get(line[0], "")
            yield say_line(line, style)
