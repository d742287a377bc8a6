"""What the keys of the lesson screen do."""

from textual import on
from textual.timer import Timer
from textual.widgets import TextArea

from jittutor.study.link import Link
from jittutor.study.source import normal
from jittutor.study.study import Study
from jittutor.tui import inside, keys
from jittutor.tui.panes.calls import CallRows, Calls
from jittutor.tui.panes.editor import Editor
from jittutor.tui.panes.programs import Programs
from jittutor.tui.panes.questions import Questions
from jittutor.tui.panes.read import Read
from jittutor.tui.panes.why import Why
from jittutor.tui.say import join
from jittutor.tui.screens.dialogs import Confirm, Solution
from jittutor.tui.screens.trying import TryingView

SAVE_AFTER = 1.0


class LessonScreen(TryingView):
    """One step of a lesson, with its keys."""

    BINDINGS = keys.bindings(keys.LESSON)
    _saving: Timer | None = None

    def __init__(self, study: Study, link: Link) -> None:
        """Obey the learner's own keys, if there are some."""
        super().__init__(study, link)
        inside.rebind(self, keys.bindings(keys.table()))

    # ------------------------------------------------------------ panes

    def action_language(self) -> None:
        """Another language of the program."""
        self.divide(self.arrangement.to("programs"))
        self.query_one(Programs).turn_language()

    def action_program(self, offset: int) -> None:
        """Another program."""
        self.divide(self.arrangement.to("programs"))
        self.query_one(Programs).turn(offset)

    def action_raw(self) -> None:
        """JAX's own words."""
        self.divide(self.arrangement.to("why"))
        self.query_one(Why).turn_raw()

    def action_fold(self) -> None:
        """Fold equal hits, or unfold them."""
        self.query_one(Calls).fold()

    # ------------------------------------------------------------ the exercise and its code

    def action_hint(self) -> None:
        """One more hint."""
        if not self.study.step.hints:
            self.said = join("This step has no hints.")
        elif not self.study.hint():
            self.said = join(keys.told("Those were all the hints. {solution} shows the solution."))
        self.study.state.save()
        self.divide(self.arrangement.to("read"))
        self.draw_record()
        self.call_after_refresh(self.pane("read").scroll_end, animate=False)

    def action_solution(self) -> None:
        """The lesson's solution."""
        if self.study.step.solution is None:
            self.said = join("This step has no exercise, so there is no solution to show.")
            self.draw_edges()
            return
        self.app.push_screen(Solution(self.study), self._after_solution)

    def action_reset(self) -> None:
        """The step's own code."""
        if normal(self.study.step.source) == self.query_one(Editor).text:
            self.said = join("The code is as the lesson has it.")
            self.draw_edges()
            return
        self.app.push_screen(
            Confirm("Put the lesson's own code back? ctrl+z in the editor brings yours back."), self._reset
        )

    def _reset(self, answer: bool | None) -> None:  # noqa: FBT001 - Textual calls it so
        if answer:
            self.query_one(Editor).begin_again(self.study.step.source)

    def _after_solution(self, source: str | None) -> None:
        self.study.state.save()
        if source is not None:
            self.query_one(Editor).begin_again(source)
        self.draw_record()

    @on(TextArea.Changed, "#editor")
    def edited(self) -> None:
        """Remember the learner's text shortly after the last key."""
        editor = self.query_one(Editor)
        editor.mark_error(None)
        before = self.study.known.edit is None
        if editor.text == normal(self.study.source):
            return
        self.study.keep("" if editor.text == "" else editor.text)
        if before != (self.study.known.edit is None):
            self.draw_edges()
        if self._saving is not None:
            self._saving.stop()
        self._saving = self.set_timer(SAVE_AFTER, self.study.state.save)

    @on(Editor.Left)
    def left_editor(self) -> None:
        """Escape gives the keys to the text."""
        pane, target = (
            ("read", self.query_one(Questions)) if self.study.waiting else ("calls", self.query_one(CallRows))
        )
        # A widget out of sight loses the keys again, to the next one in sight: the editor.
        self.set_focus(target if self.arrangement.sees(pane) else None)

    @on(Editor.StopAsked)
    def stop_asked(self) -> None:
        """ctrl+c in the editor with nothing selected."""
        self.action_stop()

    @on(Questions.Locked)
    def locked(self, event: Questions.Locked) -> None:
        """A guess is made."""
        self.study.lock(event.predict, event.text)
        self.said = None
        self.draw_record()
        if self.study.waiting is not None:
            self.call_after_refresh(self.query_one(Read).see_questions)
        self.study.state.save()
