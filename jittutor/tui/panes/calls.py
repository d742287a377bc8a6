"""One row per call: function, hit or miss, and a stacked bar of its phases; the cache as a strip above."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from jittutor.record import Record
from jittutor.tui import figures, keys
from jittutor.tui.figures import Columns, Entry
from jittutor.tui.panes.lines import Lines
from jittutor.tui.say import beside, fit, join, stack

IDLE = "Nothing has run yet. {run} runs the code."
NONE = "No call of a jitted function. {prints} shows what was printed."


class CallRows(Lines):
    """The rows, and which of them is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("home", "move(-1000000)", show=False),
        Binding("end", "move(1000000)", show=False),
        Binding("pageup", "move(-10)", show=False),
        Binding("pagedown", "move(10)", show=False),
    ]

    class Picked(Message):
        """The learner chose a call."""

        def __init__(self, entry: Entry) -> None:
            """Carry the call."""
            super().__init__()
            self.entry = entry

    def __init__(self) -> None:
        """No calls yet."""
        super().__init__(id="call-rows")
        self.shown: list[Entry] = []
        self.chosen: int | None = None
        self._columns: tuple[list[Entry], int, Columns] | None = None

    def show(self, shown: list[Entry], chosen: int | None) -> None:
        """Draw these rows."""
        self.shown, self.chosen = shown, chosen
        self.changed()

    @property
    def entry(self) -> Entry | None:
        """The chosen call."""
        return self.shown[self.chosen] if self.chosen is not None and self.chosen < len(self.shown) else None

    def action_move(self, offset: int) -> None:
        """Choose another call."""
        if self.shown:
            start = len(self.shown) if self.chosen is None and offset < 0 else -1
            at = (start if self.chosen is None else self.chosen) + offset
            self.choose(min(max(at, 0), len(self.shown) - 1))

    def choose(self, at: int) -> None:
        """Choose this row and keep it in sight."""
        self.chosen = at
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if not top <= at < top + height:
            self.scroll_to(y=at if at < top else at - height + 1, animate=False)
        self.changed()
        self.post_message(self.Picked(self.shown[at]))

    def on_click(self, event: events.Click) -> None:
        """A click chooses a row."""
        at = event.y + self.scroll_offset.y
        if at < len(self.shown):
            self.choose(at)

    def columns(self) -> Columns:
        """How wide the parts of a row are here."""
        width = self.scrollable_content_region.width - 2
        if self._columns is None or self._columns[0] is not self.shown or self._columns[1] != width:
            self._columns = self.shown, width, figures.columns(self.shown, width)
        return self._columns[2]

    def length(self) -> int:
        """One line for each row."""
        return len(self.shown)

    def content(self, at: int) -> Content:
        """One row; the chosen one is marked."""
        row = figures.line(self.shown[at], self.columns())
        if at == self.chosen:
            return join(("▸", "bold $accent"), row, " ").stylize("on $chosen")
        return join(" ", row)


class Calls(Vertical):
    """Strip, rows, and what the chosen row cost."""

    DEFAULT_CSS = """
    Calls > Static { height: auto; max-height: 2; padding: 0 0 0 1; }
    Calls > CallRows { height: 1fr; }
    """

    def __init__(self) -> None:
        """No record yet."""
        super().__init__(id="calls")
        self.record = Record()
        self.folded = True
        self.most: int | None = None

    def compose(self) -> ComposeResult:
        """Strip, rows, legend."""
        yield Static(id="call-strip", markup=False)
        yield CallRows()
        yield Static(id="call-legend", markup=False)

    def on_mount(self) -> None:
        """Say what will stand here."""
        self.show(self.record)

    @property
    def rows(self) -> CallRows:
        """The rows."""
        return self.query_one(CallRows)

    def show(self, record: Record) -> None:
        """Draw the calls of this record; a new run chooses nothing."""
        rows = self.rows
        chosen = rows.chosen if record.run == self.record.run else None
        self.record = record
        rows.show(figures.entries(record, folded=self.folded), chosen)
        summary = figures.summary(record)
        self.border_title = join("Calls", f"  {summary}" if summary else "")
        self._words()
        self._fit_height()

    def fold(self) -> None:
        """Show equal hits as one row, or one by one."""
        self.folded = not self.folded
        self.rows.chosen = None
        self.show(self.record)

    def plain(self) -> str:
        """The rows as text."""
        columns = figures.columns(self.rows.shown, 100)
        return "\n".join(figures.line(entry, columns).plain for entry in self.rows.shown)

    def stretch(self, most: int | None) -> None:
        """Be as high as the rows want, up to `most`; None takes all there is."""
        self.most = most
        self._fit_height()

    def _fit_height(self) -> None:
        wanted = max(1, len(self.rows.shown)) + 3 + bool(figures.eager(self.record))
        self.styles.height = "1fr" if self.most is None else min(wanted, max(4, self.most))

    def on_resize(self) -> None:
        """The strip and the scale depend on the width."""
        self._words()

    def on_call_rows_picked(self) -> None:
        """Tell what the chosen call cost."""
        self._words()

    def _words(self) -> None:
        strip, legend = self.query_one("#call-strip", Static), self.query_one("#call-legend", Static)
        shown, width = self.rows.shown, max(20, self.size.width - 2)
        if not shown:
            done = self.record.done is not None
            strip.update(join((keys.told(NONE if done else IDLE), "$muted")))
            legend.update(join((figures.eager(self.record), "$muted")))
            return
        key = join(
            ("M", "bold $build"), (" miss  ", "$muted"), ("h", "$run"), (" hit  ", "$muted"), self._scale()
        )
        strip.update(beside(figures.strip(shown, width - key.cell_length - 2), key, width))
        legend.update(fit_all([self._detail(width), join((figures.eager(self.record), "$muted"))], width))

    def _detail(self, width: int) -> Content:
        shown = self.rows.shown
        return figures.detail(self.rows.entry or max(shown, key=lambda e: e.row.total_ms), width)

    def _scale(self) -> Content:
        return join((f"█ = {self.rows.columns().cell_ms:g} ms", "$muted"))


def fit_all(lines: list[Content], width: int) -> Content:
    """The lines that are not empty, each cut to the width."""
    return stack(fit(line, width) for line in lines if line)
