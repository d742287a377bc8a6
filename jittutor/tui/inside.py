"""The one file that touches Textual's inside: code colours, ASCII signs, few bytes, late answers.

Each touch has a fallback: without its hook the editor is plain, the signs stay, all bytes are sent.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from pygments.lexers.python import PythonLexer
from rich.console import Console, RenderableType
from rich.control import Control
from rich.segment import Segment
from textual._compositor import ChopsUpdate
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.command import CommandList, CommandPalette
from textual.drivers import linux_driver
from textual.events import Key
from textual.filter import LineFilter, Monochrome, NoColor
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import OptionList, TextArea

from jittutor.tui.escape import Escapes
from jittutor.tui.guard import QUESTION
from jittutor.tui.late import LateAnswers
from jittutor.tui.theme import syntax

if TYPE_CHECKING:
    from textual.strip import Strip

_PAIRS = (
    ("─━—▔", "-"),
    ("│┃▏▎▍▌▐", "|"),
    ("█▉▊▋▇▆▅▄", "#"),
    ("┌┐└┘├┤┬┴┼╭╮╯╰┏┓┗┛", "+"),
    ("→▸▶", ">"),
    ("←◀", "<"),
    ("●", "o"),
    ("◐", "-"),
    ("✗\N{MULTIPLICATION SIGN}", "x"),
    ("“”", '"'),
    ("·○", "."),
    ("…", "~"),
    ("✓", "v"),
    ("•", "*"),
    ("↳", "`"),
    ("▁", "_"),
    ("µ", "u"),
    ("λ", "\\"),
)
_ASCII = str.maketrans({sign: plain for signs, plain in _PAIRS for sign in signs})


AT_ONCE = 500
"""A text of so many lines is coloured at each key."""
REST = 0.2
HIGHLIGHTS = "_highlights"
"""Where TextArea keeps the coloured parts of each line."""


class AsciiFilter(LineFilter):
    """Draws everything with ASCII signs, whatever widget it comes from."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - Textual's signature
        """Replace each sign by one that is as wide."""
        return [
            segment
            if segment.text.isascii()
            else Segment(_ascii(segment.text), segment.style, segment.control)
            for segment in segments
        ]


@lru_cache(4096)
def _ascii(text: str) -> str:
    plain = text.translate(_ASCII)
    return (
        plain
        if plain.isascii()
        else "".join(letter if letter.isascii() else "?" * _wide(letter) for letter in plain)
    )


def _wide(letter: str) -> int:
    return Segment(letter).cell_length


def use_ascii(app: App[None]) -> None:
    """Draw with ASCII signs from now on."""
    filters = getattr(app, "_filters", None)
    if isinstance(filters, list):
        filters.append(AsciiFilter())


def use_no_colours(app: App[None]) -> None:
    """Draw without any colour: Textual takes grey ones if the theme is chosen late, and black on black."""
    filters = getattr(app, "_filters", None)
    if isinstance(filters, list):
        filters[:] = [NoColor() if isinstance(entry, Monochrome) else entry for entry in filters]


class ColouredTextArea(TextArea):
    """A TextArea whose Python is coloured by Pygments instead of tree-sitter."""

    _recolouring: Timer | None = None
    _is_seen = False

    def on_mount(self) -> None:
        """Colour the text when it has been seen: to prepare Pygments takes longer than to draw the screen."""
        self.call_after_refresh(self._begin_colours)

    def _begin_colours(self) -> None:
        self._is_seen = True
        self._recolour_late()

    def _build_highlight_map(self) -> None:
        """Called by TextArea after each change of the text."""
        old = dict(getattr(self, HIGHLIGHTS, {}))
        super()._build_highlight_map()
        if not self._is_seen:
            return
        if self.document.line_count <= AT_ONCE:
            self.recolour()
            return
        # A long text keeps its old colours until the keys rest: a key must not wait for them.
        getattr(self, HIGHLIGHTS, {}).update(old)
        if self._recolouring is not None:
            self._recolouring.stop()
        self._recolouring = self.set_timer(REST, self._recolour_late)

    def _recolour_late(self) -> None:
        self._recolouring = None
        super()._build_highlight_map()
        self.recolour()
        self.refresh()

    def recolour(self) -> None:
        """Find the colours of the whole text."""
        highlights = getattr(self, HIGHLIGHTS, None)
        if highlights is None:
            return
        highlights.clear()
        row, start = 0, 0
        for token, value in PythonLexer(stripnl=False, ensurenl=False).get_tokens(self.text):
            name = syntax(token)
            for n, piece in enumerate(value.split("\n")):
                if n:
                    row, start = row + 1, 0
                end = start + len(piece.encode("utf-8", "replace"))
                if piece and name is not None:
                    highlights[row].append((start, end, name))
                start = end


