"""Which names of JAX each step uses, and whether the prose has spoken of them by then.

granted.txt beside the lessons lists what is taken for granted, one name or pattern (`jnp.*`) a line;
a folder without it is not looked at.
"""

import ast
import fnmatch
import re
from collections.abc import Iterator
from pathlib import Path

from jittutor import spans
from jittutor.course import Course, read_text
from jittutor.ids import by_folder
from jittutor.lesson import Lesson, LessonError, Step

WORDS = frozenset(
    """at block_until_ready lower compile trace as_text static_argnums static_argnames donate_argnums
    in_axes weak_type argnums has_aux cost_analysis clear_cache""".split()  # noqa: SIM905 - a list of words is read as text
)
"""Methods, attributes and keywords that are JAX's own wherever they stand."""
_SHORT = (("jax.numpy", "jnp"), ("jax.lax", "lax"))


def granted(folder: Path) -> list[str] | None:
    """What the lessons of a folder may use without a word."""
    try:
        lines = read_text(folder / "granted.txt").splitlines()
    except LessonError:
        return None
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def unexplained(course: Course) -> dict[tuple[str, str], list[str]]:
    """Slug and step id of every step that is looked at -> the names it uses before they are explained."""
    found: dict[tuple[str, str], list[str]] = {}
    for folder, lessons in by_folder(course).items():
        patterns = granted(folder)
        if patterns is None:
            continue
        known: set[str] = set()
        for lesson in lessons:
            text = f"{lesson.title} {lesson.intro}"
            for step in lesson.steps:
                text += f" {step.title} {spans.told(lesson, step)}"
                new = [name for name in used(lesson, step) if name not in known]
                known |= set(new)
                found[lesson.slug, step.id] = [
                    name
                    for name in new
                    if not any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)
                    and not re.search(
                        rf"(?<![A-Za-z_]){re.escape(name.rpartition('.')[2])}(?![A-Za-z_])", text
                    )
                ]
    return found


def used(lesson: Lesson, step: Step) -> list[str]:
    """The names of JAX in the code that the learner sees at this step, in the order of reading."""
    setup, solution = ast.parse(lesson.setup), step.solution.source if step.solution else ""
    trees = [setup, ast.parse(step.source), ast.parse(solution)]
    homes = dict(home for tree in trees for home in _homes(tree))
    return list(dict.fromkeys(name for tree in trees for name in _used(tree, homes)))


def _homes(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """What a name in the code stands for: jnp -> jax.numpy."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name if alias.asname else alias.name.partition(".")[0]
                yield alias.asname or top, top
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _used(tree: ast.AST, homes: dict[str, str]) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        whole = _dotted(node, homes)
        if whole is not None:
            yield whole
            continue
        if isinstance(node, ast.Attribute) and node.attr in WORDS:
            yield node.attr
        elif isinstance(node, ast.keyword) and node.arg in WORDS:
            yield str(node.arg)
        yield from _used(node, homes)


def _dotted(node: ast.AST, homes: dict[str, str]) -> str | None:
    """`jnp.linalg.norm` for such a node; None when it is no name of JAX."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or homes.get(node.id, "").partition(".")[0] != "jax":
        return None
    name = ".".join((homes[node.id], *parts))
    if name in {"jax", *(long for long, _ in _SHORT)}:
        return None
    return next(
        (f"{short}{name.removeprefix(long)}" for long, short in _SHORT if name.startswith(long)), name
    )
