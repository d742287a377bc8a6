"""A rule: which errors an advice is for, and the words of the advice."""

import msgspec

SETTING = r"^[A-Za-z_]\w*: \w+\[\], (from the )?argument (\w+ )?of (\w+|a lambda)$"
"""The traced value is one number that comes from one argument, which could be a setting."""


class Advice(msgspec.Struct, frozen=True):
    """What helps with one error."""

    say: str
    fix: str
    lesson: str | None = None


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of error.

    In `say` and `fix`, `$argument` stands for the traced argument and `$static` for the option that makes
    it static; other `$names` stand for the groups of the same name in `words`.
    """

    type: str
    """The name of the exception, or several with `|` between them."""
    say: str
    fix: str
    lesson: str | None = None
    words: str = ""
    """A pattern that the message has, when several errors share the type."""
    code: str = ""
    """A pattern that the line of code has."""
    traced: str = ""
    """A pattern that the traced value's description has."""
