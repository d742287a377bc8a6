"""All lessons and steps with what is done; type to search, Enter to go there."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from jittutor.course import Broken
from jittutor.lesson import Lesson, Step
from jittutor.review import progress
from jittutor.study.study import Study
from jittutor.tui.figures import count
from jittutor.tui.inside import Places
from jittutor.tui.say import join
from jittutor.tui.screens.arrange import SHORT
from jittutor.tui.screens.footer import joined, words

WORDS = {"done": "done", "skipped": "skipped", "begun": "begun", "new": ""}


SIGNS = {
    "done": ("✓", "bold $right"),
    "skipped": ("◐", "$muted"),
    "begun": ("○", "bold"),
    "new": ("○", "$muted"),
}


class Contents(ModalScreen[tuple[Lesson, Step] | None]):
    """The course as a list."""

    VERTICAL_BREAKPOINTS = SHORT
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "close"),
        Binding("slash", "search", "search"),
        Binding("q,l", "dismiss(None)", show=False),
    ]

    def __init__(self, study: Study) -> None:
        """Show the study's course."""
        super().__init__()
        self.study = study
        self.places: dict[str, tuple[Lesson, Step]] = {}

    def compose(self) -> ComposeResult:
        """Search, list, keys."""
        with Vertical(classes="page") as page:
            page.border_title = join(self.study.course.title)
            yield Input(placeholder="search titles and texts", id="search", compact=True)
            yield Places(id="places", markup=False, compact=True)
            hints = [words("enter", "go there"), words("/", "search"), words("esc", "close")]
            yield Static(joined(hints), markup=False)

    def on_mount(self) -> None:
        """Stand at the learner's step."""
        self.query_one(Input).cursor_blink = False
        self._fill("")
        self.query_one(OptionList).focus()

    def _fill(self, wanted: str) -> None:
        places = self.query_one(OptionList)
        places.clear_options()
        heads = {} if wanted else self._heads()
        best: int | None = None
        for entry in self.study.course.entries:
            if entry.slug in heads:
                places.add_option(Option(heads[entry.slug], disabled=True))
            if isinstance(entry, Broken):
                if not wanted:
                    places.add_option(Option(self._broken(entry), disabled=True))
                continue
            steps = [step for step in entry.steps if matches(entry, step, wanted)]
            if steps:
                places.add_option(Option(self._lesson(entry), disabled=True))
            for step in steps:
                key = f"{entry.slug}/{step.id}"
                self.places[key] = entry, step
                places.add_option(Option(self._step(entry, step), id=key))
                if best is None and (is_titled(entry, step, wanted) if wanted else step is self.study.step):
                    best = places.option_count - 1
        if wanted and not places.option_count:
            nothing = join(("No title and no text has all of these words.", "$muted"))
            places.add_option(Option(nothing, disabled=True))
        if best is None:
            places.action_first()
        else:
            places.highlighted = best
            self.call_after_refresh(self._around, best)

    def _around(self, at: int) -> None:
        """What comes next is seen as well as what was before."""
        places = self.query_one(OptionList)
        places.scroll_to(y=at - places.size.height // 2, animate=False)

    def _heads(self) -> dict[str, Content]:
        """For the first lesson of each chapter: the chapter, and what is done and mastered in it."""
        course, found = self.study.course, {}
        for chapter, part in zip(course.chapters, progress(course, self.study.state), strict=True):
            tally = f"  {part.done} of {count(part.steps, 'step')}"
            if part.asked:
                tally += f" · {part.mastered} of {count(part.questions, 'question')} mastered"
            if chapter.slugs:
                found[chapter.slugs[0]] = join((chapter.title, "bold $accent"), (tally, "$muted"))
        return found

    def _broken(self, entry: Broken) -> Content:
        number = self.study.course.number(entry.slug)
        return join((f"{number:>3} {entry.slug}: cannot be opened. {entry.message}", "$wrong"))

    def _lesson(self, lesson: Lesson) -> Content:
        number = self.study.course.number(lesson.slug)
        done = sum(self.study.mark(lesson, step) == "done" for step in lesson.steps)
        tally = f"  {done} of {len(lesson.steps)} done"
        return join((f"{number:>3} {lesson.title}", "bold $foreground"), (tally, "$muted"))

    def _step(self, lesson: Lesson, step: Step) -> Content:
        mark = self.study.mark(lesson, step)
        sign, style = SIGNS[mark]
        here = ("  you are here", "$accent") if step is self.study.step else ""
        return join("      ", (sign, style), f" {step.title}", (f"  {WORDS[mark]}", "$muted"), here)

    def action_search(self) -> None:
        """Type a part of a title."""
        self.query_one(Input).focus()

    def action_leave(self) -> None:
        """From the search to the list, from the list away."""
        search = self.query_one(Input)
        if search.has_focus or search.value:
            search.value = ""
            self.query_one(OptionList).focus()
        else:
            self.dismiss(None)

    @on(Input.Changed)
    def searched(self, event: Input.Changed) -> None:
        """Show what fits."""
        self._fill(event.value)

    @on(Input.Submitted)
    def found(self) -> None:
        """From the search to the list."""
        self.query_one(OptionList).focus()

    @on(OptionList.OptionSelected)
    def chosen(self, event: OptionList.OptionSelected) -> None:
        """Go there."""
        if event.option_id is not None:
            self.dismiss(self.places[event.option_id])


def matches(lesson: Lesson, step: Step, wanted: str) -> bool:
    """Whether every word that is looked for stands in this step or its lesson's title."""
    text = f"{lesson.title} {step.title} {step.prose}".lower()
    return all(word in text for word in wanted.lower().split())


def is_titled(lesson: Lesson, step: Step, wanted: str) -> bool:
    """Whether the words that are looked for stand in the titles: more is meant than in a text."""
    title = f"{lesson.title} {step.title}".lower()
    return all(word in title for word in wanted.lower().split())
