"""The code editor: Python colours, indentation that follows, paste at once, the line of an error marked."""

import re
from collections.abc import Callable
from typing import ClassVar

from rich.style import Style as RichStyle
from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets.text_area import Selection, TextAreaTheme

from jittutor.study.source import normal
from jittutor.tui.inside import ColouredTextArea
from jittutor.tui.theme import SYNTAX_NAMES

PASTE = 256 * 1024
_BURST = 0.03
"""Keys closer together than this, in seconds, come from a paste and not from a hand."""
_ENDS_BLOCK = re.compile(r"\s*(return|pass|break|continue|raise)\b")


class Editor(ColouredTextArea):
    """The learner's copy of a step's code."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("shift+tab", "dedent", show=False),
        Binding("ctrl+underscore", "comment", show=False),
        # Before TextArea's own Escape, which looks for the next widget in sight and may find itself.
        Binding("escape", "leave", show=False, priority=True),
        Binding("ctrl+c", "copy_or_stop", show=False),
        Binding("ctrl+f", "screen.find", show=False, priority=True),
    ]

    class Left(Message):
        """The learner pressed Escape."""

    class StopAsked(Message):
        """ctrl+c with nothing selected."""

    def __init__(self) -> None:
        """An empty editor."""
        super().__init__("", id="editor", show_line_numbers=True, tab_behavior="indent", soft_wrap=False)
        self.cursor_blink = False
        self.indent_width = 4
        self.error_line: int | None = None
        self.maker_line: int | None = None
        """The line that made the chosen equation."""
        self._last_key = 0.0

    def on_mount(self) -> None:
        """Take the colours of the theme."""
        self.app.theme_changed_signal.subscribe(self, lambda _: self.paint())
        self.paint()

    def paint(self) -> None:
        """Use the theme's colours for the code."""
        styles = {name: self._rich(style) for name, style in SYNTAX_NAMES.items()}
        self.register_theme(TextAreaTheme("jittutor", syntax_styles=styles))
        self.theme = "jittutor"

    def _rich(self, style: str) -> RichStyle:
        rich = self._get_style(style).rich_style
        return RichStyle(color=rich.color, bold=rich.bold, italic=rich.italic)

    # ------------------------------------------------------------ text from outside

    def open(self, text: str) -> None:
        """Another step: its text, without a way back to the old one."""
        self.error_line = self.maker_line = None
        self.load_text(normal(text))
        self.move_cursor((0, 0))

    def begin_again(self, text: str) -> None:
        """Put a text in place of the learner's, so that undo brings theirs back."""
        self.history.checkpoint()
        self.replace(normal(text), (0, 0), self.document.end)
        self.move_cursor((0, 0))

    def mark_error(self, line: int | None) -> None:
        """Mark a line (from 1), or none."""
        if line != self.error_line:
            self.error_line = line
            self.refresh_all()

    def mark_maker(self, line: int | None) -> None:
        """Mark the line (from 1) that made an equation and bring it in sight, or mark none."""
        if line != self.maker_line:
            self.maker_line = line
            self.refresh_all()
            height = self.scrollable_content_region.height
            if line and height and not self.scroll_offset.y <= line - 1 < self.scroll_offset.y + height:
                self.scroll_to(y=max(0, line - 1 - height // 3), animate=False)

    def refresh_all(self) -> None:
        """Draw every line again."""
        self._build_highlight_map()
        self.refresh()

    def get_line(self, line_index: int) -> Text:
        """A line as it is drawn; the one with the error stands out."""
        line = super().get_line(line_index)
        if self.error_line == line_index + 1:
            line.stylize(RichStyle(underline=True, bold=True))
            line.append("  ◀", self._rich("$wrong bold"))
        if self.maker_line == line_index + 1:
            line.stylize(RichStyle(bold=True))
            line.append("  ◀ made it", self._rich("$accent bold"))
        return line

    def select_text(self, start: int, end: int) -> None:
        """Select from one place to another, counted in letters, and bring it in sight."""
        places = []
        for at in (start, end):
            before = self.text[:at]
            places.append((before.count("\n"), at - before.rfind("\n") - 1))
        self.selection = Selection(*places)
        self.scroll_cursor_visible()

    # ------------------------------------------------------------ keys

    async def _on_key(self, event: events.Key) -> None:
        """Enter indents like the line above, unless the keys come as fast as a paste."""
        burst, self._last_key = event.time - self._last_key < _BURST, event.time
        if event.key == "enter" and not burst and not self.read_only:
            event.stop()
            event.prevent_default()
            self._new_line()
        elif event.key == "backspace" and self._at_indent():
            event.stop()
            event.prevent_default()
            row, column = self.cursor_location
            self.delete((row, (column - 1) // 4 * 4), (row, column))

    def forget_burst(self) -> None:
        """Count the next key as one of a hand."""
        self._last_key = 0.0

    def _at_indent(self) -> bool:
        start, end = self.selection
        before = self.document[end[0]][: end[1]]
        return start == end and len(before) > 1 and not before.strip(" ")

    def _new_line(self) -> None:
        row, column = min(self.selection)
        before = self.document[row][:column]
        indent = len(before) - len(before.lstrip(" "))
        if before.rstrip().endswith((":", "(", "[", "{")):
            indent += 4
        elif _ENDS_BLOCK.match(before):
            indent = max(0, indent - 4)
        result = self.replace("\n" + " " * indent, *self.selection, maintain_selection_offset=False)
        self.move_cursor(result.end_location)

    async def _on_paste(self, event: events.Paste) -> None:
        """The whole paste in one step."""
        # Without this, TextArea's own handler would insert the text a second time.
        event.prevent_default()
        event.stop()
        result = self.replace(normal(event.text[:PASTE]), *self.selection, maintain_selection_offset=False)
        self.move_cursor(result.end_location)

    def action_leave(self) -> None:
        """Give the keys back to the screen."""
        self.post_message(self.Left())

    def action_copy_or_stop(self) -> None:
        """Copy what is selected, else stop the run."""
        if self.selection.is_empty:
            self.post_message(self.StopAsked())
        else:
            self.action_copy()

    def action_dedent(self) -> None:
        """Take one level of indentation from each selected line."""
        self._each_line(lambda line: line[min(4, len(line) - len(line.lstrip(" "))) :])

    def action_comment(self) -> None:
        """Make each selected line a comment, or code again if all are comments."""
        rows = self._rows()
        lines = [self.document[row] for row in rows if self.document[row].strip()]
        if all(line.lstrip().startswith("#") for line in lines):
            self._each_line(lambda line: re.sub(r"# ?", "", line, count=1))
        else:
            self._each_line(lambda line: re.sub(r"^( *)(?=\S)", r"\1# ", line))

    def _rows(self) -> range:
        (top, _), (bottom, _) = sorted(self.selection)
        return range(top, bottom + 1)

    def _each_line(self, change: Callable[[str], str]) -> None:
        rows = self._rows()
        lines = [self.document[row] for row in rows]
        new = [change(line) for line in lines]
        self.replace("\n".join(new), (rows[0], 0), (rows[-1], len(lines[-1])))
        self.selection = Selection.cursor((rows[-1], len(new[-1])))
