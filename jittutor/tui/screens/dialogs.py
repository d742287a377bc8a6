"""Small screens on top of the lesson: a question, the solution, all keys."""

import difflib
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from jittutor.tui import keys
from jittutor.tui.panes.code import coloured
from jittutor.tui.say import join, say_line, stack
from jittutor.tui.screens.footer import joined, words
from jittutor.tui.source import normal
from jittutor.tui.study import Study

ADVICE = (
    "Letters work when you are not editing: Escape leaves the code. "
    "To select text with the mouse hold Shift (macOS: Option), or press v."
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
            yield Static(joined([words("y", "yes"), words("n", "no")]), markup=False)


class Page(ModalScreen[str | None]):
    """Something to read, with a title; Escape closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "close"),
        Binding("q", "dismiss(None)", "close"),
    ]
    keys_shown: ClassVar[tuple[tuple[str, str], ...]] = (("esc", "close"),)

    def page_title(self) -> Content:
        """What stands above."""
        raise NotImplementedError

    def page(self) -> Content:
        """What is to read."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        """Title, text, keys."""
        with Vertical(classes="page"):
            with VerticalScroll() as scroll:
                scroll.border_title = self.page_title()
                yield Static(self.page(), markup=False, classes="words")
            yield Static(joined([words(*pair) for pair in self.keys_shown]), markup=False)

    def turn(self) -> None:
        """Draw again after something changed."""
        self.query_one(VerticalScroll).border_title = self.page_title()
        self.query_one(".words", Static).update(self.page())


class Help(Page):
    """All keys, from their table."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("question_mark", "dismiss(None)", show=False)]

    def page_title(self) -> Content:
        """Say what this is."""
        return join("Keys")

    def page(self) -> Content:
        """A line for each key, in groups."""
        lines: list[Content] = []
        for group in dict.fromkeys(key.group for key in keys.table()):
            lines += (
                [Content(""), join((group, "bold underline"))] if lines else [join((group, "bold underline"))]
            )
            for key in keys.table():
                if key.group == group:
                    names = "  ".join(key.keys)
                    lines.append(join((f"  {names:<14}", "bold $accent"), key.tooltip))
        lines += [Content(""), join((ADVICE, "$muted"))]
        return stack(lines)


class Solution(Page):
    """The lesson's solution; an exercise that is not done counts as skipped then."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "use", "use it"),
        Binding("d", "diff", "compare"),
        Binding("k", "dismiss(None)", show=False),
    ]
    keys_shown = (("u", "put it in the editor"), ("d", "compare with mine"), ("esc", "close"))

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

    def page(self) -> Content:
        """The code, or what to change in the learner's."""
        source = normal(self.solution.source)
        if not self.compares:
            head = [join(self.solution.prose), Content("")] if self.solution.prose else []
            return stack([*head, *(coloured(line, "python") for line in source.splitlines())])
        return diff(self.study.source, source)

    def action_diff(self) -> None:
        """Compare, or not."""
        self.compares = not self.compares
        self.turn()

    def action_use(self) -> None:
        """Take it over."""
        self.dismiss(normal(self.solution.source))


def diff(mine: str, other: str) -> Content:
    """Two texts line by line: - is only in mine, + only in the other."""
    lines: list[Content] = []
    for line in difflib.ndiff(mine.splitlines(), other.splitlines()):
        if not line.startswith("?"):
            style = {"-": "$wrong", "+": "$right"}.get(line[0], "")
            lines.append(say_line(line, style))
    return stack(lines)
