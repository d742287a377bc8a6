"""How the learner goes from step to step and from pane to pane."""

from jittutor.lesson import Lesson, Step
from jittutor.tui import keys
from jittutor.tui.panes.calls import CallRows, Calls
from jittutor.tui.panes.editor import Editor
from jittutor.tui.panes.prints import Prints
from jittutor.tui.panes.programs import Programs
from jittutor.tui.panes.questions import Questions
from jittutor.tui.panes.read import Read
from jittutor.tui.panes.why import Why
from jittutor.tui.say import join
from jittutor.tui.screens.arrange import PANES
from jittutor.tui.screens.running import RunningView


class MovingView(RunningView):
    """A running lesson with the keys that only lead elsewhere."""

    _came_from: tuple[Lesson, Step] | None = None

    def tell(self, words: str) -> None:
        """Say something at the bottom until the next run or step."""
        self.said = join(words)
        self.draw_edges()

    def action_next(self) -> None:
        """The next step."""
        self._go(1)

    def action_previous(self) -> None:
        """The step before."""
        self._go(-1)

    def _go(self, offset: int) -> None:
        study = self.study
        found = study.course.beside(study.lesson.slug, study.step.id, offset)
        if found is None:
            self.said = join(
                keys.told("This is the last step. {contents} shows all lessons.")
                if offset > 0
                else "This is the first step."
            )
            self.draw_edges()
            return
        self.go(*found)

    def go(self, lesson: Lesson, step: Step) -> None:
        """Another step; a run of this one is ended."""
        self.study.keep(self.query_one(Editor).text)
        if self.study.running:
            self.kill("another step was opened")
        self.study.open(lesson, step)
        self.study.state.save()
        self.follow([])
        self.open_step()

    def action_lesson(self) -> None:
        """The lesson about this error; from there back again."""
        study, back = self.study, self._came_from
        found = self.about_error()
        if found is not None and found is not study.lesson:
            here = study.lesson, study.step
            self.go(found, found.steps[0])
            self._came_from = here
            self.tell(keys.told("This lesson is about your error. {lesson} goes back to your code."))
        elif found is not None:
            self.tell("This is the lesson about your error.")
        elif back is not None:
            self._came_from = None
            self.go(*back)
        else:
            self.tell(
                keys.told("{lesson} opens the lesson about an error, when a run ended in one that is known.")
            )

    # ------------------------------------------------------------ panes

    def action_show(self, name: str) -> None:
        """Bring a pane in sight and give it the keys."""
        pane = "read" if name == "text" else name
        self.divide(self.arrangement.to(pane))
        target = {"calls": self.query_one(CallRows)}.get(pane, self.pane(pane))
        if pane == "read" and self.query_one(Questions).active is not None:
            target = self.query_one(Questions)
        self.set_focus(target)

    def here(self) -> str:
        """The pane with the keys."""
        focused = self.focused
        nodes = focused.ancestors_with_self if focused is not None else []
        return next((node.id for node in nodes if node.id in PANES), None) or self.arrangement.top

    def action_more(self) -> None:
        """A page of text further; at its end back to the start."""
        read = self.pane("read")
        if not self.arrangement.sees("read"):
            self.divide(self.arrangement.to("read"))
        elif read.is_vertical_scroll_end:
            read.scroll_home(animate=False)
        else:
            read.scroll_page_down(animate=False)

    def action_next_pane(self) -> None:
        """Give the keys to the next pane."""
        at = PANES.index(self.here())
        self.action_show(PANES[(at + 1) % len(PANES)])

    def action_zoom(self) -> None:
        """One pane on the whole screen, and back."""
        self.divide(self.arrangement.zoom(self.here()))

    def plain(self) -> str:
        """The text of the pane with the keys."""
        pane = self.pane(self.here())
        assert isinstance(pane, Read | Editor | Calls | Why | Prints | Programs)
        return pane.text if isinstance(pane, Editor) else pane.plain()
