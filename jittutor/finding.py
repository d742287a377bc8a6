"""One line of an author's report: what was held, what came out, and where."""

import msgspec

from jittutor.claims import Verdict
from jittutor.lesson import Lesson, Step


class Finding(msgspec.Struct, frozen=True):
    """What was held, and what came out."""

    lesson: str
    step: str
    what: str
    expected: str
    actual: str
    ok: bool
    file: str
    line: int


def finding(lesson: Lesson, step: Step | None, verdict: Verdict) -> Finding:
    """A verdict on a step, or (without one) on a lesson."""
    words = (verdict.claim, verdict.expected, verdict.actual, verdict.ok)
    return Finding(lesson.slug, step.id if step else "", *words, lesson.path, verdict.line)
