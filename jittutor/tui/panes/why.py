"""Why a call was not reused: one sentence, the key before and now, what to change, JAX's own words."""

from textual.containers import VerticalScroll
from textual.content import Content

from jittutor.record import Record
from jittutor.tui import keys
from jittutor.tui.errors import explained
from jittutor.tui.figures import Entry, count, label
from jittutor.tui.panes.flow import Block, Flow
from jittutor.tui.say import join, say

IDLE = "Run the code: each call that was not reused is explained here."
CHANGE = "to change: "


class Why(VerticalScroll, can_focus=True):
    """The reason for one miss."""

    def __init__(self) -> None:
        """Nothing to explain yet."""
        super().__init__(Flow(), id="why")
        self.raw = False
        self._record = Record()
        self._shown: list[Entry] = []
        self._entry: Entry | None = None
        self._lesson = ""

    def on_mount(self) -> None:
        """Say what will stand here."""
        self._draw()

    def show(self, record: Record, shown: list[Entry], entry: Entry | None, lesson: str = "") -> None:
        """Explain this call, or the last miss when none is chosen; `lesson` is the one about the error."""
        self._record, self._shown, self._lesson = record, shown, lesson
        self._entry = entry or last_miss(shown)
        self._draw()

    def turn_raw(self) -> None:
        """Show or hide JAX's own words."""
        self.raw = not self.raw
        self._draw()

    def plain(self) -> str:
        """The words as text."""
        return "\n".join(block.text.plain for block in self._blocks())

    def _draw(self) -> None:
        misses = sum(1 for entry in self._shown if not entry.row.call.hit and entry.number is not None)
        told = f"  {count(misses, 'miss')}" if misses else ""
        error = ("  an error", "$wrong") if self._record.error else ""
        self.border_title = join("Why", (told, "$build"), error)
        self.set_class(self._record.error is not None, "failed")
        self.query_one(Flow).show(self._blocks())

    def _blocks(self) -> list[Block]:
        raised = self._record.error
        reason = (
            Block(line, len(CHANGE) if line.plain.startswith(CHANGE) else 0, gap=False)
            for line in self._reason()
        )
        return [*(explained(raised, self._lesson, raw=self.raw) if raised else []), *reason]

    def _reason(self) -> list[Content]:
        entry = self._entry
        if entry is None:
            done = self._record.done is not None
            if self._record.error:
                return []
            return [join(("Nothing was traced, so there is nothing to explain." if done else IDLE, "$muted"))]
        who = join((f"Call {entry.number}" if entry.number is not None else label(entry), "bold"), " was ")
        reason = entry.row.reason
        if reason is None:
            return [join(who, self._without_reason(entry))]
        # The change itself stands in the line below, with the new part marked.
        sentence = reason.say.replace(f": {reason.before} → {reason.now}", "")
        lines = [join(who, sentence.rstrip(".") + ".")]
        width = max((len(d.argument or "") for d in reason.differences), default=0)
        for d in reason.differences:
            if d.before is not None or d.now is not None:
                change = join(d.before or "nothing", (" → ", "$muted"), (d.now or "nothing", "bold $build"))
                lines.append(join((f"  {d.argument or '':<{width}}  ", "bold"), change))
        if reason.kind != "first call":
            lines.append(join((CHANGE, "$muted"), reason.fix.rstrip(".") + "."))
        return [*lines, *self._raw(reason.raw)]

    def _without_reason(self, entry: Entry) -> str:
        if entry.number is None:
            return "made while another function was traced: it became part of that program."
        if entry.row.call.hit:
            return f"reused: JAX had a program for {label(entry)}."
        return "traced; JAX told no reason."

    def _raw(self, raw: str | None) -> list[Content]:
        if raw is None:
            return []
        if not self.raw:
            return [join((keys.told("{raw} shows JAX's own words"), "$muted"))]
        return [join(("JAX says:", "$muted")), *(say(line) for line in raw.strip().split("\n"))]


def last_miss(shown: list[Entry]) -> Entry | None:
    """The newest miss that has more to tell than being the first call; else the newest miss."""
    misses = [e for e in shown if not e.row.call.hit and e.number is not None]
    telling = [e for e in misses if e.row.reason is not None and e.row.reason.kind != "first call"]
    return (telling or misses)[-1] if misses else None
