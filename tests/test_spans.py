"""What the prose writes as code is there: in code, output or JAX; and the hints show the solution."""

import pytest

from jittutor import spans
from jittutor.event import Answered, Printed, Program
from jittutor.lesson import Lesson, parse
from jittutor.record import Record

LESSON = '''"""Title

Intro.
"""

import numpy as np

# %% Step
"""
PROSE
"""


def double(x):
    return 2 * x


double(np.arange(3))

# %% hint
"""HINT"""

# %% check
assert x, "expected: 6; actual: 0"

# %% solution
double(np.arange(3, 6))
'''


def lesson(prose: str = "Nothing.", hint: str = "`np.arange(3, 6)`") -> Lesson:
    return parse(LESSON.replace("PROSE", prose).replace("HINT", hint), "lesson.py")


def verdicts(found: Lesson, missing: str = "", words: tuple[str, ...] = ()) -> dict[str, tuple[bool, str]]:
    """By name, of a run that printed and built a program, and in which the worker did not find some names."""
    record = Record(run=1)
    for event in (
        Printed(1, "doubled: [0 2 4]\n"),
        Program(1, 1, "double", "i32[3]", 1, "{ lambda ; a:i32[3]. let b:i32[3] = mul a 2:i32[] in (b,) }"),
        Answered(1, spans.ASK, ok=not missing, text=missing),
    ):
        record = record.after(event)
    step = found.steps[0]
    return {v.claim: (v.ok, v.actual) for v in spans.hold(found, step, [record], words)}


@pytest.mark.parametrize(
    "span",
    [
        "double", "x", "np.arange", "double(np.arange(3))", "2 * x", "return", "print", "jax.jit", "mul",
        "i32[3]", "[0 2 4]", "jnp.where(condition, a, b)", "x.shape", "miss", "jittutor verify", "ctrl+j",
        "range(3)",
    ],
)  # fmt: skip
def test_what_is_in_the_code_in_the_output_or_in_jax_is_known(span: str) -> None:
    assert verdicts(lesson(f"See `{span}`."))["spans"] == (True, "all found")


@pytest.mark.parametrize(
    ("span", "missing"),
    [
        ("triple", "triple"), ("double(y2)", "y2"), ("jax.jitt", "jax.jitt"), ("jnp.wher(a, b)", "jnp.wher"),
        ("[0 2 5]", ""), ("y2.shape", ""), ("x.shap", "x.shap"),
    ],
)  # fmt: skip
def test_what_is_nowhere_is_told(span: str, missing: str) -> None:
    assert verdicts(lesson(f"See `{span}`."), missing)["spans"] == (False, f"not found: {span}")


def test_a_span_of_words_txt_is_known() -> None:
    assert verdicts(lesson("See `triple`."), "triple", ("triple",))["spans"][0]


def test_without_spans_there_is_nothing_to_hold() -> None:
    assert verdicts(lesson(hint="Look at the numbers.")).keys() == {"hints"}


def test_the_worker_is_asked_only_about_names_that_the_text_has() -> None:
    found = lesson(hint="Look.")
    assert spans.asks(found, found.steps[0]) == []
    found = lesson("See `triple` and `jax.jit`.")
    (ask,) = spans.asks(found, found.steps[0])
    assert ask.kind == "check"
    assert ask.code.endswith("_hold(['triple', 'jax.jit', 'np.arange'])")


@pytest.mark.parametrize(
    ("hint", "ok"),
    [
        ("Write `np.arange(3, 6)`.", True),
        ("Write\\n\\n```python\\ndouble(np.arange(3, 6))\\n```\\n", True),
        ("Look at `np.arange(3)`.", False),
        ("Look at the numbers.", False),
        ("Write `np.arange(3, 7)`.", False),
    ],
)
def test_a_hint_shows_code_that_the_solution_has_and_the_start_has_not(hint: str, ok: bool) -> None:
    assert verdicts(lesson(hint=hint.replace("\\n", "\n")))["hints"][0] == ok
