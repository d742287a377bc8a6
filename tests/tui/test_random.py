"""Keys, pastes, clicks, sizes and events at random leave the tutor alive and the learner's text intact.

10,000 of them each time, always the same; `RANDOM=100000 pytest tests/tui/test_random.py` tries others, as
many as that. A story that fails is told again as short as it can be.
"""

import math
import os
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from tests.tui import fake
from tests.tui.learner import (
    EDITS,
    MOVES,
    PASTES,
    SCRIPTS,
    Action,
    Burst,
    Click,
    Learner,
    Nothing,
    Pasted,
    Press,
    Says,
    Sized,
)

LENGTH = 250
MANY = int(os.environ.get("RANDOM", "10000"))
IDLE = 1.25
"""A fifth of a story is nothing: it is what chance likes to begin with."""
LETTERS = "abcdefghijklmnopqrstuvwxyzSEXK,.:?/ #()[]<>+-=é日"
SIZES = [(120, 40), (80, 24), (100, 30), (60, 16), (20, 5), (1, 1), (200, 60)]
EVENTS = ["ready", "ended", "began", "printed", "done", "old", "raised", *SCRIPTS]
# Runs, the way into the code and out of it come more often than chance would have them.
NAMES = [*LETTERS, *MOVES, *EDITS, *["e", "escape"] * 8, *["ctrl+j", "n", "p", "enter", "y"] * 2]
WORDS = ["x = 1", "return y", "(((", "e", "nn", "# no", "  "]


def everything() -> list[Action]:
    """What may happen, often in it what happens often; the first is what a shorter story has instead."""
    chance = random.Random(1)  # noqa: S311 - no secret
    found: list[Action] = [Nothing()]
    found += [Press(name) for name in NAMES] * 8
    found += [Burst(tuple(chance.choices(NAMES, k=chance.randrange(2, 7)))) for _ in range(120)]
    found += [Burst(tuple(word)) for word in WORDS] * 10
    found += [Click(chance.randrange(1000), chance.randrange(1000)) for _ in range(60)]
    found += [Pasted(name) for name in PASTES] * 2
    found += [Sized(*size) for size in SIZES] * 3
    found += [Says(what) for what in EVENTS] * 5
    return found


@pytest.fixture(autouse=True, scope="module")
def _seldom_drawn() -> Iterator[None]:
    """A quarter of the pictures is enough: they are most of the work."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("textual.screen.UPDATE_PERIOD", 1 / 15)
        yield


@settings(
    max_examples=math.ceil(MANY * IDLE / LENGTH),
    derandomize="RANDOM" not in os.environ,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=list(HealthCheck),
)
@given(st.lists(st.sampled_from(everything()), min_size=LENGTH, max_size=LENGTH))
def test_whatever_is_typed_the_tutor_lives_and_no_text_is_lost(story: list[Action]) -> None:
    note("\n".join(str(action) for action in story if action != Nothing()))
    with tempfile.TemporaryDirectory() as folder:
        Learner(Path(folder), fake.course()).live(story)


@pytest.mark.slow
@pytest.mark.worker
@pytest.mark.parametrize("seed", range(3))
def test_with_a_real_worker_too(tmp_path: Path, seed: int) -> None:
    story = random.Random(seed).choices(everything(), k=300)  # noqa: S311 - no secret
    Learner(tmp_path, fake.course(), real=True).live(story)
