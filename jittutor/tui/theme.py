"""Colours: one for each phase, used the same in prints, bars and strip, and those of code."""

from functools import lru_cache

from pygments.token import Token
from pygments.token import _TokenType as TokenType
from textual.theme import Theme

DARK, LIGHT, CONTRAST, ANSI = "jittutor-dark", "jittutor-light", "jittutor-contrast", "jittutor-ansi"

# The style of a piece of code by the kind of token; the first that the token is in wins.
_SYNTAX: tuple[tuple[TokenType, str, str], ...] = (
    (Token.Comment, "comment", "$code-comment italic"),
    (Token.Keyword.Type, "type", "$code-type"),
    (Token.Keyword.Constant, "number", "$code-number"),
    (Token.Keyword, "keyword", "$code-keyword bold"),
    (Token.Operator.Word, "keyword", "$code-keyword bold"),
    (Token.Name.Function, "function", "$code-function"),
    (Token.Name.Class, "function", "$code-function"),
    (Token.Name.Builtin, "builtin", "$code-function"),
    (Token.Name.Decorator, "decorator", "$code-keyword"),
    (Token.Name.Attribute, "attribute", "$muted"),
    (Token.Name.Constant, "number", "$code-number"),
    (Token.Name.Variable, "variable", "$code-variable"),
    (Token.Literal.String, "string", "$code-string"),
    (Token.Literal.Number, "number", "$code-number"),
)
SYNTAX_NAMES: dict[str, str] = {name: style for _, name, style in _SYNTAX}


@lru_cache(256)
def syntax(token: TokenType) -> str | None:
    """The name of the style for a Pygments token; None for plain text."""
    return next((name for kind, name, _ in _SYNTAX if token[: len(kind)] == tuple(kind)), None)


def _theme(name: str, colours: dict[str, str], *, dark: bool, ansi: bool = False, **variables: str) -> Theme:
    own = {key: colours[key] for key in colours if key not in ("back", "fore", "panel")}
    return Theme(
        name=name,
        primary=colours["run"],
        secondary=colours["build"],
        accent=colours["run"],
        warning=colours["build"],
        error=colours["wrong"],
        success=colours["right"],
        foreground=colours["fore"],
        background=colours["back"],
        surface=colours["back"],
        panel=colours["panel"],
        dark=dark,
        ansi=ansi,
        variables={
            **own,
            "scrollbar": colours["rule"],
            "scrollbar-background": colours["back"],
            "scrollbar-corner-color": colours["back"],
            "block-cursor-text-style": "none",
            **variables,
        },
    )


def _code(*colours: str) -> dict[str, str]:
    names = ("keyword", "function", "type", "variable", "string", "number")
    return {f"code-{name}": colour for name, colour in zip(names, colours, strict=True)}


_DARK = {
    "back": "#13161d",
    "fore": "#d8dbe2",
    "panel": "#22252c",
    "rule": "#3c4454",
    "muted": "#9aa2b4",
    "trace": "#cfa6ff",
    "build": "#ffb561",
    "run": "#62cdf0",
    "right": "#8fd67f",
    "wrong": "#ff8d8d",
    **_code("#9fb4ff", "#e6c98f", "#7fd4b8", "#d8dbe2", "#a5cf8a", "#e8a87c"),
    "code-comment": "#99a1b3",
    "chosen": "#2b2f38",
}
_LIGHT = {
    "back": "#fbfaf6",
    "fore": "#20242e",
    "panel": "#ebebe7",
    "rule": "#b9bac0",
    "muted": "#535968",
    "trace": "#7a2fb8",
    "build": "#964400",
    "run": "#005f8a",
    "right": "#1f6b2a",
    "wrong": "#b3202c",
    **_code("#2a3fa8", "#7a5200", "#0b6650", "#20242e", "#376b1c", "#9a4313"),
    "code-comment": "#5a6170",
    "chosen": "#e9ebee",
}
_CONTRAST = {
    "back": "#000000",
    "fore": "#ffffff",
    "panel": "#1c1c1c",
    "rule": "#8a8a8a",
    "muted": "#d0d0d0",
    "trace": "#e3b8ff",
    "build": "#ffc66e",
    "run": "#7fe3ff",
    "right": "#a8f59a",
    "wrong": "#ffb0b0",
    **_code("#bccbff", "#ffe0a3", "#a3f2d8", "#ffffff", "#c8f5b0", "#ffd0b0"),
    "code-comment": "#d0d0d0",
    "chosen": "#333333",
}
_ANSI = {
    "back": "ansi_default",
    "fore": "ansi_default",
    "panel": "ansi_default",
    "rule": "ansi_blue",
    "muted": "ansi_default",
    "trace": "ansi_magenta",
    "build": "ansi_yellow",
    "run": "ansi_cyan",
    "right": "ansi_green",
    "wrong": "ansi_red",
    **_code("ansi_blue", "ansi_yellow", "ansi_green", "ansi_default", "ansi_green", "ansi_cyan"),
    "code-comment": "ansi_default",
    "chosen": "ansi_default",
}

THEMES = (
    _theme(DARK, _DARK, dark=True),
    _theme(LIGHT, _LIGHT, dark=False),
    _theme(CONTRAST, _CONTRAST, dark=True),
    _theme(
        ANSI,
        _ANSI,
        dark=True,
        ansi=True,
        **{
            "ansi-background": "ansi_black",
            "ansi-foreground": "ansi_white",
            "border-blurred": "ansi_black",
            "block-cursor-foreground": "ansi_black",
            "block-cursor-background": "ansi_white",
            "input-cursor-background": "ansi_white",
            "input-cursor-foreground": "ansi_black",
            "input-cursor-text-style": "none",
            "input-selection-background": "ansi_blue",
            "input-selection-foreground": "ansi_white",
        },
    ),
)
