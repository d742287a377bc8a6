"""Text from outside (a lesson, a paste, a saved edit) -> text as Python and the editor want it."""

from jittutor.clean import clean

_TYPOGRAPHY = str.maketrans({"\u00a0": " ", "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'})


def normal(text: str) -> str:
    """Plain newlines, spaces and quotes, and nothing that a terminal would obey."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4)
    return clean(text.translate(_TYPOGRAPHY))
