"""A broken lesson is found: a claim, solution, wrong answer, check or hint made wrong fails verify.

A sample is tried each time, the same one for the same lessons; `MUTATIONS=200 pytest tests/test_mutations.py`
tries more.
"""

import os
import random
from collections.abc import AsyncIterator, Iterator

import pytest

from jittutor import course
from jittutor.course import Course
from jittutor.finding import Finding
from jittutor.lesson import Lesson
from jittutor.link import Link
from jittutor.proofread import can_spell, proofread
from jittutor.verify import verify
from tests.mutations import Mutation, mutations

COURSE = course.load(course.home())
MANY = int(os.environ.get("MUTATIONS", "15"))
SEED = 6


def sample() -> list[Mutation]:
    """As many of each kind as chance gives, from all that can be broken."""
    every = [mutation for lesson in COURSE.lessons for mutation in mutations(lesson)]
    every = [mutation for mutation in every if can_spell() or "spelling" not in mutation.found]
    return random.Random(SEED).sample(every, min(MANY, len(every)))  # noqa: S311 - no secret


def with_only(lesson: Lesson) -> Course:
    entries = tuple(lesson if entry.slug == lesson.slug else entry for entry in COURSE.entries)
    return Course(COURSE.title, COURSE.chapters, entries)


def read(lesson: Lesson) -> set[tuple[str, str]]:
    """What proofreading finds wrong."""
    return {(f.what, f.actual) for f in proofread(with_only(lesson), [lesson]) if not f.ok}


async def held(lesson: Lesson, link: Link) -> list[Finding]:
    return [finding async for finding in verify(with_only(lesson), link, [lesson.slug]) if not finding.ok]


@pytest.fixture
async def link() -> AsyncIterator[Link]:
    link = Link(cpu=True)
    yield link
    await link.close()


def kinds() -> Iterator[str]:
    for lesson in COURSE.lessons:
        for mutation in mutations(lesson):
            yield from mutation.found


def test_every_part_of_a_lesson_can_be_broken_here() -> None:
    found = set(kinds())
    assert {
        "traces",
        "cache",
        "holds",
        "solution",
        "start code",
        "wrong answer 2",
        "prediction 1",
        "spans",
    } <= found
    assert {"form", "spelling"} <= found


@pytest.mark.worker
@pytest.mark.slow
async def test_whatever_is_broken_in_a_lesson_makes_verify_fail(link: Link) -> None:
    survived = []
    for mutation in sample():
        found = {what for what, _ in read(mutation.broken) - read(mutation.whole)}
        if not found & mutation.found:
            found |= {finding.what for finding in await held(mutation.broken, link)}
        if not found & mutation.found:
            survived.append(f"{mutation.name}: {sorted(found)}, wanted {sorted(mutation.found)}")
    assert survived == []
