"""The text of a step: prose, questions, and the task of an exercise, in one scrolling pane."""

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.message import Message

from jittutor.tui.panes.flow import Block, Flow
from jittutor.tui.panes.questions import Questions


class Read(VerticalScroll, can_focus=True):
    """Everything there is to read."""

    class Scrolled(Message):
        """Whether more stands below may have changed."""

    def __init__(self) -> None:
        """Empty until a step is opened."""
        super().__init__(id="read")

    def compose(self) -> ComposeResult:
        """Prose above, then questions, then the task."""
        yield Flow(id="prose")
        yield Questions()
        yield Flow(id="task")

    def show(self, prose: list[Block]) -> None:
        """Another step, from its start."""
        self.query_one("#prose", Flow).show(prose)
        self.scroll_home(animate=False)

    def show_task(self, task: list[Block]) -> None:
        """How the exercise stands."""
        flow = self.query_one("#task", Flow)
        flow.show(task)
        # Its margin would be text below that nobody finds.
        flow.display = bool(task)

    @property
    def has_more(self) -> bool:
        """Whether text stands below what is on the screen."""
        return self.max_scroll_y > 0 and not self.is_vertical_scroll_end

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Tell that another part is on the screen."""
        super().watch_scroll_y(old_value, new_value)
        self.post_message(self.Scrolled())

    def watch_virtual_size(self) -> None:
        """Tell that the text became longer or shorter."""
        self.post_message(self.Scrolled())

    def on_resize(self) -> None:
        """Tell that more or less fits."""
        self.post_message(self.Scrolled())

    def see_questions(self) -> None:
        """Whoever answers sees the question."""
        questions = self.query_one(Questions)
        region = questions.place.translate(questions.virtual_region.offset)
        self.scroll_to_region(region, animate=False)

    def plain(self) -> str:
        """The text as text."""
        return "\n\n".join(flow.plain() for flow in self.query(Flow) if flow.content)
