"""Pygments lexers for the three languages of a JAX program: jaxpr, StableHLO and HLO.

Each line can be read without the lines above it, so that a viewer may colour only what it shows.
"""

from collections.abc import Callable
from typing import ClassVar

from pygments import lexer
from pygments.lexer import RegexLexer, words
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Whitespace,
)

_groups: Callable[..., object] = lexer.bygroups
_JAX_DTYPE = r"(?:float0|bool|key<\w+>|b?f\d+(?:_\w+)?|[ui]\d+|c\d+|bf16|f8\w+|token|Ref|MemRef)"
_NUMBER = r"-?(?:0x[0-9A-Fa-f]+|\d+\.\d*(?:[eE][-+]?\d+)?|\.\d+|\d+(?:[eE][-+]?\d+)?|inf|nan)\b"
_STRINGS = r'"(?:[^"\\\n]|\\.)*"?' + r"|'(?:[^'\\\n]|\\.)*'?"


class JaxprLexer(RegexLexer):
    """The text of a jaxpr, as `jax.make_jaxpr` prints it."""

    name = "jaxpr"
    aliases: ClassVar[list[str]] = ["jaxpr"]
    filenames: ClassVar[list[str]] = ["*.jaxpr"]
    url = "https://docs.jax.dev/en/latest/jaxpr.html"
    version_added = ""

    tokens: ClassVar[dict[str, list[object]]] = {
        "root": [
            (r"\s+", Whitespace),
            (r"#.*", Comment.Single),
            (_STRINGS, String),
            (r"\b(?:lambda|let|in)\b", Keyword),
            (r"\b(?:True|False|None)\b", Keyword.Constant),
            (rf"~?\b{_JAX_DTYPE}\{{?\[[^\]\n]*\](?:\{{[^}}\n]*\}})?", Keyword.Type),
            # ` = add a b`: a primitive stands after an equals sign with spaces around it.
            (r"(\s?=\s)([A-Za-z_][\w.]*)", _groups(Operator, Name.Function)),
            (r"([A-Za-z_]\w*)(=)", _groups(Name.Attribute, Operator)),
            (r"([A-Za-z_]\w*\*?)(:)", _groups(Name.Variable, Punctuation)),
            (_NUMBER, Number),
            (r"[A-Za-z_][\w.]*", Name),
            (r"[-+*/<>=@|&^~]", Operator),
            (r"[\[\](){};:,.]", Punctuation),
            (r".", Text),
        ]
    }


class StableHloLexer(RegexLexer):
    """StableHLO in MLIR's text form, as `jax.jit(f).lower(…).as_text()` prints it."""

    name = "StableHLO"
    aliases: ClassVar[list[str]] = ["stablehlo"]
    filenames: ClassVar[list[str]] = ["*.stablehlo"]
    url = "https://openxla.org/stablehlo"
    version_added = ""

    tokens: ClassVar[dict[str, list[object]]] = {
        "root": [
            (r"\s+", Whitespace),
            (r"//.*", Comment.Single),
            (_STRINGS, String),
            (r"%[\w.$#:-]+", Name.Variable),
            (r"@[\w.$-]+", Name.Function),
            (r"#[\w.]+", Name.Constant),
            (r"\^[\w]+", Name.Label),
            (r"\b(?:tensor|tuple|vector|memref|complex)\b(?=<)", Keyword.Type),
            (r"!?\b(?:stablehlo|chlo|mhlo|sdy|vhlo)\.[\w.]+", Name.Builtin),
            (r"\b(?:func|module|return|builtin)(?:\.\w+)*\b", Keyword),
            (
                words(
                    ("public", "private", "attributes", "across", "dimensions", "dense", "loc", "applies"),
                    prefix=r"\b",
                    suffix=r"\b",
                ),
                Keyword,
            ),
            (r"\b(?:\d+x|\?x)+(?:bf16|[fiu]\d\w*|ui\d+)\b", Keyword.Type),
            (r"\b(?:bf16|f\d\w*|ui\d+|[iu]\d+|index)\b", Keyword.Type),
            (r"\b(?:true|false|unit)\b", Keyword.Constant),
            (_NUMBER, Number),
            (r"([A-Za-z_][\w.]*)(\s*=)(?!=)", _groups(Name.Attribute, Operator)),
            (r"[A-Za-z_$][\w.$]*", Name),
            (r"->|[-+*/<>=]", Operator),
            (r"[\[\](){}:,;?|]", Punctuation),
            (r".", Text),
        ]
    }


class HloLexer(RegexLexer):
    """XLA's HLO text, before or after optimization."""

    name = "HLO"
    aliases: ClassVar[list[str]] = ["hlo", "xla-hlo"]
    filenames: ClassVar[list[str]] = ["*.hlo"]
    url = "https://openxla.org/xla/operation_semantics"
    version_added = ""

    tokens: ClassVar[dict[str, list[object]]] = {
        "root": [
            (r"\s+", Whitespace),
            (r"//.*", Comment.Single),
            (r"/\*.*?\*/", Comment.Multiline),
            (_STRINGS, String),
            (r"\b(?:HloModule|ENTRY|ROOT)\b", Keyword),
            (r"\b(?:pred|token|opaque|bf16|[fsuc]\d+\w*)\[[^\]\n]*\](?:\{[^}\n]*\})?", Keyword.Type),
            (r"%[\w.-]+", Name.Variable),
            (r"([A-Za-z_][\w.-]*)(=)", _groups(Name.Attribute, Operator)),
            (r"([a-z][\w-]*)(\()", _groups(Name.Builtin, Punctuation)),
            (r"\b(?:true|false)\b", Keyword.Constant),
            (_NUMBER, Number),
            (r"[A-Za-z_][\w.-]*", Name),
            (r"->|[-+*/<>=]", Operator),
            (r"[\[\](){}:,;]", Punctuation),
            (r".", Text),
        ]
    }
