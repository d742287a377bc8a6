"""What the lesson screen looks like: text and code at the left, what happened at the right."""

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.events import Resize
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static, TextArea

from jittutor.advice import advise
from jittutor.event import Event
from jittutor.lesson import Lesson
from jittutor.study.study import Study
from jittutor.tui import figures, keys, wording
from jittutor.tui.message import Heard
from jittutor.tui.panes.bars import Bar
from jittutor.tui.panes.calls import CallRows, Calls
from jittutor.tui.panes.editor import Editor
from jittutor.tui.panes.prints import Prints
from jittutor.tui.panes.programs import Programs
from jittutor.tui.panes.questions import Questions
from jittutor.tui.panes.read import Read
from jittutor.tui.panes.why import Why
from jittutor.tui.say import join
from jittutor.tui.screens import footer
from jittutor.tui.screens.arrange import NEED, PANES, Arrangement
from jittutor.tui.task import prose, task


class LessonView(Screen[None]):
    """One step of a lesson, drawn from the facts of a study."""

    AUTO_FOCUS = ""

    def __init__(self, study: Study) -> None:
        """Show the step the study is at."""
        super().__init__()
        self.study = study
        self.arrangement = Arrangement()
        self.worker: wording.Worker = "starting"
        self.said: Content | None = None
        """Something to say at the bottom until the next run or step."""
        self.untried = True
        """Nothing has run since the step was opened: there is more to read than to look at."""
        self._had_keys: Widget | None = None
        """Who had the keys before the window became too small."""

    def compose(self) -> ComposeResult:
        """Title, two columns, what just happened, keys."""
        self.arrangement = Arrangement(*self.app.size)
        yield Bar(id="head")
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield self._dressed(Read())
                yield self._dressed(Editor())
            with Vertical(id="right"):
                yield Bar(id="tabs")
                yield self._dressed(Calls())
                yield self._dressed(Why())
                yield self._dressed(Prints())
                yield self._dressed(Programs())
        yield Bar(id="verdict")
        yield Bar(id="foot")
        yield Static(id="small", markup=False)

    def on_mount(self) -> None:
        """Open the step."""
        self.open_step()

    def _dressed(self, pane: Widget) -> Widget:
        """A pane that knows its classes before it is there: each later change styles all below it again."""
        pane.add_class("pane").set_class(not self.arrangement.sees(str(pane.id)), "away")
        return pane

    @property
    def seconds(self) -> int:
        """How long the run has lasted."""
        return 0

    @property
    def reads_on(self) -> bool:
        """Whether there is more text below what is on the screen."""
        return self.arrangement.sees("read") and self.query_one(Read).has_more

    def follow(self, events: Sequence[Event]) -> None:
        """What else is to do when the worker said something."""

    def pane(self, name: str) -> Widget:
        """A pane by its id."""
        return self.query_one(f"#{name}")

    def about_error(self) -> Lesson | None:
        """The lesson about the error of this run."""
        error = self.study.record.error
        advice = advise(error) if error is not None else None
        found = self.study.course.find(advice.lesson) if advice is not None and advice.lesson else None
        return found if isinstance(found, Lesson) else None

    def _remedy(self) -> str:
        """That lesson as the learner knows it; nothing for who is in it."""
        found, course = self.about_error(), self.study.course
        away = found is not None and found is not self.study.lesson
        return f"{course.number(found.slug)} {found.title}" if found is not None and away else ""

    # ------------------------------------------------------------ a step

    def open_step(self) -> None:
        """Show the study's step: its text, the learner's code, empty panes."""
        study = self.study
        self.said, self.untried = None, True
        self.query_one(Read).show(prose(study))
        self.query_one(Editor).open(study.source)
        self.query_one(Prints).start()
        self.draw_record()
        if study.waiting is not None:
            self.set_focus(self.query_one(Questions), scroll_visible=False)
        elif not isinstance(self.focused, Editor):
            self.set_focus(self.pane("read"), scroll_visible=False)
        self.divide(
            self.arrangement.to("read") if self.focused is not self.query_one(Editor) else self.arrangement
        )

    @on(Heard)
    def hear(self, message: Heard) -> None:
        """Take in what the worker said and draw it once."""
        printed = self.study.hear(message.events)
        if printed and not self.study.is_aside:
            self.query_one(Prints).add(printed)
        if len(printed) < len(message.events):
            self.follow(message.events)
            self.draw_record()
        message.drawn.set()

    def draw_record(self) -> None:
        """Draw everything that depends on the record; of a run aside the panes tell nothing."""
        if self.study.is_aside:
            self.draw_edges()
            return
        record, calls = self.study.record, self.query_one(Calls)
        if self.untried and (self.study.running or record.done or record.lost):
            self.untried = False
            self.divide(self.arrangement)
        calls.show(record)
        rows = calls.rows
        self.query_one(Why).show(record, rows.shown, rows.entry, self._remedy())
        self.query_one(Programs).show(record.programs)
        self.query_one(Questions).show(list(self.study.guesses.values()))
        self.query_one(Read).show_task(task(self.study))
        error = record.error
        self.query_one(Editor).mark_error(error.line if error else None)
        self.draw_edges()

    def draw_edges(self) -> None:
        """Draw title, status, what just happened, tabs and keys."""
        study, width = self.study, self.arrangement.width
        status = wording.status(self.worker, study, self.seconds, width)
        self.query_one("#head", Bar).say(wording.title(study, width, width - status.cell_length - 1), status)
        self.query_one("#verdict", Bar).say(join(" ", self.said or self._outcome()))
        self.query_one("#foot", Bar).say(*footer.hints(self))
        self.query_one("#tabs", Bar).say(
            footer.tabs(self.arrangement, study.record, self.query_one(Prints).output, footer.answering(self))
        )
        self._titles()

    def _outcome(self) -> Content:
        study = self.study
        return join("") if study.is_aside else wording.outcome(study, self.arrangement.width - 2)

    def _titles(self) -> None:
        lesson_edit = self.study.known.edit is not None
        more = (keys.told("  more below: {more}"), "$muted") if self.reads_on else ""
        self.pane("read").border_title = join("Text", more)
        # A letter answers an open question first, and is written where the code has the keys.
        writes = self.study.waiting is not None or isinstance(self.focused, Editor)
        back = "" if writes else keys.told(", {reset} puts the lesson's code back")
        edited = (f"  edited{back}", "$muted") if lesson_edit else ""
        self.pane("editor").border_title = join("Code", edited)

    # ------------------------------------------------------------ what is where

    def divide(self, arrangement: Arrangement) -> None:
        """Show the panes of this arrangement."""
        self.arrangement = arrangement
        self.set_class(arrangement.is_small, "small")
        self.set_class(arrangement.is_narrow, "narrow")
        self.set_class(arrangement.is_tabbed, "tabbed")
        self.set_class(arrangement.zoomed is not None, "zoomed")
        for name in PANES:
            self.pane(name).set_class(not arrangement.sees(name), "away")
        for column, names in (("left", PANES[:2]), ("right", PANES[2:])):
            self.query_one(f"#{column}").set_class(not any(map(arrangement.sees, names)), "away")
        is_alone = arrangement.is_tabbed or arrangement.zoomed is not None
        self.query_one(Calls).stretch(None if is_alone else round(arrangement.height * 0.35))
        if arrangement.is_small:
            need, have = NEED, (arrangement.width, arrangement.height)
            words = f"jittutor needs {need[0]}x{need[1]} letters; this window has {have[0]}x{have[1]}. "
            self.query_one("#small", Static).update(join(words, keys.told("{quit} quits.")))
        self.draw_edges()

    def on_resize(self, event: Resize) -> None:
        """Divide the new space."""
        old = self.arrangement
        new = Arrangement(event.size.width, event.size.height, old.top, old.tab, old.zoomed)
        if new.is_small and not old.is_small:
            self._had_keys = self.focused
        self.divide(new)
        if old.is_small and not new.is_small:
            self.call_after_refresh(self._give_keys_back)

    def _give_keys_back(self) -> None:
        """Textual takes the keys from what has no room; with room again it has them again."""
        if self.focused is None and self._had_keys is not None:
            self.set_focus(self._had_keys, scroll_visible=False)

    @on(CallRows.Picked)
    def picked(self, event: CallRows.Picked) -> None:
        """The chosen call decides what is explained and which program is shown."""
        self.query_one(Why).show(
            self.study.record, self.query_one(CallRows).shown, event.entry, self._remedy()
        )
        if (program := event.entry.row.program) is not None:
            self.query_one(Programs).pick(program)

    @on(TextArea.SelectionChanged, "#editor")
    def moved(self) -> None:
        """The line the learner is at marks what it made."""
        self.query_one(Programs).mark(self.query_one(Editor).cursor_location[0] + 1)

    @on(Questions.Moved)
    def answering(self, event: Questions.Moved) -> None:
        """Whoever answers sees the question, unless another step was opened meanwhile."""
        if event.predicts == [guess.predict for guess in self.study.guesses.values()]:
            self.query_one(Read).see_questions()

    @on(Read.Scrolled)
    def read_on(self) -> None:
        """Say whether more text stands below."""
        if not self.is_mounted:
            return
        self.draw_edges()
        read, questions = self.query_one(Read), self.query_one(Questions)
        # Textual takes the focus from what is scrolled out of sight; back in sight it has the keys again.
        if self.study.waiting and self.focused in (None, read) and read.region.overlaps(questions.region):
            self.set_focus(questions, scroll_visible=False)

    def on_descendant_focus(self) -> None:
        """The keys at the bottom belong to the pane with the focus."""
        self.draw_edges()

    def entries(self) -> list[figures.Entry]:
        """The calls as the pane shows them."""
        return self.query_one(CallRows).shown
