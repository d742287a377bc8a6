"""The programs JAX built, in three languages, with the line of the learner's code that made each line."""

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message

from jittutor.event import Program
from jittutor.study.hlo import readable
from jittutor.tui.panes.code import LANGUAGES, coloured
from jittutor.tui.panes.lines import Lines
from jittutor.tui.say import join, say_line

IDLE = "What JAX builds from a function: jaxpr, StableHLO, HLO."


class Programs(Lines):
    """One program at a time."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
    ]

    class Picked(Message):
        """The learner stands at a line of the program; `line` of the code made it, if any did."""

        def __init__(self, line: int | None) -> None:
            """Carry the line of the code."""
            super().__init__()
            self.line = line

    def __init__(self) -> None:
        """No program yet."""
        super().__init__(id="programs")
        self.programs: tuple[Program, ...] = ()
        self.at = 0
        self.language = LANGUAGES[0]
        self.cursor_line: int | None = None
        """The line of the code the learner is at: what it made is marked."""
        self.row: int | None = None
        """The line of the program that the learner chose."""
        self._text: list[str] = []
        self._widest = 0

    def on_mount(self) -> None:
        """Say what will stand here."""
        self._load()

    def show(self, programs: tuple[Program, ...]) -> None:
        """Programs so far; the newest is shown, unless the reader chose one that is still there."""
        if programs is self.programs:
            return
        follow = self.at >= len(self.programs) - 1
        self.programs = programs
        if follow or self.at >= len(programs):
            self.at = max(0, len(programs) - 1)
        self._load()

    def pick(self, program_id: int) -> None:
        """Show the program with this id, if it is there."""
        for at, program in enumerate(self.programs):
            if program.id == program_id and at != self.at:
                self.at = at
                self._load()

    def turn(self, offset: int) -> None:
        """Show the next program or the one before."""
        if self.programs:
            self.at = (self.at + offset) % len(self.programs)
            self._load()

    def turn_language(self) -> None:
        """Show the next language."""
        self.language = LANGUAGES[(LANGUAGES.index(self.language) + 1) % len(LANGUAGES)]
        self._load()

    def mark(self, line: int | None) -> None:
        """Mark what this line of the code made."""
        if line != self.cursor_line:
            self.cursor_line = line
            if self.language == LANGUAGES[0] and self.programs:
                self._strips.clear()
                self.refresh()
                self._see_marked()

    def _see_marked(self) -> None:
        """Bring what is marked in sight, unless some of it is."""
        rows = [
            at
            for at, source in enumerate(self._sources())
            if source is not None and source == self.cursor_line
        ]
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if rows and height and not any(top <= at < top + height for at in rows):
            self.scroll_to(y=max(0, rows[0] - height // 3), animate=False)

    # ------------------------------------------------------------ a line of the program

    def action_move(self, offset: int) -> None:
        """Stand at the line above or below, and tell which line of the code made it."""
        if self.programs:
            top = self.scroll_offset.y
            self.stand(top if self.row is None else self.row + offset)

    def stand(self, at: int) -> None:
        """Stand at this line and keep it in sight."""
        at = min(max(at, 0), len(self._text) - 1)
        self.row = at
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if height and not top <= at < top + height:
            self.scroll_to(y=at if at < top else at - height + 1, animate=False)
        self._tell()

    def leave(self) -> None:
        """Stand nowhere."""
        if self.row is not None:
            self.row = None
            self._tell()

    def _tell(self) -> None:
        self._strips.clear()
        self.refresh()
        self.post_message(self.Picked(None if self.row is None else self._source(self.row)))

    def on_blur(self) -> None:
        """Whoever goes elsewhere stands nowhere here."""
        self.leave()

    def on_click(self, event: events.Click) -> None:
        """A click chooses a line."""
        at = event.y + self.scroll_offset.y
        if self.programs and at < len(self._text):
            self.stand(at)

    # ------------------------------------------------------------ drawing

    @property
    def program(self) -> Program | None:
        """The one on show."""
        return self.programs[self.at] if self.programs else None

    def plain(self) -> str:
        """The text on show."""
        return "\n".join(self._text)

    def _load(self) -> None:
        program = self.program
        self.leave()
        self._text = self._lines(program) if program else [IDLE]
        self._widest = max(map(len, self._text), default=0) + (10 if self._sources() else 0)
        self.scroll_to(0, 0, animate=False)
        self._title()
        self.changed()

    def _lines(self, program: Program) -> list[str]:
        texts = {"jaxpr": program.jaxpr, "StableHLO": program.stablehlo, "HLO": readable(program.hlo or "")}
        text = texts[self.language]
        if not text:
            return [f"There is no {self.language} of this program: it was traced, and not compiled."]
        return text.rstrip("\n").split("\n")

    def _sources(self) -> tuple[int | None, ...]:
        program = self.program
        return program.source_lines if program and self.language == LANGUAGES[0] else ()

    def _title(self) -> None:
        program = self.program
        if program is None:
            self.border_title = join("Programs")
            return
        tabs = [join((name, "reverse bold" if name == self.language else "$muted")) for name in LANGUAGES]
        place = f"{self.at + 1}/{len(self.programs)} " if len(self.programs) > 1 else ""
        who = f"{program.function}({program.signature})"
        self.border_title = join("Programs  ", Content(" ").join(tabs), "  ", (place, "$muted"), who)

    def length(self) -> int:
        """The lines of the text."""
        return len(self._text)

    def widest(self) -> int:
        """The longest line."""
        return self._widest

    def content(self, at: int) -> Content:
        """One line in colours; bold where the learner is."""
        if not self.programs:
            return say_line(IDLE, "$muted")
        if at == self.row:
            # One colour for the whole line: colours turned round would make a patchwork of it.
            return say_line(self._text[at], "reverse")
        line = coloured(self._text[at], self.language)
        source = self._source(at)
        if source is not None and source == self.cursor_line:
            line = line.stylize("bold")
        return line

    def pinned(self, at: int) -> Content | None:
        """The line of the learner's code that made this one."""
        source = self._source(at)
        if source is None:
            return None
        here = source == self.cursor_line
        arrow, room = "◀" if here else "←", self.scrollable_content_region.width
        fits = len(self._text[at]) + 10 <= room
        return say_line(
            f" {arrow} line {source}" if fits else f" {arrow}{source}", "bold $accent" if here else "$muted"
        )

    def _source(self, at: int) -> int | None:
        sources = self._sources()
        return sources[at] if at < len(sources) else None
