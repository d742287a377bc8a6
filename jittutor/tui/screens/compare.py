"""This call against another, this run against the one before, my code against the lesson's."""

from collections.abc import Iterator
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from jittutor.study.source import normal
from jittutor.study.study import Study
from jittutor.tui import comparing
from jittutor.tui.panes.flow import Block, rows
from jittutor.tui.say import join
from jittutor.tui.screens.dialogs import Page

VIEWS = {"calls": "Calls", "programs": "Programs", "runs": "Runs", "code": "Code"}
MARGIN = 8
"""Cells that frame, padding and scrollbar take."""


class Compare(Page):
    """Four comparisons; m turns to the next one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d", "dismiss(None)", show=False),
        Binding("m", "view", "other view"),
        Binding("full_stop", "side(1)", "next"),
        Binding("comma", "side(-1)", "before"),
    ]

    def __init__(self, study: Study, source: str, view: str, at: int | None) -> None:
        """Begin with this view, at the call (or program) with this place among them."""
        super().__init__()
        self.study, self.source, self.view = study, source, view
        self.sides = {
            "calls": comparing.of_calls(study.record),
            "programs": comparing.of_programs(study.record),
        }
        self.at = {name: len(sides) - 1 for name, sides in self.sides.items()}
        if at is not None:
            self.at[view] = at
        self.against = {
            name: comparing.other(sides, self.at[name])
            for name, sides in self.sides.items()
            if len(sides) > 1
        }
        self.text = 0

    def keys_shown(self) -> list[tuple[str, str]]:
        """Turn, and compare with another where there is one."""
        many = len(self._originals()) if self.view == "code" else len(self.sides.get(self.view, ()))
        other = [(", .", "compare with another")] if many > (1 if self.view == "code" else 2) else []
        return [("m", "next view"), *other, ("esc", "close")]

    def page_title(self) -> Content:
        """The views, and which one this is."""
        names = [
            join((word, "reverse bold" if name == self.view else "$muted")) for name, word in VIEWS.items()
        ]
        return join("Compare  ", Content(" ").join(names))

    def page(self) -> list[Block]:
        """The lines of the view."""
        return rows(self._lines(max(40, min(self.app.size.width, 200) * 96 // 100 - MARGIN)), 4)

    def _lines(self, width: int) -> Iterator[Content]:
        if self.view in self.sides:
            yield from self._sides(width)
        elif self.view == "runs":
            before = self.study.before
            if before is None or self.study.record.done is None:
                yield join("Run the code twice: then this run stands against the one before.")
            else:
                if self.study.source_before != self.study.source_now:
                    yield join(("The code", "bold underline"))
                    yield from comparing.two_texts(self.study.source_before, self.study.source_now)
                    yield Content("")
                yield from comparing.two_runs(before, self.study.record, width)
        else:
            yield from self._texts()

    def _sides(self, width: int) -> Iterator[Content]:
        sides, against = self.sides[self.view], self.against.get(self.view)
        if against is None:
            yield join(f"This needs a run with two {self.view}.")
            return
        yield from comparing.two_sides(sides[against], sides[self.at[self.view]], width)

    def _texts(self) -> Iterator[Content]:
        name, text = self._originals()[self.text]
        yield join(("- ", "bold $wrong"), name)
        yield join(("+ ", "bold $right"), "my code")
        yield Content("")
        yield from comparing.two_texts(text, self.source)

    def _originals(self) -> list[tuple[str, str]]:
        step, known = self.study.step, self.study.known
        found = [("the lesson's code", normal(step.source))]
        if step.solution is not None and (known.done or known.skipped):
            found.append(("the solution", normal(step.solution.source)))
        return found

    def action_view(self) -> None:
        """The next comparison."""
        names = list(VIEWS)
        self.view = names[(names.index(self.view) + 1) % len(names)]
        self.turn()

    def action_side(self, offset: int) -> None:
        """Another one to compare with."""
        if self.view in self.against:
            sides, at = self.sides[self.view], self.at[self.view]
            new = (self.against[self.view] + offset) % len(sides)
            self.against[self.view] = new if new != at else (new + offset) % len(sides)
        elif self.view == "code":
            self.text = (self.text + offset) % len(self._originals())
        self.turn()

    def on_resize(self) -> None:
        """Columns need room."""
        self.turn()
