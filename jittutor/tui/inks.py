"""A look of printed text -> a style that can be read in the theme, whatever the program had in mind."""

from functools import lru_cache
from itertools import pairwise

import msgspec
from rich.ansi import AnsiDecoder
from rich.color import Color as Said
from rich.color import ColorSystem
from rich.style import Style as SaidStyle
from textual.color import Color
from textual.content import Content
from textual.style import Style

from jittutor.clean import clean_line
from jittutor.study.sgr import Looks

READABLE = 4.5
"""The contrast that WCAG asks of text."""
STEPS = 10
# The eight colours of old terminals by the theme's own of the same hue; bright ones are the same here.
_NAMES = ("muted", "wrong", "right", "build", "code-keyword", "trace", "run", "foreground")
_ANSI = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_PALE = frozenset({2, 3, 6, 7})
"""Those of the eight that are pale, so that black is read on them."""


class Palette(msgspec.Struct, frozen=True):
    """The colours of a theme that printed text may have."""

    named: tuple[str, ...]
    back: str
    fore: str
    is_ansi: bool


def palette(variables: dict[str, str], *, is_ansi: bool) -> Palette:
    """The colours among a theme's variables."""
    named = tuple(variables[name] for name in _NAMES)
    return Palette(named, variables["background"], variables["foreground"], is_ansi)


def coloured(text: str, looks: Looks, palette: Palette, base: str) -> Content:
    """One line as content: harmless, and in colours that can be read."""
    shown = clean_line(text)
    content = Content.styled(shown, base)
    for (start, look), (end, _) in pairwise([*looks, (len(text), "")]):
        if look:
            # What is cleaned has other lengths: a tab becomes spaces, a sequence goes.
            first, last = (min(len(clean_line(text[:at])), len(shown)) for at in (start, end))
            content = content.stylize(style(look, palette), first, last)
    return content


@lru_cache(1024)
def style(look: str, palette: Palette) -> Style:
    """The style for a look."""
    said = AnsiDecoder().decode_line(f"\x1b[{look}m ").spans
    if not said or isinstance(said[0].style, str):
        return Style()
    return (_old if palette.is_ansi else _new)(said[0].style, palette)


def _letters(said: SaidStyle) -> Style:
    return Style(
        bold=said.bold,
        italic=said.italic,
        underline=said.underline or said.underline2,
        reverse=said.reverse,
        strike=said.strike,
    )


def _old(said: SaidStyle, _: Palette) -> Style:
    """Sixteen colours, and nobody knows which: one that may be the background's is left out."""
    fore, back = _one_of_eight(said.color), _one_of_eight(said.bgcolor)
    if back is not None:
        on = Color.parse("ansi_black" if back in _PALE else "ansi_bright_white")
        return _letters(said) + Style(Color.parse(f"ansi_{_ANSI[back]}"), on)
    if fore is None:
        return _letters(said) + Style(dim=said.dim)
    return _letters(said) + Style(foreground=None if fore in (0, 7) else Color.parse(f"ansi_{_ANSI[fore]}"))


def _one_of_eight(said: Said | None) -> int | None:
    if said is None or said.is_default:
        return None
    number = said.downgrade(ColorSystem.STANDARD).number
    return None if number is None else number % 8


def _new(said: SaidStyle, palette: Palette) -> Style:
    """All colours: the foreground moves away from the background until it can be read."""
    back = _colour(said.bgcolor, palette)
    fore = _colour(said.color, palette)
    behind = back or Color.parse(palette.back)
    if said.dim:
        fore = (fore or Color.parse(palette.fore)).blend(behind, 0.3)
    if fore is None and back is None:
        return _letters(said)
    return _letters(said) + Style(back, readable(fore or Color.parse(palette.fore), behind))


def _colour(said: Said | None, palette: Palette) -> Color | None:
    if said is None or said.is_default:
        return None
    if said.number is not None and said.number < 16:
        return Color.parse(palette.named[said.number % 8])
    return Color(*said.get_truecolor())


def readable(fore: Color, behind: Color) -> Color:
    """The colour, or the one nearest to it that can be read before this background."""
    far = max((Color(0, 0, 0), Color(255, 255, 255)), key=lambda colour: contrast(colour, behind))
    tries = (fore.blend(far, step / STEPS) for step in range(STEPS + 1))
    return next((colour for colour in tries if contrast(colour, behind) >= READABLE), far)


def contrast(one: Color, other: Color) -> float:
    """How well two colours are told apart, from 1 to 21, as WCAG counts it."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Color) -> float:
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour.normalized]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))
