"""What the keys do that look more closely: compare results, read the code above the steps."""

from textual import on

from jittutor.tui import comparing
from jittutor.tui.panes.calls import CallRows
from jittutor.tui.panes.editor import Editor
from jittutor.tui.panes.programs import Programs
from jittutor.tui.screens.above import Above
from jittutor.tui.screens.compare import Compare
from jittutor.tui.screens.moving import MovingView


class LookingView(MovingView):
    """A lesson whose results can be compared."""

    @on(Programs.Picked)
    def at_equation(self, event: Programs.Picked) -> None:
        """The line of the code that made the chosen equation is marked."""
        self.query_one(Editor).mark_maker(event.line)
        if event.line is not None and not self.arrangement.sees("editor") and not self.arrangement.zoomed:
            self.divide(self.arrangement.to("editor"))

    def action_above(self) -> None:
        """The code that runs before each step."""
        self.app.push_screen(Above(self.study.lesson))

    def action_compare(self) -> None:
        """This call, program, run or code against another."""
        here, record = self.here(), self.study.record
        view, at = "calls", None
        if here == "editor" or (here == "read" and not record.rows):
            view = "code"
        elif here == "programs" and record.programs:
            view, at = "programs", self.query_one(Programs).at
        elif (entry := self.query_one(CallRows).entry) is not None and entry.number is not None:
            names = [side.name for side in comparing.of_calls(record)]
            at = next((n for n, name in enumerate(names) if name.startswith(f"call {entry.number} ")), None)
        self.app.push_screen(Compare(self.study, self.query_one(Editor).text, view, at))
