"""Makes hostile or odd text harmless for a terminal: everything unusual is removed or made visible.

Whole control sequences (colours, titles, clipboard writes, cursor moves) are removed; single control
bytes become signs a reader can see; tabs become spaces; towers of combining marks are cut down.
"""

import re
import unicodedata

TAB = 8
MARKS = 4
"""Combining marks that one letter may carry; real writing needs no more."""

_HARMLESS = re.compile(r"[\x20-\x7e\n]*")
# OSC, DCS, SOS, PM and APC carry a string up to BEL or ST; one that is never ended takes the line.
_STRING = r"(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)"
_CONTROL = r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
_SEQUENCE = re.compile(f"{_STRING}|{_CONTROL}")
_INVISIBLE = frozenset(
    "\u00ad\u061c\u180e\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063"
    "\u2064\u2066\u2067\u2068\u2069\u206a\u206b\u206c\u206d\u206e\u206f\ufeff\ufff9\ufffa\ufffb"
)


def clean(text: str) -> str:
    """The text as it may go to a terminal; newlines stay, all other control is gone or visible."""
    if _HARMLESS.fullmatch(text):
        return text
    return _visible(_SEQUENCE.sub("", text))


def clean_line(text: str) -> str:
    """The text as one line: newlines become visible too."""
    return clean(text).replace("\n", "␊")


def _visible(text: str) -> str:
    shown: list[str] = []
    column = marks = 0
    for letter in text:
        if letter == "\t":
            piece = " " * (TAB - column % TAB)
        elif unicodedata.combining(letter) or unicodedata.category(letter) in ("Mn", "Me"):
            marks += 1
            piece = letter if marks <= MARKS else ""
            shown.append(piece)
            continue
        else:
            piece = _one(letter)
        marks = 0
        column = 0 if letter == "\n" else column + len(piece)
        shown.append(piece)
    return "".join(shown)


def _one(letter: str) -> str:
    code = ord(letter)
    if letter == "\n" or 0x20 <= code < 0x7F:
        return letter
    if code < 0x20:
        return chr(0x2400 + code)
    if code < 0xA0:
        return "␡" if code == 0x7F else f"\\x{code:02x}"
    if letter in _INVISIBLE or 0xD800 <= code <= 0xDFFF or 0xE0000 <= code <= 0xE0FFF:
        return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
    return letter
