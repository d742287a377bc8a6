"""The text of a lesson file -> its cells: marker, options, prose and code, each with its line.

What the cells mean is lesson.py's business.
"""

import ast
import inspect
import itertools
import re
import warnings
from collections.abc import Iterator
from pathlib import Path

import msgspec

KINDS = ("predict", "hint", "check", "solution", "wrong")
"""The cells that belong to a step, in the order in which they stand below it."""
_MARKER = re.compile(r"^# ?%%(?P<rest>.*)$")
_TWO_SPACES = re.compile(r"\s{2,}")
_LINE_END = re.compile(r"\r\n|\r|\n")


class LessonError(Exception):
    """A lesson file that cannot be used: `file:line: what is wrong`."""

    def __init__(self, path: Path | str, line: int, message: str) -> None:
        """Keep the place apart from the message, so that callers can show either."""
        super().__init__(f"{path}:{line}: {message}")
        self.path, self.line, self.message = str(path), line, message


class Cell(msgspec.Struct, frozen=True):
    """A marker and the lines below it, before they are understood."""

    kind: str
    title: str
    options: dict[str, object]
    marker: int
    prose: str
    source: str
    line: int


def cells(text: str, path: Path | str) -> list[Cell]:
    """The cells of a file; the first one, of kind `head`, is what stands above the first marker.

    Raises:
        LessonError: the text is not Python, or a marker is not understood.
    """
    statements = _tree(text, path).body
    # Not str.splitlines: a form feed inside a line is no new line to Python either.
    lines = _LINE_END.split(text)
    starts = [at for at, line in enumerate(lines) if _MARKER.match(line)]
    bounds = list(itertools.pairwise([-1, *starts, len(lines)]))
    firsts = _first_statements(statements, bounds, path)
    return [_cell(lines, bound, first, path) for bound, first in zip(bounds, firsts, strict=True)]


def _first_statements(
    statements: list[ast.stmt], bounds: list[tuple[int, int]], path: Path | str
) -> list[ast.stmt | None]:
    """The first statement of each cell; the file is parsed once, not again for each cell."""
    found: list[ast.stmt | None] = [None] * len(bounds)
    at = 0
    for statement in statements:
        while statement.lineno > bounds[at][1]:
            at += 1
        if (statement.end_lineno or 0) > bounds[at][1] and at + 1 < len(bounds):
            raise LessonError(path, bounds[at][1] + 1, "a marker stands in the middle of a statement")
        found[at] = found[at] or statement
    return found


def _cell(lines: list[str], bound: tuple[int, int], first: ast.stmt | None, path: Path | str) -> Cell:
    start, end = bound
    kind, title, options = ("head", "", {}) if start < 0 else _marker(lines[start], path, start + 1)
    prose, source, line = _body(lines, start + 1, end, first)
    return Cell(kind, title, options, start + 1, prose, source, line)


def _tree(text: str, path: Path | str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        raise LessonError(path, line, f"not valid Python: {getattr(error, 'msg', error)}") from None


def _marker(text: str, path: Path | str, line: int) -> tuple[str, str, dict[str, object]]:
    rest = text.partition("%%")[2].strip()
    title, *tail = _TWO_SPACES.split(rest, maxsplit=1)
    options = dict(_options(tail[0], path, line)) if tail else {}
    word, colon, after = title.partition(":")
    if word.strip() in KINDS and (colon or title.strip() in KINDS):
        return word.strip(), after.strip(), options
    return "step", title, options


def _options(text: str, path: Path | str, line: int) -> Iterator[tuple[str, object]]:
    """The options by name: they are written, and read, as the keyword arguments of a call."""
    message = f'options are written like keyword arguments (traces=1, cache="miss hit"), not: {text}'
    try:
        call = ast.parse(f"dict({text})", mode="eval").body
    except (SyntaxError, ValueError):
        raise LessonError(path, line, message) from None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args:
        raise LessonError(path, line, message)
    names: set[str] = set()
    for word in call.keywords:
        if word.arg is None or word.arg in names:
            raise LessonError(path, line, f"{message} (each name once)")
        names.add(word.arg)
        try:
            yield word.arg, ast.literal_eval(word.value)
        except ValueError:
            raise LessonError(path, line, message) from None


def _body(lines: list[str], start: int, end: int, first: ast.stmt | None) -> tuple[str, str, int]:
    """Prose, code and the line where the code starts; `first` is the first statement of the cell."""
    prose, used = "", start
    if (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    ):
        prose, used = inspect.cleandoc(first.value.value).strip(), first.end_lineno or start
    while used < end and not lines[used].strip():
        used += 1
    source = "\n".join(lines[used:end]).rstrip()
    return prose, source + "\n" if source else "", used + 1
