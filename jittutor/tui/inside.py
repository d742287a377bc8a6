"""The one file that touches Textual's inside: code colours in the editor, and ASCII-only drawing.

Each touch has a fallback: without the hook the editor is plain, without the filter the signs stay.
"""

from functools import lru_cache

from pygments.lexers.python import PythonLexer
from rich.segment import Segment
from textual.app import App
from textual.color import Color
from textual.filter import LineFilter
from textual.timer import Timer
from textual.widgets import TextArea

from jittutor.tui.theme import syntax

_PAIRS = (
    ("─━—▔", "-"),
    ("│┃▏▎▍▌▐", "|"),
    ("█▉▊▋▇▆▅▄", "#"),
    ("┌┐└┘├┤┬┴┼╭╮╯╰┏┓┗┛", "+"),
    ("→▸▶", ">"),
    ("←◀", "<"),
    ("●◐", "o"),
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


class ColouredTextArea(TextArea):
    """A TextArea whose Python is coloured by Pygments instead of tree-sitter."""

    _recolouring: Timer | None = None

    def _build_highlight_map(self) -> None:
        """Called by TextArea after each change of the text."""
        old = dict(getattr(self, HIGHLIGHTS, {}))
        super()._build_highlight_map()
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
