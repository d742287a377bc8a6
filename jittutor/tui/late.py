"""Answers of the terminal that come after we stopped waiting for them: they must not become key presses."""

import re

_ANSWER = re.compile(r"\x1bP[01>][^\x1b\x07]{0,200}(?:\x1b\\|\x07)|\x1b\[\?[\d;]{0,40}[cu]")
"""To the questions of asking.py."""
_BEGUN = re.compile(r"(?:\x1bP[01>][^\x1b\x07]{0,200}\x1b?|\x1b\[\?[\d;]{0,40})\Z")
"""An answer of which more will come. Not the lone Escape, which is a key."""


class LateAnswers:
    """Takes answers out of what is typed, also those that come in pieces."""

    _kept = ""

    def without(self, typed: str) -> str:
        """What is left; the beginning of an answer is kept until the rest comes."""
        typed = _ANSWER.sub("", self._kept + typed)
        begun = _BEGUN.search(typed)
        self._kept = begun[0] if begun else ""
        return typed.removesuffix(self._kept)
