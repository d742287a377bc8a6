"""The lessons that come with jittutor: rules that can be read off the text, and every promise on real JAX."""

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jittutor import course
from jittutor.course import Chapter, Course
from jittutor.lesson import CLAIMS, Code, Lesson, Step, parse
from jittutor.link import Link
from jittutor.verify import Finding, verify

COURSE = course.load(course.home())
STEPS = [
    pytest.param(lesson, step, id=f"{lesson.slug}/{step.id}")
    for lesson in COURSE.lessons
    for step in lesson.steps
]
LESSONS = [pytest.param(lesson, id=lesson.slug) for lesson in COURSE.lessons]
WIDEST = 76
WIDEST_CODE = 72
"""Columns: the prose, and the code, which shares its line with line numbers."""
SPOKEN = re.compile(r'"([A-Z][^"]+?)"')
"""A lesson named in a text, by its title."""


def codes(step: Step) -> Iterator[Code]:
    yield Code(step.source, step.line)
    yield from (code for code in (step.check, step.solution, *step.wrongs) if code is not None)


def test_every_lesson_can_be_read_and_is_in_the_course_once() -> None:
    assert COURSE.broken == ()
    files = {path.stem for path in course.home().glob("*.py")}
    assert files == {lesson.slug for lesson in COURSE.lessons}


def test_every_kind_of_claim_is_used_somewhere() -> None:
    used = {claim.name for lesson in COURSE.lessons for step in lesson.steps for claim in step.claims}
    assert used == set(CLAIMS)


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_has_up_to_four_steps_a_prediction_and_an_exercise(lesson: Lesson) -> None:
    assert 1 <= len(lesson.steps) <= 4
    assert any(step.predicts for step in lesson.steps)
    assert any(step.is_exercise for step in lesson.steps)
    assert 15 <= len(lesson.intro.split()) <= 80


@pytest.mark.parametrize(("lesson", "step"), STEPS)
def test_a_step_has_a_short_text_and_claims(lesson: Lesson, step: Step) -> None:
    assert 60 <= len(step.prose.split()) <= 150
    assert step.claims
    assert step.source
    assert len(step.title) <= 48


@pytest.mark.parametrize(("lesson", "step"), STEPS)
def test_nothing_is_too_wide_for_a_small_terminal(lesson: Lesson, step: Step) -> None:
    code = [lesson.setup, *(code.source for code in codes(step) if code is not step.check)]
    assert [line for text in code for line in text.splitlines() if len(line) > WIDEST_CODE] == []
    prose = [lesson.intro, step.prose, *step.hints, step.check.source if step.check else ""]
    assert [line for text in prose for line in text.splitlines() if len(line) > WIDEST] == []


@pytest.mark.parametrize(("lesson", "step"), [case for case in STEPS if case.values[1].is_exercise])  # type: ignore[union-attr]
def test_an_exercise_has_hints_and_wrong_answers_that_people_give(lesson: Lesson, step: Step) -> None:
    assert 2 <= len(step.hints) <= 3
    assert len(step.wrongs) >= 2
    assert len({wrong.source for wrong in step.wrongs} | {step.source}) == len(step.wrongs) + 1
    assert step.check is not None
    for node in ast.walk(ast.parse(step.check.source)):
        assert not isinstance(node, ast.Assert) or node.msg is not None, "an assertion without a message"
    assert "expected" in step.check.source
    assert "actual" in step.check.source


@pytest.mark.parametrize(("lesson", "step"), [case for case in STEPS if case.values[1].predicts])  # type: ignore[union-attr]
def test_a_prediction_has_choices_that_each_say_why(lesson: Lesson, step: Step) -> None:
    for predict in step.predicts:
        assert 2 <= len(predict.choices) <= 4
        assert all(len(choice.why.split()) >= 5 for choice in predict.choices)
        assert predict.question.endswith("?")


def test_the_course_is_35_lessons_in_8_chapters_after_one_about_the_device() -> None:
    before, *chapters = COURSE.chapters
    assert before.slugs == ("device",)
    assert len(chapters) == 8
    assert sum(len(chapter.slugs) for chapter in chapters) == 35


@pytest.mark.parametrize("chapter", COURSE.chapters[1:], ids=lambda chapter: chapter.title)
def test_a_chapter_ends_with_mixed_predictions(chapter: Chapter) -> None:
    last = COURSE.find(chapter.slugs[-1])
    assert isinstance(last, Lesson)
    assert any(len(step.predicts) >= 3 for step in last.steps)


