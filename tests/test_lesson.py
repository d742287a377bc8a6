"""What a lesson file means, and what is said about one that means nothing."""

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jittutor.lesson import Lesson, LessonError, parse

GOOD = '''"""A title

The introduction.
"""

import jax

# %% The first step  traces=1, cache="miss hit"
"""
Prose of the first step.
"""

x = 1
x

# %% predict: How many?  answer="1 + 1"
"""
Think first.

- `2`: one and
  one.
- `{'a': 1}`: a dict
- three: no
"""

# %% The second step  id="second"
"""
Prose of the second step.
"""

y = 1

# %% hint
"""
Change y.
"""

# %% hint
"""
Write 2.
"""

# %% check
assert y == 2, "y is not 2"

# %% solution
y = 2

# %% wrong
"""
not 2
"""

y = 3
'''


def lesson(text: str) -> Lesson:
    return parse(text, Path("lessons/one.py"))


def trouble(text: str) -> LessonError:
    with pytest.raises(LessonError) as caught:
        lesson(text)
    assert str(caught.value).startswith(f"lessons/one.py:{caught.value.line}: ")
    assert "\n" not in str(caught.value)
    return caught.value


def test_a_lesson_has_a_title_an_introduction_a_setup_and_steps() -> None:
    found = lesson(GOOD)
    assert (found.slug, found.title, found.intro) == ("one", "A title", "The introduction.")
    assert found.setup == "import jax\n"
    assert found.setup_line == 6
    assert [step.id for step in found.steps] == ["the-first-step", "second"]


def test_a_step_has_prose_code_and_claims_with_their_lines() -> None:
    step = lesson(GOOD).steps[0]
    assert (step.title, step.prose) == ("The first step", "Prose of the first step.")
    assert (step.source, step.line) == ("x = 1\nx\n", 13)
    assert GOOD.splitlines()[step.line - 1] == "x = 1"
    assert [(c.name, c.expected, c.line) for c in step.claims] == [("traces", 1, 8), ("cache", "miss hit", 8)]
    assert not step.is_exercise


def test_a_prediction_has_a_question_choices_with_reasons_and_an_answer_to_compute() -> None:
    (predict,) = lesson(GOOD).steps[0].predicts
    assert predict.question == "How many? Think first."
    assert [(c.text, c.why) for c in predict.choices] == [
        ("2", "one and one."),
        ("{'a': 1}", "a dict"),
        ("three", "no"),
    ]
    assert (predict.id, predict.answer) == ("the-first-step.predict1", "1 + 1")


def test_a_computed_answer_finds_its_choice_whether_it_is_a_number_or_a_text() -> None:
    (predict,) = lesson(GOOD).steps[0].predicts
    for answer, text in (("2", "2"), ("'three'", "three"), ("{'a': 1}", "{'a': 1}")):
        choice = predict.right(answer)
        assert choice is not None
        assert choice.text == text
    assert predict.right("4") is None
    assert predict.right("Array([") is None


def test_an_exercise_has_hints_a_check_a_solution_and_wrong_answers() -> None:
    step = lesson(GOOD).steps[1]
    assert step.is_exercise
    assert step.hints == ("Change y.", "Write 2.")
    assert step.check is not None
    assert step.solution is not None
    assert (step.check.source, step.solution.source) == ('assert y == 2, "y is not 2"\n', "y = 2\n")
    assert [(w.source, w.prose) for w in step.wrongs] == [("y = 3\n", "not 2")]
    for code in (step.check, step.solution, *step.wrongs):
        assert GOOD.splitlines()[code.line - 1] == code.source.rstrip("\n")


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_other_line_ends_mean_the_same(end: str) -> None:
    assert lesson(GOOD.replace("\n", end)) == lesson(GOOD)


