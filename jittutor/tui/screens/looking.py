"""What the keys do that look at results more closely: compare."""

from jittutor.tui import comparing
from jittutor.tui.panes.calls import CallRows
from jittutor.tui.panes.editor import Editor
from jittutor.tui.panes.programs import Programs
from jittutor.tui.screens.compare import Compare
from jittutor.tui.screens.moving import MovingView


class LookingView(MovingView):
    """A lesson whose results can be compared."""

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
