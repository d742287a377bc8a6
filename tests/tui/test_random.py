"""Keys, pastes, clicks, sizes and events at random leave the tutor alive and the learner's text intact.

10,000 of them in stories of 200; `RANDOM=100000 pytest tests/tui/test_random.py` tells more. A story is
known by its number, and one that ends badly is told again without what it does not need. Hypothesis would
do that too, but in five minutes it left out only half of a story: here one try costs seconds.
"""

import os
import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

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
    Pasted,
    Press,
    Says,
    Sized,
)

LENGTH = 200
MANY = int(os.environ.get("RANDOM", "10000"))
TRIES = 150
"""To make a story shorter."""
LETTERS = "abcdefghijklmnopqrstuvwxyzSEXK,.:?/ #()[]<>+-=é日"
SIZES = [(120, 40), (80, 24), (100, 30), (60, 16), (20, 5), (1, 1), (200, 60)]
EVENTS = ["ready", "ended", "began", "printed", "done", "old", "raised", *SCRIPTS]
# Runs, the way into the code and out of it come more often than chance would have them.
NAMES = [*LETTERS, *MOVES, *EDITS, *["e", "escape"] * 8, *["ctrl+j", "n", "p", "enter", "y"] * 2]
WORDS = ["x = 1", "return y", "(((", "e", "nn", "# no", "  "]


def everything() -> list[Action]:
    """What may happen, often in it what happens often."""
    chance = random.Random(1)  # noqa: S311 - no secret
    found: list[Action] = [*(Press(name) for name in NAMES)] * 8
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


def story(number: int, length: int) -> list[Action]:
    return random.Random(number).choices(everything(), k=length)  # noqa: S311 - no secret


def trouble(told: list[Action]) -> Exception | None:
    """How the story ends, if it ends badly."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            Learner(Path(folder), fake.course()).live(told)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what we look for
            return error
    return None


def shorter[T](told: list[T], is_bad: Callable[[list[T]], bool]) -> list[T]:
    """The story without what it does not need to end badly: halves are left out, then quarters, and so on."""
    tries, size = TRIES, len(told) // 2
    while size:
        at = 0
        while at < len(told) and tries:
            rest, tries = told[:at] + told[at + size :], tries - 1
            if is_bad(rest):
                told = rest
            else:
                at += size
        size //= 2
    return told


@pytest.mark.parametrize("number", range(-(-MANY // LENGTH)))
def test_whatever_is_typed_the_tutor_lives_and_no_text_is_lost(number: int) -> None:
    told = story(number, LENGTH)
    ends = trouble(told)
    if ends is not None:
        told = shorter(told, lambda rest: type(trouble(rest)) is type(ends))
        raise AssertionError("\n".join(["this story ends badly:", *map(str, told)])) from ends


def test_a_story_is_told_without_what_it_does_not_need() -> None:
    assert shorter([*"some words with a q and a z in them"], lambda rest: {"q", "z"} <= {*rest}) == ["q", "z"]


@pytest.mark.slow
@pytest.mark.worker
@pytest.mark.parametrize("number", range(3))
def test_with_a_real_worker_too(tmp_path: Path, number: int) -> None:
    Learner(tmp_path, fake.course(), real=True).live(story(number, 300))
