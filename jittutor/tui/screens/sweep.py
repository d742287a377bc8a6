"""Run the step over a list of values and draw equations, compile and run against the value."""

from collections.abc import Callable

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from jittutor.record import Record
from jittutor.tui import sweeping
from jittutor.tui.say import join, stack
from jittutor.tui.screens.arrange import SHORT
from jittutor.tui.screens.footer import joined, words
from jittutor.tui.sweeping import Point, Setting

type RunAside = Callable[[str, Callable[[Record], None]], None]


class Sweep(ModalScreen[None]):
    """The values above, the chart below."""

    VERTICAL_BREAKPOINTS = SHORT
    BINDINGS = [("escape", "dismiss(None)", "close")]  # noqa: RUF012 - Textual's own way

    def __init__(self, source: str, setting: Setting, run: RunAside) -> None:
        """Sweep this number of the code; `run` runs a code and tells its record."""
        super().__init__()
        self.source, self.setting, self.run_code = source, setting, run
        self.points: list[Point] = []
        self.waiting: list[int] = []
        self.running: int | None = None

    def compose(self) -> ComposeResult:
        """Values, chart, keys."""
        name, line = self.setting.name, self.setting.line
        with Vertical(classes="page") as page:
            page.border_title = join(f"Sweep {name} (line {line})")
            yield Input(" ".join(map(str, self.setting.usual)), id="values", compact=True)
            with VerticalScroll():
                hint = join((f"Enter runs the code once for each value of {name}.", "$muted"))
                yield Static(hint, id="chart", markup=False)
            yield Static(joined([words("enter", "run"), words("esc", "close")]), markup=False)

    def on_mount(self) -> None:
        """The values can be changed at once."""
        self.query_one(Input).cursor_blink = False
        self.query_one(Input).focus()

    @on(Input.Submitted)
    def begin(self, event: Input.Submitted) -> None:
        """Run for each value."""
        found = sweeping.values(event.value)
        if found is None:
            self._draw(f"Type up to {sweeping.MOST} whole numbers above 0, with spaces between them.")
        elif self.running is None:
            self.points, self.waiting = [], found
            self._next()

    def _next(self) -> None:
        if not self.waiting:
            self.running = None
            self._draw("")
            return
        self.running = self.waiting.pop(0)
        self._draw(f"running with {self.setting.name} = {self.running}, {len(self.waiting)} more")
        self.run_code(sweeping.changed(self.source, self.setting, self.running), self._heard)

    def _heard(self, record: Record) -> None:
        assert self.running is not None
        self.points.append(sweeping.point(self.running, record))
        self._next()

    def _draw(self, said: str) -> None:
        width = min(96, max(30, self.app.size.width * 9 // 10 - 6))
        lines = list(sweeping.chart(self.points, self.setting.name, width)) if self.points else []
        note = [join((said, "$muted")), Content("")] if said else []
        self.query_one("#chart", Static).update(stack([*note, *lines]))
