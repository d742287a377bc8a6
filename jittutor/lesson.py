"""One lesson file -> a frozen Lesson; mistakes become one sentence with file and line.

A lesson is plain Python that is read as text and never imported. The module docstring is title and
introduction; the code above the first marker is the setup of every step. A marker starts a cell:

    # %% A title                                  a step
    # %% predict: a question?                     belongs to the step above, like all that follow
    # %% hint
    # %% check
    # %% solution
    # %% wrong

A cell may begin with a docstring (prose); the rest is code. After two spaces on a marker come
options, written like keyword arguments: `# %% Twice  id="twice", traces=1, cache="miss hit"`.
"""

import ast
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

KINDS = ("predict", "hint", "check", "solution", "wrong")
CLAIMS = (
    "traces",
    "compiles",
    "cache",
    "reasons",
    "prints",
    "trace_prints",
    "raises",
    "raises_at",
    "equations",
    "shows",
    "slower",
    "holds",
)
_MARKER = re.compile(r"^# %%(?P<rest>.*)$")
_TWO_SPACES = re.compile(r"\s{2,}")


class LessonError(Exception):
    """A lesson file that cannot be used: `file:line: what is wrong`."""

    def __init__(self, path: Path | str, line: int, message: str) -> None:
        """Keep the place apart from the message, so that callers can show either."""
        super().__init__(f"{path}:{line}: {message}")
        self.path, self.line, self.message = str(path), line, message


class Claim(msgspec.Struct, frozen=True):
    """A promise about a step that `verify` holds it to."""

    name: str
    expected: object
    line: int


class Choice(msgspec.Struct, frozen=True):
    """One answer of a prediction; `why` tells what is wrong (or right) about it."""

    text: str
    why: str = ""


class Predict(msgspec.Struct, frozen=True):
    """A question asked before the run; `answer` is an expression over the run, never a typed answer."""

    id: str
    question: str
    choices: tuple[Choice, ...]
    answer: str
    line: int


class Code(msgspec.Struct, frozen=True):
    """Code with the line of the lesson file where it starts, and the prose above it."""

    source: str
    line: int
    prose: str = ""


class Step(msgspec.Struct, frozen=True):
    """One screen: a text, a snippet, and what belongs to them."""

    id: str
    title: str
    prose: str
    source: str
    line: int
    """Line of the lesson file where `source` starts."""
    claims: tuple[Claim, ...] = ()
    predicts: tuple[Predict, ...] = ()
    hints: tuple[str, ...] = ()
    check: Code | None = None
    solution: Code | None = None
    wrongs: tuple[Code, ...] = ()
    """Each wrong answer's `prose` is a piece of the message it must get."""

    @property
    def is_exercise(self) -> bool:
        """Whether the learner has something to repair or write here."""
        return self.check is not None


class Lesson(msgspec.Struct, frozen=True):
    """A title, an introduction, a setup and steps."""

    slug: str
    title: str
    intro: str
    setup: str
    setup_line: int
    steps: tuple[Step, ...]
    path: str = ""

    def step(self, step_id: str) -> Step | None:
        """The step with this id, if it is still there."""
        return next((step for step in self.steps if step.id == step_id), None)


class _Cell(msgspec.Struct):
    """A marker and the lines below it, before they are understood."""

    kind: str
    title: str
    options: dict[str, object]
    marker: int
    prose: str
    source: str
    line: int


def parse(text: str, path: Path | str, slug: str | None = None) -> Lesson:
    """The lesson in `text`.

    Raises:
        LessonError: the text is no lesson; says in which line and why.
    """
    try:
        ast.parse(text)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        raise LessonError(path, line, f"not valid Python: {getattr(error, 'msg', error)}") from None
    head, *cells = _cells(text.splitlines(), path)
    if not head.prose:
        raise LessonError(
            path, 1, "a lesson starts with a docstring: its title, an empty line, the introduction"
        )
    title, _, intro = head.prose.partition("\n")
    steps = tuple(_steps(cells, path))
    if not steps:
        raise LessonError(
            path, head.line, "a lesson needs at least one step: a line that starts with `# %% `"
        )
    return Lesson(
        slug or Path(path).stem, title.strip(), intro.strip(), head.source, head.line, steps, str(path)
    )


def _cells(lines: list[str], path: Path | str) -> Iterator[_Cell]:
    starts = [at for at, line in enumerate(lines) if _MARKER.match(line)]
    bounds = [-1, *starts, len(lines)]
    for start, end in itertools.pairwise(bounds):
        kind, title, options = ("head", "", {}) if start < 0 else _marker(lines[start], path, start + 1)
        prose, source, line = _body(lines[start + 1 : end], start + 2)
        yield _Cell(kind, title, options, start + 1, prose, source, line)