HEAD = '"""T\n\nI.\n"""\n\n'
EXERCISE = HEAD + "# %% S\na = 1\n# %% check\nassert a\n# %% solution\na = 2\n"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("def f(:\n", 1, "not valid Python"),
        (HEAD + "# %% A\nx = 1\nx = (\n", 8, "not valid Python: '(' was never closed"),
        (HEAD + "def f():\n# %% A\n    pass\n", 7, "in the middle of a statement"),
        ("x = '\0'\n", 1, "not valid Python"),
        ("# %% A\nx = 1\n", 1, "starts with a docstring"),
        ("x = 1\n", 1, "starts with a docstring"),
        (HEAD + "x = 1\n", 6, "at least one step"),
        (HEAD + "# %%\nx = 1\n", 6, "a step needs a title"),
        (HEAD + "# %% A  trace=1\nx = 1\n", 6, "unknown claim `trace`; known are traces, "),
        (HEAD + "# %% A  seconds='long'\nx = 1\n", 6, "such as 300, or 0 for no limit; it is 'long'"),
        (HEAD + "# %% A  seconds=True\nx = 1\n", 6, "such as 300, or 0 for no limit; it is True"),
        (HEAD + "# %% A  seconds=-1\nx = 1\n", 6, "such as 300, or 0 for no limit; it is -1"),
        (HEAD + "# %% A  traces 1\nx = 1\n", 6, "written like keyword arguments"),
        (HEAD + "# %% A  1\nx = 1\n", 6, "written like keyword arguments"),
        (HEAD + "# %% A  traces=f()\nx = 1\n", 6, "written like keyword arguments"),
        (HEAD + "# %% A  **x\nx = 1\n", 6, "written like keyword arguments"),
        (HEAD + "# %% A  traces=1, traces=2\nx = 1\n", 6, "each name once"),
        (
            HEAD + "# %% A\nx = 1\n# %% B  id='a'\nx = 1\n",
            8,
            'two steps have the id "a" (the other is in line 6)',
        ),
        (HEAD + "# %% hint\nx = 1\n", 6, "`hint` belongs below a step"),
        (HEAD + "# %% A\nx = 1\n# %% predict: Q?\n", 8, "computes its answer"),
        (HEAD + "# %% A\nx = 1\n# %% predict: Q?  answer=1\n", 8, "computes its answer"),
        (HEAD + '# %% A\nx = 1\n# %% predict: Q?  answer="1 +"\n', 8, "no expression: 1 +"),
        (HEAD + '# %% A\n# %% predict: Q?  answer="1"\n"""\n- 1: y\n"""\n', 7, "two different choices"),
        (
            HEAD + '# %% A\n# %% predict: Q?  answer="1"\n"""\n- 1: y\n- 1: z\n"""\n',
            7,
            "two different choices",
        ),
        (EXERCISE + "# %% check\nassert a\n", 12, "`check` comes after `solution`; the order is predict, "),
        (EXERCISE + '# %% hint\n"""x"""\n', 12, "`hint` comes after `solution`"),
        (EXERCISE + "# %% solution\na = 3\n", 12, "at most one `solution`"),
        (EXERCISE + "# %% wrong\na = 3\n", 12, "a `wrong` needs its text"),
        (EXERCISE + '# %% wrong\n"""x"""\n', 12, "a `wrong` needs code"),
        (EXERCISE + '# %% wrong  traces=1\n"""x"""\na = 1\n', 12, "takes no options, and has `traces`"),
        (HEAD + "# %% A\nx = 1\n# %% hint\nx = 1\n", 8, "a `hint` needs a `check`"),
        (HEAD + "# %% A\nx = 1\n# %% solution\nx = 2\n", 8, "a `solution` needs a `check`"),
        (HEAD + "# %% A\nx = 1\n# %% check\nassert x\n", 8, "a `check` needs a `solution`"),
    ],
)
def test_a_mistake_is_one_sentence_with_file_and_line(text: str, line: int, message: str) -> None:
    error = trouble(text)
    assert message in str(error)
    assert error.line == line


def test_a_marker_inside_a_text_is_refused_not_misread() -> None:
    assert "in the middle of a statement" in str(trouble(HEAD + '# %% A\nx = """\n# %% B\n"""\n'))


def test_a_backslash_that_python_warns_about_is_no_mistake() -> None:
    assert lesson(HEAD + "# %% A\nx = '\\d'\n").steps[0].source == "x = '\\d'\n"


def test_a_form_feed_inside_a_line_does_not_move_the_lines_below() -> None:
    assert lesson(HEAD + "x = 'a\x0cb'\n\n# %% A\ny = 1\n").steps[0].line == 9


@given(
    st.lists(
        st.sampled_from([*GOOD.splitlines(), '"""', "# %%", "- x: y", "\t(", "# %% check  a=1"]), max_size=30
    )
)
def test_any_text_is_a_lesson_or_one_sentence(lines: list[str]) -> None:
    text = "\n".join(lines)
    with contextlib.suppress(LessonError):
        assert parse(text, "one.py").steps
        return
    assert 1 <= trouble(text).line <= len(lines) + 1
