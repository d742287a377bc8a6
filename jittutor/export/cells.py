"""A lesson and what the learner did with it -> a row of cells that run from top to bottom.

In the tutor each step starts afresh. Here all share one namespace, so the setup is repeated before a step
when an earlier one has changed a name of it, or when it holds jitted functions, which remember.
"""

import ast
from collections.abc import Iterator

import msgspec

from jittutor.lesson import Lesson, Predict, Step
from jittutor.state import State, StepState


class Cell(msgspec.Struct, frozen=True):
    """A piece of prose, or of code; `raises` when running it may end in an exception."""

    text: str
    is_code: bool = False
    raises: bool = False


def cells(lesson: Lesson, state: State) -> list[Cell]:
    """The cells, those without text left out."""
    return [cell for cell in _cells(lesson, state) if cell.text.strip()]


def _cells(lesson: Lesson, state: State) -> Iterator[Cell]:
    yield Cell(f"# {lesson.title}\n\n{lesson.intro}")
    yield Cell(lesson.setup, is_code=True)
    own, remembers, changed = _bound(lesson.setup), "jit" in lesson.setup, set[str]()
    for number, step in enumerate(lesson.steps, 1):
        known = state.step(lesson.slug, step.id)
        yield Cell(_prose(step, number, known))
        if number > 1 and (remembers or own & changed):
            yield Cell(f"# Each step starts afresh.\n{lesson.setup}", is_code=True)
            changed.clear()
        source = step.source if known.edit is None else known.edit
        # Nobody knows whether code of the learner's own ends well: it must not stop what follows.
        raises = known.edit is not None or any(claim.name == "raises" for claim in step.claims)
        yield Cell(source, is_code=True, raises=raises)
        changed |= _bound(source)
        yield Cell(_after(step, known))


def _prose(step: Step, number: int, known: StepState) -> str:
    parts = [f"## {number}. {step.title}", *([_result(known)] if not known.is_empty else []), step.prose]
    return "\n\n".join((*parts, *(_question(predict, known) for predict in step.predicts)))


def _result(known: StepState) -> str:
    words = ["done" if known.done else "skipped" if known.skipped else "not done yet"]
    words += ["with my own code"] if known.edit is not None else []
    words += [f"{known.hints} hints used" if known.hints > 1 else "1 hint used"] if known.hints else []
    return f"*{', '.join(words)}*"


def _question(predict: Predict, known: StepState) -> str:
    """The question and its choices; with the learner's guesses, and then also what is said about them."""
    guesses = [(text, right) for name, text, right in known.guesses if name == predict.id]
    reviews = [(text, right) for name, text, right in known.reviews if name == predict.id]
    lines = [f"**Predict:** {predict.question}", "", *(f"- `{choice.text}`" for choice in predict.choices)]
    for words, given in (("My guess", guesses), ("When it came back", reviews)):
        for text, right in given:
            why = next((choice.why for choice in predict.choices if choice.text == text), "")
            lines += ["", f"{words}: `{text}`, {'right' if right else 'not right'}. {why}".rstrip()]
    return "\n".join(lines)


def _after(step: Step, known: StepState) -> str:
    """The starting code if it was changed, hints and solution, folded away until they are wanted."""
    if step.solution is None:
        return ""
    own = "" if known.edit is None else _folded("The code that the step starts with", _fenced(step.source))
    hints = "\n\n".join(f"{number}. {' '.join(hint.split())}" for number, hint in enumerate(step.hints, 1))
    solution = _folded("Solution", _fenced(step.solution.source))
    return "\n\n".join(filter(None, (own, _folded("Hints", hints) if hints else "", solution)))


def _folded(title: str, text: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{text}\n\n</details>"


def _fenced(source: str) -> str:
    return f"```python\n{source.rstrip()}\n```"


def _bound(source: str) -> set[str]:
    """The names that code gives a new value, wherever it does."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return set()
    names = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }
    kinds = ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef
    names |= {node.name for node in ast.walk(tree) if isinstance(node, kinds)}
    imported = (node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))
    return names | {alias.asname or alias.name.partition(".")[0] for node in imported for alias in node.names}