@pytest.mark.parametrize("chapter", COURSE.chapters[1:], ids=lambda chapter: chapter.title)
def test_lessons_that_a_text_names_are_there_under_that_title(chapter: Chapter) -> None:
    titles = {lesson.title for lesson in COURSE.lessons}
    last = COURSE.find(chapter.slugs[-1])
    assert isinstance(last, Lesson)
    assert set(SPOKEN.findall(" ".join(last.steps[-1].prose.split()))) <= titles


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_milliseconds_are_promised(lesson: Lesson) -> None:
    for step in lesson.steps:
        for claim in step.claims:
            assert not re.search(
                r"_ms\s*[<>]=?\s*[\d.]+(?![\d.\s]*\*)|seconds\s*[<>]", str(claim.expected)
            ), claim


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_lesson_asks_for_a_gpu(lesson: Lesson) -> None:
    promised = [str(claim.expected) for step in lesson.steps for claim in step.claims]
    assert not any(re.search(r"\b(gpu|cuda|cpu)\b", text, re.IGNORECASE) for text in promised)


def test_the_lessons_are_formatted_as_a_formatter_would() -> None:
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent)) or "ruff"
    command = [ruff, "format", "--isolated", "--check", "--line-length", str(WIDEST_CODE), str(course.home())]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


# ---------------------------------------------------------------- on real JAX


async def held(lessons: Course) -> list[Finding]:
    link = Link(cpu=True)
    try:
        return [finding async for finding in verify(lessons, link)]
    finally:
        await link.close()


@pytest.mark.worker
async def test_every_promise_of_every_lesson_is_kept() -> None:
    found = await held(COURSE)
    broken = [f for f in found if not f.ok]
    assert not broken, "\n".join(
        f"{f.file}:{f.line} {f.step} {f.what}: {f.expected} / {f.actual}" for f in broken
    )
    assert {(f.lesson, f.step) for f in found} == {(a.slug, b.id) for a in COURSE.lessons for b in a.steps}


SMALL = '''"""Small

A lesson for this test.
"""

import jax
import jax.numpy as jnp
import numpy as np

x = np.ones(3, np.float32)

# %% Calls  traces={traces}, compiles={compiles}, cache={cache}, reasons={reasons}, prints={prints}, \
trace_prints={trace_prints}, equations={equations}, shows={shows}, slower={slower}, holds={holds}
@jax.jit
def f(x):
    print("tracing", x.shape)
    return jnp.where(x > 0, x, 0.0) * 2


f(x)
f(x)
f(np.ones(4, np.float32))
print("end")
3 * 4

# %% Error  raises={raises}, raises_at={raises_at}
jax.jit(lambda x: x if x else -x)(1.0)
'''
RIGHT = {
    "traces": "2",
    "compiles": '{"f": 2}',
    "cache": '"miss hit miss"',
    "reasons": '"shape"',
    "prints": '["tracing (3,)", "tracing (4,)", "end"]',
    "trace_prints": "2",
    "equations": '{"f": 3}',
    "shows": '"12"',
    "slower": '"1 > 3 * 2"',
    "holds": '"len(run.calls) == 3"',
    "raises": '"TracerBoolConversionError"',
    "raises_at": '"x if x else -x"',
}
WRONG = {
    "traces": "3",
    "compiles": '{"f": 1}',
    "cache": '"miss hit hit"',
    "reasons": '"dtype"',
    "prints": '["end", "tracing (3,)"]',
    "trace_prints": "1",
    "equations": '{"f": 4}',
    "shows": '"13"',
    "slower": '"2 > 3 * 1"',
    "holds": '"len(run.calls) == 4"',
    "raises": '"ValueError"',
    "raises_at": '"while x"',
}


@pytest.mark.worker
async def test_on_real_jax_each_kind_of_claim_is_kept_when_right_and_found_when_wrong() -> None:
    assert set(RIGHT) == set(WRONG) == set(CLAIMS)
    right = parse(SMALL.format(**RIGHT), "right.py")
    wrong = parse(SMALL.format(**WRONG), "wrong.py")
    found = await held(Course("Small", (), (right, wrong)))
    assert [f for f in found if f.lesson == "right" and not f.ok] == []
    assert {f.what for f in found if f.lesson == "wrong" and not f.ok} == set(CLAIMS)
