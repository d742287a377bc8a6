"""A line of a program's text -> the same line in colours."""

from functools import lru_cache

from pygments.lexer import Lexer
from textual.content import Content, Span

from jittutor.lexers import HloLexer, JaxprLexer, StableHloLexer
from jittutor.tui.say import say_line
from jittutor.tui.theme import SYNTAX_NAMES, syntax

LANGUAGES = ("jaxpr", "StableHLO", "HLO")
CUT = 2000
"""Longer lines are coloured only up to here; big constants make lines of megabytes."""


@lru_cache(8)
def _lexer(language: str) -> Lexer:
    if language == "python":
        from pygments.lexers.python import PythonLexer  # noqa: PLC0415 - only when a lesson shows code

        return PythonLexer(stripnl=False, ensurenl=False)
    kinds = {"jaxpr": JaxprLexer, "StableHLO": StableHloLexer, "HLO": HloLexer}
    return kinds[language](stripnl=False, ensurenl=False)


def coloured(text: str, language: str) -> Content:
    """One line of code as content."""
    plain = say_line(text).plain
    spans: list[Span] = []
    at = 0
    for token, value in _lexer(language).get_tokens(plain[:CUT]):
        name = syntax(token)
        if name is not None:
            spans.append(Span(at, at + len(value), SYNTAX_NAMES[name]))
        at += len(value)
    return Content(plain, spans)
