"""The programs JAX built, in three languages, with the line of the learner's code that made each line."""

from textual.content import Content

from jittutor.event import Program
from jittutor.tui.panes.code import LANGUAGES, coloured
from jittutor.tui.panes.lines import Lines
from jittutor.tui.say import beside, join, say_line


class Programs(Lines):
    """One program at a time."""

    def __init__(self) -> None:
        """No program yet."""
        super().__init__(id="programs")
        self.programs: tuple[Program, ...] = ()
        self.at = 0
        self.language = LANGUAGES[0]
        self.cursor_line: int | None = None
        """The line of the code the learner is at: what it made is marked."""
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
        self._text = self._lines(program) if program else []
        self._widest = max(map(len, self._text), default=0) + (10 if self._sources() else 0)
        self.scroll_to(0, 0, animate=False)
        self._title()
        self.changed()

    def _lines(self, program: Program) -> list[str]:
        texts = {"jaxpr": program.jaxpr, "StableHLO": program.stablehlo, "HLO": program.hlo}
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
        who = f"{program.function}({program.signature})"
        place = f"  {self.at + 1}/{len(self.programs)}" if len(self.programs) > 1 else ""
        self.border_title = join("Programs  ", Content(" ").join(tabs), f"  {who}", (place, "$muted"))

    def length(self) -> int:
        """The lines of the text."""
        return len(self._text)

    def widest(self) -> int:
        """The longest line."""
        return self._widest

    def content(self, at: int) -> Content:
        """One line in colours, its source at the right."""
        line = coloured(self._text[at], self.language)
        sources = self._sources()
        source = sources[at] if at < len(sources) else None
        if source is None:
            return line
        here = source == self.cursor_line
        note = say_line(f" ← line {source}", "bold $accent" if here else "$muted")
        width = max(self.scrollable_content_region.width, line.cell_length + note.cell_length)
        return beside(line.stylize("bold") if here else line, note, width)
