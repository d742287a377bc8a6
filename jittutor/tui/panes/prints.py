"""What the code printed, in one order of time; tracing and running told apart by letter and colour."""

from collections.abc import Iterable

from textual.content import Content

from jittutor.event import Printed
from jittutor.study.output import CUT, Line, Output, mark
from jittutor.tui.figures import count
from jittutor.tui.inks import Palette, coloured, palette
from jittutor.tui.panes.lines import Lines
from jittutor.tui.say import join, say_line

IDLE = "What the code prints: T while tracing, R while running."


class Prints(Lines):
    """The output of a run."""

    def __init__(self) -> None:
        """Nothing is printed yet."""
        super().__init__(id="prints")
        self.output = Output()
        self._is_old = False
        self._stands: int | None = None
        """The number of the line that was looked for."""

    def on_mount(self) -> None:
        """Say what will stand here."""
        self._title()

    def expect(self) -> None:
        """A new run: what the last one printed stays until there is something new, or `settle`."""
        self._is_old = True

    def settle(self) -> None:
        """Nothing of the last run stays."""
        if self._is_old:
            self.start()

    def start(self) -> None:
        """Forget what was printed."""
        self._is_old, self._stands = False, None
        self.output = Output()
        self.changed()
        self._title()

    def add(self, pieces: Iterable[Printed]) -> None:
        """More output; stays at the end only if the reader is there."""
        self.settle()
        at_end = self.is_vertical_scroll_end
        self.output.add(pieces)
        self.changed()
        self._title()
        if at_end and self.length() > self.size.height:
            self.scroll_end(animate=False, x_axis=False)

    def stand(self, at: int) -> None:
        """Mark the line with this place among those that are kept, and bring it in sight."""
        self._stands = self.output.lines[at].number
        self.scroll_to(y=max(0, at + bool(self.output.dropped) - 1), animate=False)
        self.changed()

    def on_blur(self) -> None:
        """Whoever goes elsewhere stands nowhere here."""
        if self._stands is not None:
            self._stands = None
            self.changed()

    def _title(self) -> None:
        counts = self.output.counts
        shown = (
            join("  ", ("T", "bold $trace"), f" {counts['trace']} while tracing  ", ("R", "bold $run"),
                 f" {counts['run']} while running")
            if self.output.lines
            else Content("")
        )  # fmt: skip
        self.border_title = join("Output", shown)

    def length(self) -> int:
        """The lines kept, and one that tells of those that are not."""
        if not self.output.lines:
            return 1
        return len(self.output.lines) + bool(self.output.dropped)

    def widest(self) -> int:
        """Mark, place and text."""
        return self.output.widest + self.output.where + 6

    def content(self, at: int) -> Content:
        """One line with its mark and its place."""
        if self.output.dropped:
            if at == 0:
                return say_line(f"… {count(self.output.dropped, 'line')} before these are not kept", "$muted")
            at -= 1
        if not self.output.lines:
            return say_line(IDLE, "$muted")
        line = self._draw(self.output.lines[at])
        return say_line(line.plain, "reverse") if self.output.lines[at].number == self._stands else line

    def _draw(self, line: Line) -> Content:
        style = "$trace" if line.during == "trace" else "$run"
        base = "$wrong" if line.stream == "stderr" else "bold" if line.stream == "value" else ""
        text = (
            coloured(line.text, line.looks, self._palette(), base)
            if line.looks
            else say_line(line.text, base)
        )
        cut = (f" … {line.cut} more letters (longest line kept: {CUT})", "$muted") if line.cut else ""
        place = say_line(f" {line.where:<{self.output.where}}  ", "$muted")
        return join((mark(line), f"bold {style}"), place, text, cut)

    def _palette(self) -> Palette:
        return palette(self.app.theme_variables, is_ansi=self.app.current_theme.ansi)

    def plain(self) -> str:
        """All lines as text."""
        return "\n".join(self.output.plain())
