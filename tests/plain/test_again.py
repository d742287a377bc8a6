"""The review in plain text: what was guessed wrong is asked again at the end of a chapter."""

from collections.abc import Sequence
from pathlib import Path

from jittutor.event import Ended, Event, Run
from jittutor.state import State
from jittutor.study.study import Study
from tests.plain.test_plain import EXERCISE, GUESS, told
from tests.tui import fake

LAST = ("branches", "an-if-that-cannot-be-answered")
QUESTION = f"{GUESS[1]}.predict1"


def guessed_wrong(folder: Path) -> None:
    """All steps are done, the one question was guessed wrong."""
    state = State.open(folder)
    state.change(*GUESS, done=True, guesses=((QUESTION, "1", False),))
    state.change(*EXERCISE, done=True)
    state.change(*LAST, done=True)
    state.save()


async def test_a_wrong_guess_comes_back_and_a_right_answer_is_remembered(tmp_path: Path) -> None:
    guessed_wrong(tmp_path)
    text, link, state = await told(tmp_path, "next", "b", start=LAST)
    asked = text[text.index("Before you go on") :]
    assert "1 of 1, from What triggers a recompile, New numbers, old program." in asked
    assert "Question: How many of these five calls compile?" in asked
    assert "def f(x):" in asked
    assert "3: right. three different shapes arrive." in asked
    assert asked.endswith("This is the last step. `lessons` shows all lessons.\n> ")
    assert [run.setup for run in link.runs] == ["import jax\nimport jax.numpy as jnp\n"]
    assert state.step(*GUESS).reviews == ((QUESTION, "3", True),)
    assert state.step(*GUESS).guesses == ((QUESTION, "1", False),)


async def test_a_wrong_answer_is_explained_beside_the_right_one(tmp_path: Path) -> None:
    guessed_wrong(tmp_path)
    text, _, state = await told(tmp_path, "next", "a", start=LAST)
    assert "1: not it. the shape is part of the key" in text
    assert "The answer is 3. three different shapes arrive." in text
    assert state.step(*GUESS).reviews == ((QUESTION, "1", False),)


async def test_who_leaves_is_not_asked_again_at_once(tmp_path: Path) -> None:
    guessed_wrong(tmp_path)
    text, link, state = await told(tmp_path, "next", "z", "leave", "next", start=LAST)
    assert "The letters are a, b, c; `leave` goes on in the course." in text
    assert text.count("Before you go on") == 1
    assert text.count("This is the last step.") == 2
    assert not link.runs
    assert state.step(*GUESS).reviews == ()


async def test_nothing_comes_back_in_the_middle_of_a_chapter_or_when_all_was_right(tmp_path: Path) -> None:
    guessed_wrong(tmp_path)
    text, _, _ = await told(tmp_path, "next", start=GUESS)
    assert "Before you go on" not in text
    state = State.open(tmp_path)
    state.change(*GUESS, reviews=((QUESTION, "3", True),))
    state.save()
    text, _, _ = await told(tmp_path, "next", start=LAST)
    assert "Before you go on" not in text


async def test_a_worker_that_dies_judges_nothing(tmp_path: Path) -> None:
    def dies(request: Run) -> Sequence[Event]:
        assert request.source
        return [Ended("killed by signal 9")]

    guessed_wrong(tmp_path)
    text, _, state = await told(tmp_path, "next", "b", start=LAST, script=dies)
    assert "Not judged: this run gives no answer." in text
    assert state.step(*GUESS).reviews == ()


def test_both_tutors_end_a_chapter_at_the_same_step(tmp_path: Path) -> None:

    study = Study(fake.course(), State.open(tmp_path), GUESS)
    assert not study.ends_chapter
    assert Study(fake.course(), State.open(tmp_path), LAST).ends_chapter


def each_its_own(request: Run) -> Sequence[Event]:
    """The last step ends in its error, the step that is asked again prints."""
    return fake.fails(request) if "if x > 0" in request.source else fake.shapes(request)


async def test_what_the_learners_own_run_said_is_there_again_after_it(tmp_path: Path) -> None:
    guessed_wrong(tmp_path)
    typed = ("run", "next", "b", "output", "calls")
    text, _, _ = await told(tmp_path, *typed, start=LAST, script=each_its_own)
    after = text[text.index("This is the last step") :]
    assert "before" in after
    assert "raised" in after
    assert "tracing (100,)" not in after


async def test_the_lesson_one_is_in_is_not_offered_for_its_error(tmp_path: Path) -> None:
    text, _, _ = await told(tmp_path, "run", start=LAST, script=fake.fails)
    assert "Error in line 4: TracerBoolConversionError" in text
    assert "Lesson: `go" not in text