class Row:
    """What stands on one row of the terminal: its pieces by their place, while it is cut the same way."""

    def __init__(self, ends: list[int]) -> None:
        """Nothing is known yet of a row with pieces that end here."""
        self.ends = ends
        self.sent: dict[int, Strip] = {}


class Sparing(ChopsUpdate):
    """A partial update that leaves out the pieces that already stand on the terminal as they are."""

    def __init__(self, update: ChopsUpdate, rows: dict[int, Row]) -> None:
        """Compare with what was sent since the last full drawing."""
        super().__init__(update.chops, update.spans, update.chop_ends)
        self.rows = rows

    def render_segments(self, console: Console) -> str:
        """The bytes for what differs."""
        pieces: list[str] = []
        for y, x1, x2 in self.spans:
            ends = self.chop_ends[y]
            row = self.rows.get(y)
            if row is None or row.ends != ends:
                # Cut in other places, so what was remembered is covered.
                row = self.rows[y] = Row(ends)
            for end, (x, strip) in zip(ends, self.chops[y].items(), strict=False):
                if strip is None or x > x2 or end <= x1 or row.sent.get(x) == strip:
                    continue
                row.sent[x] = strip
                pieces += (Control.move_to(x, y).segment.text, strip.crop(0, end - x).render(console))
        return "".join(pieces)


class SparingApp(App[None]):
    """An app that sends no piece of the screen twice: a typed key costs hundreds of bytes, not thousands."""

    _sent: dict[int, Row]
    _sent_screen: Screen[object] | None = None

    def forget_sent(self) -> None:
        """Send everything again: something else may have written on the terminal."""
        self._sent = {}

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        """Called by Textual with each update of the terminal."""
        if isinstance(renderable, ChopsUpdate) and screen is self._sent_screen:
            super()._display(screen, Sparing(renderable, self._sent))
            return
        if renderable is not None:
            # A full drawing, or another screen: what was remembered is covered.
            self._sent, self._sent_screen = {}, screen
        super()._display(screen, renderable)


def rebind(screen: Screen[None], bindings: list[BindingType]) -> None:
    """Give a screen other keys for the actions that have an id; its other keys stay."""
    mine = {_command(binding) for binding in Binding.make_bindings(bindings)}
    found = screen._bindings.key_to_bindings  # noqa: SLF001 - Textual's own keymap knows one id a key
    for key in list(found):
        found[key] = [binding for binding in found[key] if not binding.id or _command(binding) not in mine]
    for binding in Binding.make_bindings(bindings):
        found.setdefault(binding.key, []).insert(0, binding)


def _command(binding: Binding) -> str:
    """The command a key belongs to: its further keys are numbered."""
    return (binding.id or "").partition(".")[0]


def ask_for_life(app: App[None]) -> None:
    """Ask the terminal something that it answers, and that Textual understands."""
    driver = app._driver  # noqa: SLF001 - the app itself can only write whole pictures
    if driver is not None:
        driver.write(QUESTION)


def read_with_care() -> None:
    """Take late answers of the terminal, and keys that came together, for what they are.

    On a slow line the terminal answers when keys are already read; Textual would take it for keys. And of
    Escape with a letter behind it, it would leave the letter only.
    """

    class Parser(XTermParser):
        def __init__(self, debug: bool = False) -> None:  # noqa: FBT001, FBT002 - Textual's signature
            super().__init__(debug)
            self._late, self._escapes = LateAnswers(), Escapes()

        def feed(self, data: str) -> Iterable[Message]:
            # An empty text would tell the parser that there will be no more.
            left = self._late.without(data)
            if not data:
                yield from super().feed("")
            for n, piece in enumerate(self._escapes.cut(left)):
                if n:
                    yield Key("escape", "\x1b")
                if piece:
                    yield from super().feed(piece)

        def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[Key]:  # noqa: FBT001, FBT002 - Textual's signature
            if alt:
                yield Key("escape", "\x1b")
            yield from super()._sequence_to_key_events(sequence)

    linux_driver.XTermParser = Parser  # type: ignore[attr-defined] # the driver makes one from this name


class Places(OptionList):
    """A list that bears to be turned by pages where it has no room: Textual's own fails then."""

    def _move_page(self, direction: Literal[-1, 1]) -> None:
        """Called by the keys for a page up or down."""
        if self.scrollable_content_region:
            super()._move_page(direction)


class Palette(CommandPalette):
    """The list of commands, which bears the same."""

    def _action_command_list(self, action: str) -> None:
        """Called by the keys of the list."""
        if self.query_one(CommandList).scrollable_content_region:
            super()._action_command_list(action)
