"""The tutor: opens the link behind the first paint, listens to it, and holds the screens."""

import asyncio
import contextlib
import gc
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import SuspendNotSupported, SystemCommand
from textual.binding import Binding, BindingType
from textual.events import CursorPosition, Event, InputEvent
from textual.notifications import SeverityLevel
from textual.screen import Screen

from jittutor.clean import clean
from jittutor.course import Course
from jittutor.lesson import Lesson, Step
from jittutor.state import State
from jittutor.study.link import Link
from jittutor.study.study import Study
from jittutor.tui import inside, keys, remap
from jittutor.tui.guard import ASK, BEAT, Guard
from jittutor.tui.inorder import InOrderApp
from jittutor.tui.message import Heard
from jittutor.tui.options import Options
from jittutor.tui.pace import Pace
from jittutor.tui.say import join
from jittutor.tui.screens.dialogs import Confirm, Help
from jittutor.tui.screens.lesson import LessonScreen
from jittutor.tui.theme import DARK, THEMES

if TYPE_CHECKING:
    from jittutor import event as domain

BATCH = 2000
PAUSE, AT_ONCE = 1 / 30, 4
"""Seconds between two drawings of what the worker says, when more than so many have followed each other."""
MORE = 0.002
"""Seconds in which a short run says all it has to say: it is then drawn once."""


class Tutor(InOrderApp, inside.SparingApp):
    """jittutor's screen."""

    CSS_PATH = "tutor.tcss"
    TITLE = "jittutor"
    COMMAND_PALETTE_BINDING = "ctrl+o"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", "quit", show=False, priority=True)]

    def __init__(
        self, course: Course, link: Link, state: State, start: tuple[str, str] | None, options: Options
    ) -> None:
        """Show `start`, or where the state says the learner was."""
        super().__init__()
        self.options, self.link = options, link
        self.study = Study(course, state, start)
        table, self.troubles = remap.load(state.folder)
        keys.use(table)
        self.exporter: Callable[[Lesson], str] | None = None
        """Makes a notebook of a lesson; whoever starts the tutor knows how."""
        self.animation_level = "none"
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = options.theme if options.theme in self.available_themes else DARK
        if options.ascii:
            inside.use_ascii(self)
        if self.no_color:
            inside.use_no_colours(self)
        self.guard: Guard | None = None
        """Ends everything when the terminal is gone."""
        self._pending: list[domain.Event] = []
        self._arrived, self._drawn = asyncio.Event(), asyncio.Event()

    def on_mount(self) -> None:
        """Paint first, then start the link."""
        if notice := " ".join(filter(None, [self.study.state.notice, *self.troubles])):
            self.call_after_refresh(self.lesson_screen.tell, notice)
            self.study.state.notice = None
        self.call_after_refresh(self._painted)
        self.call_after_refresh(self.listen)
        if self.guard is not None:
            self.guard.start()
            self.set_interval(BEAT, self.guard.beat)
            inside.ask_for_life(self)
            self.set_interval(ASK, lambda: inside.ask_for_life(self))

    def _painted(self) -> None:
        """What was made until now is here to stay: the garbage collector, if it was off, passes it over."""
        if not gc.isenabled():
            gc.freeze()
            gc.enable()

    def get_default_screen(self) -> LessonScreen:
        """The lesson is the first screen: an empty one below it would be laid out and drawn for nothing."""
        self.lesson_screen = LessonScreen(self.study, self.link)
        self.lesson_screen.exporter, self.lesson_screen.guard = self.exporter, self.guard
        return self.lesson_screen

    async def on_event(self, event: Event) -> None:
        """Every key, and every answer to a question, is a sign of life."""
        if self.guard is not None and isinstance(event, InputEvent | CursorPosition):
            self.guard.heard(answer=isinstance(event, CursorPosition))
        await super().on_event(event)

    # ------------------------------------------------------------ the link

    @work(group="listen")
    async def listen(self) -> None:
        """Hand on what the worker says, in batches: never faster than it can be drawn."""
        self.draw_batches()
        async for event in self.link.events():
            self._pending.append(event)
            self._arrived.set()
            if len(self._pending) >= BATCH:
                self._drawn.clear()
                await self._drawn.wait()

    @work(group="draw")
    async def draw_batches(self) -> None:
        """One message for all that arrived since the last drawing."""
        pace = Pace(PAUSE, AT_ONCE)
        while True:
            await self._arrived.wait()
            await asyncio.sleep(MORE)
            await pace.turn()
            self._arrived.clear()
            heard = Heard(self._pending)
            self._pending = []
            self.lesson_screen.post_message(heard)
            await heard.drawn.wait()
            self._drawn.set()

    async def on_unmount(self) -> None:
        """Save, and end the worker."""
        self.study.state.save()
        await self.link.close()

    # ------------------------------------------------------------ screens

    def action_contents(self) -> None:
        """All lessons."""
        from jittutor.tui.screens.contents import Contents  # noqa: PLC0415 - its widgets can wait until then

        self.push_screen(Contents(self.study), self._go)

    def _go(self, place: tuple[Lesson, Step] | None) -> None:
        if place is not None:
            self.lesson_screen.go(*place)

    def action_help(self) -> None:
        """All keys."""
        if not isinstance(self.screen, Help):
            self.push_screen(Help())

    async def action_quit(self) -> None:
        """Ask, then leave; asked twice, leave at once."""
        if isinstance(self.screen, Confirm):
            self.exit()
        else:
            self.push_screen(Confirm("Leave the tutor? Everything is saved."), self._quit)

    def _quit(self, answer: bool | None) -> None:  # noqa: FBT001 - Textual calls it so
        if answer:
            self.exit()

    def action_command_palette(self) -> None:
        """All commands by name."""
        if not isinstance(self.screen, inside.Palette):
            self.push_screen(inside.Palette(id="--command-palette"))

    def action_theme(self) -> None:
        """The next set of colours, kept for the next time."""
        names = [theme.name for theme in THEMES]
        at = names.index(self.theme) if self.theme in names else -1
        self.theme = names[(at + 1) % len(names)]
        self.study.state.settings["theme"] = self.theme
        self.lesson_screen.draw_record()

    def action_plain(self) -> None:
        """A pane as plain text in the terminal itself, where it can be selected and copied."""
        text = clean(self.lesson_screen.plain())
        try:
            with self.guard.paused() if self.guard else contextlib.nullcontext(), self.suspend():
                print(text)
                input("\n[Enter goes back] ")
        except (SuspendNotSupported, EOFError):
            self.lesson_screen.said = join("Plain text needs a terminal of its own.")
            self.lesson_screen.draw_edges()
        self.action_redraw()

    def action_redraw(self) -> None:
        """Draw the whole screen again."""
        self.forget_sent()
        self.screen.refresh(repaint=True, layout=True)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,  # noqa: ARG002 - what is said here is never markup
    ) -> None:
        """Say something in a corner for a while."""
        super().notify(clean(message), title=clean(title), severity=severity, timeout=timeout, markup=False)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The palette: every key's action by name."""
        if screen is self.lesson_screen:
            for key in keys.table():
                if key.id != "palette":
                    yield SystemCommand(f"{key.label} ({key.keys[0]})", key.tooltip, self._runs(key.action))

    def _runs(self, action: str) -> Callable[[], Awaitable[bool]]:
        async def run() -> bool:
            return await self.run_action(action, self.lesson_screen)

        return run
