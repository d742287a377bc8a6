"""The code above the first step of a lesson: it runs before each of them and is on no pane."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from jittutor.lesson import Lesson
from jittutor.tui.panes.code import coloured
from jittutor.tui.panes.flow import Block, rows
from jittutor.tui.say import join
from jittutor.tui.screens.dialogs import Page


class Above(Page):
    """The setup, to read."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("A", "dismiss(None)", show=False)]

    def __init__(self, lesson: Lesson) -> None:
        """Show the setup of this lesson."""
        super().__init__()
        self.lesson = lesson

    def page_title(self) -> Content:
        """Say when it runs."""
        return join("Runs before each step of this lesson")

    def page(self) -> list[Block]:
        """Its lines, or that there are none."""
        lines = self.lesson.setup.strip("\n").splitlines()
        if not lines:
            return [Block(join("Nothing runs before the steps of this lesson."))]
        return list(rows(coloured(line, "python") for line in lines))