def _marker(text: str, path: Path | str, line: int) -> tuple[str, str, dict[str, object]]:
    rest = text.removeprefix("# %%").strip()
    title, *tail = _TWO_SPACES.split(rest, maxsplit=1)
    options = _options(tail[0], path, line) if tail else {}
    word, colon, after = title.partition(":")
    if word.strip() in KINDS and (colon or title.strip() in KINDS):
        return word.strip(), after.strip(), options
    return "step", title, options


def _options(text: str, path: Path | str, line: int) -> dict[str, object]:
    """The options as a dict: they are written, and read, as the keyword arguments of a call."""
    try:
        call = ast.parse(f"dict({text})", mode="eval").body
        assert isinstance(call, ast.Call)
        assert not call.args
        return {str(word.arg): ast.literal_eval(word.value) for word in call.keywords}
    except (SyntaxError, ValueError, AssertionError):
        message = f'options are written like keyword arguments (traces=1, cache="miss hit"), not: {text}'
        raise LessonError(path, line, message) from None


def _body(lines: list[str], first: int) -> tuple[str, str, int]:
    """Prose, code and the line where the code starts."""
    text = "\n".join(lines)
    tree = ast.parse(text)
    prose, used = "", 0
    if tree.body and (doc := ast.get_docstring(tree, clean=True)) is not None:
        prose, used = doc.strip(), tree.body[0].end_lineno or 0
    while used < len(lines) and not lines[used].strip():
        used += 1
    return prose, "\n".join(lines[used:]).rstrip() + "\n" if lines[used:] else "", first + used


def _steps(cells: list[_Cell], path: Path | str) -> Iterator[Step]:
    groups: list[list[_Cell]] = []
    for cell in cells:
        if cell.kind == "step":
            groups.append([cell])
        elif groups:
            groups[-1].append(cell)
        else:
            raise LessonError(
                path, cell.marker, f"`{cell.kind}` belongs below a step, and there is none above it"
            )
    seen: dict[str, int] = {}
    for main, *rest in groups:
        step = _step(main, rest, path)
        if step.id in seen:
            raise LessonError(
                path, main.marker, f'two steps have the id "{step.id}" (the other is in line {seen[step.id]})'
            )
        seen[step.id] = main.marker
        yield step


def _step(main: _Cell, rest: list[_Cell], path: Path | str) -> Step:
    if not main.title:
        raise LessonError(path, main.marker, "a step needs a title: `# %% A title`")
    options = dict(main.options)
    step_id = str(options.pop("id", "") or slugify(main.title))
    unknown = [name for name in options if name not in CLAIMS]
    if unknown:
        raise LessonError(path, main.marker, f"unknown claim `{unknown[0]}`; known are {', '.join(CLAIMS)}")
    claims = tuple(Claim(name, value, main.marker) for name, value in options.items())
    code = {kind: [cell for cell in rest if cell.kind == kind] for kind in KINDS}
    for kind in ("check", "solution"):
        if len(code[kind]) > 1:
            raise LessonError(path, code[kind][1].marker, f"a step has at most one `{kind}`")
    if code["check"] and not code["solution"]:
        raise LessonError(path, code["check"][0].marker, "a `check` needs a `solution` that passes it")
    return Step(
        step_id,
        main.title,
        main.prose,
        main.source,
        main.line,
        claims,
        tuple(_predict(cell, step_id, n, path) for n, cell in enumerate(code["predict"], 1)),
        tuple(cell.prose for cell in code["hint"]),
        _code(code["check"]),
        _code(code["solution"]),
        tuple(Code(cell.source, cell.line, cell.prose) for cell in code["wrong"]),
    )


def _code(cells: list[_Cell]) -> Code | None:
    return Code(cells[0].source, cells[0].line, cells[0].prose) if cells else None


def _predict(cell: _Cell, step_id: str, number: int, path: Path | str) -> Predict:
    answer = cell.options.get("answer")
    if not isinstance(answer, str):
        raise LessonError(path, cell.marker, "a prediction computes its answer: answer=\"run.traces('f')\"")
    items = re.split(r"(?m)^- ", cell.prose)
    choices = []
    for item in items[1:]:
        text, _, why = " ".join(item.split()).partition(": ")
        choices.append(Choice(text.strip("`"), why))
    if len(choices) < 2:
        raise LessonError(
            path, cell.marker, "a prediction needs at least two choices, each a line `- value: why`"
        )
    question = " ".join(part for part in (cell.title, items[0].strip()) if part)
    return Predict(f"{step_id}.predict{number}", question, tuple(choices), answer, cell.marker)


def slugify(title: str) -> str:
    """The title as a short name: `The same kind, twice` -> `the-same-kind-twice`."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
