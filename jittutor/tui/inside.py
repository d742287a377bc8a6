"""The one file that touches Textual's inside: code colours in the editor, and ASCII-only drawing.

Each touch has a fallback: without the hook the editor is plain, without the filter the signs stay.
"""

from functools import lru_cache

from pygments.lexers.python import PythonLexer
from rich.segment import Segment
from textual.app import App
from textual.color import Color
from textual.filter import LineFilter
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

    def _build_highlight_map(self) -> None:
        """Called by TextArea after each change of the text."""
        super()._build_highlight_map()
        highlights = getattr(self, "_highlights", None)
        if highlights is None:
            return
        row, start = 0, 0
        for token, value in PythonLexer(stripnl=False, ensurenl=False).get_tokens(self.text):
            name = syntax(token)
            pieces = value.split("\n")
            for n, piece in enumerate(pieces):
                if n:
                    row, start = row + 1, 0
                end = start + len(piece.encode("utf-8", "replace"))
                if piece and name is not None:
                    highlights[row].append((start, end, name))
                start = end
