"""How long a run may take: the usual limit, the lesson's own, or none."""

from pathlib import Path

import pytest

from jittutor.lesson import Lesson, parse
from jittutor.limits import SECONDS, seconds_for
from jittutor.study import request


def lesson(options: str) -> Lesson:
    """A lesson of one step with these options."""
    return parse(f'"""A title\n\nWords.\n"""\n\n# %% Step{options}\nx = 1\n', Path("lesson.py"))


@pytest.mark.parametrize(
    ("options", "seconds"),
    [("", SECONDS), ("  seconds=300", 300), ("  seconds=0.5, traces=0", 0.5), ("  seconds=0", None)],
)
def test_a_step_runs_as_long_as_it_asks_for(
    monkeypatch: pytest.MonkeyPatch, options: str, seconds: float | None
) -> None:
    monkeypatch.delenv("JITTUTOR_SECONDS", raising=False)
    found = lesson(options)
    assert request.build(found, found.steps[0], "x = 1", 1).seconds == seconds


def test_who_starts_the_tutor_can_lift_every_limit_and_change_the_usual_one() -> None:
    assert seconds_for(300, {"JITTUTOR_SECONDS": "0"}) is None
    assert seconds_for(None, {"JITTUTOR_SECONDS": "7"}) == 7
    assert seconds_for(300, {"JITTUTOR_SECONDS": "7"}) == 300
