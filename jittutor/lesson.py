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
options, written like keyword arguments: `# %% Twice  id="twice", traces=1, cache="miss hit"`. Of a step
they are its `id`, the `seconds` that it may run, and claims.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from jittutor.cells import KINDS, Cell, LessonError, cells

__all__ = ["CLAIMS", "KINDS", "Choice", "Claim", "Code", "Lesson", "LessonError", "Predict", "Step", "parse"]

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

    def right(self, answer: str) -> Choice | None:
        """The choice that a computed answer (its repr) stands for; a string needs no quotes in a choice."""
        try:
            value = ast.literal_eval(answer)
        except (SyntaxError, ValueError):
            value = None
        names = (answer, value) if isinstance(value, str) else (answer,)
        return next((choice for choice in self.choices if choice.text in names), None)


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
    seconds: float | None = None
    """How long a run of this step may take, when the usual limit does not fit; 0 for no limit."""

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


def parse(text: str, path: Path | str, slug: str | None = None) -> Lesson:
    """The lesson in `text`.

    Raises:
        LessonError: the text is no lesson; says in which line and why.
    """
    head, *rest = cells(text, path)
    if not head.prose:
        raise LessonError(
            path, 1, "a lesson starts with a docstring: its title, an empty line, the introduction"
        )
    title, _, intro = head.prose.partition("\n")
    steps = tuple(_steps(rest, path))
    if not steps:
        raise LessonError(
            path, head.line, "a lesson needs at least one step: a line that starts with `# %% `"
        )
    return Lesson(
        slug or Path(path).stem, title.strip(), intro.strip(), head.source, head.line, steps, str(path)
    )


def _steps(found: list[Cell], path: Path | str) -> Iterator[Step]:
    groups: list[list[Cell]] = []
    for cell in found:
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
        _hold_order(rest, path)
        step = _step(main, rest, path)
        if step.id in seen:
            raise LessonError(
                path, main.marker, f'two steps have the id "{step.id}" (the other is in line {seen[step.id]})'
            )
        seen[step.id] = main.marker
        yield step


def _hold_order(rest: list[Cell], path: Path | str) -> None:
    """Refuse cells that stand in the wrong order, are alone, or say nothing."""
    kinds = [cell.kind for cell in rest]
    for at, cell in enumerate(rest):
        if at and KINDS.index(cell.kind) < KINDS.index(kinds[at - 1]):
            message = f"`{cell.kind}` comes after `{kinds[at - 1]}`; the order is {', '.join(KINDS)}"
        elif cell.kind in ("check", "solution") and cell.kind in kinds[:at]:
            message = f"a step has at most one `{cell.kind}`"
        elif cell.kind in ("hint", "solution", "wrong") and "check" not in kinds:
            message = f"a `{cell.kind}` needs a `check` above it"
        elif cell.kind == "check" and "solution" not in kinds:
            message = "a `check` needs a `solution` that passes it"
        elif cell.kind in ("hint", "wrong") and not cell.prose:
            message = f"a `{cell.kind}` needs its text, as a docstring"
        elif cell.kind not in ("hint", "predict") and not cell.source:
            message = f"a `{cell.kind}` needs code"
        elif cell.kind != "predict" and cell.options:
            message = f"a `{cell.kind}` takes no options, and has `{next(iter(cell.options))}`"
        else:
            continue
        raise LessonError(path, cell.marker, message)


def _step(main: Cell, rest: list[Cell], path: Path | str) -> Step:
    if not main.title:
        raise LessonError(path, main.marker, "a step needs a title: `# %% A title`")
    options = dict(main.options)
    step_id = str(options.pop("id", "") or slugify(main.title))
    seconds = _seconds(options.pop("seconds", None), main, path)
    unknown = [name for name in options if name not in CLAIMS]
    if unknown:
        raise LessonError(path, main.marker, f"unknown claim `{unknown[0]}`; known are {', '.join(CLAIMS)}")
    code = {kind: [cell for cell in rest if cell.kind == kind] for kind in KINDS}
    return Step(
        step_id,
        main.title,
        main.prose,
        main.source,
        main.line,
        tuple(Claim(name, value, main.marker) for name, value in options.items()),
        tuple(_predict(cell, step_id, n, path) for n, cell in enumerate(code["predict"], 1)),
        tuple(cell.prose for cell in code["hint"]),
        next(map(_code, code["check"]), None),
        next(map(_code, code["solution"]), None),
        tuple(map(_code, code["wrong"])),
        seconds,
    )


def _seconds(value: object, main: Cell, path: Path | str) -> float | None:
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool) and value >= 0):
        return value
    message = f"`seconds` is how long the step may run, such as 300, or 0 for no limit; it is {value!r}"
    raise LessonError(path, main.marker, message)


def _code(cell: Cell) -> Code:
    return Code(cell.source, cell.line, cell.prose)


def _predict(cell: Cell, step_id: str, number: int, path: Path | str) -> Predict:
    answer = cell.options.get("answer")
    if not isinstance(answer, str) or len(cell.options) > 1:
        raise LessonError(path, cell.marker, "a prediction computes its answer: answer=\"run.traces('f')\"")
    try:
        ast.parse(answer, mode="eval")
    except (SyntaxError, ValueError):
        raise LessonError(path, cell.marker, f"the answer is no expression: {answer}") from None
    first, *items = re.split(r"(?m)^- ", cell.prose)
    choices = tuple(map(_choice, items))
    if len({choice.text for choice in choices}) < max(2, len(items)):
        message = "a prediction needs at least two different choices, each a line `- value: why`"
        raise LessonError(path, cell.marker, message)
    question = " ".join(part for part in (cell.title, first.strip()) if part)
    return Predict(f"{step_id}.predict{number}", question, choices, answer, cell.marker)


def _choice(item: str) -> Choice:
    """`value: why`; a value in backticks may hold a colon itself."""
    text = " ".join(item.split())
    quoted = re.match(r"`([^`]+)`(?:: )?(.*)", text)
    value, why = quoted.groups() if quoted else (text.partition(": ")[0], text.partition(": ")[2])
    return Choice(value, why)


def slugify(title: str) -> str:
    """The title as a short name: `The same kind, twice` -> `the-same-kind-twice`."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
