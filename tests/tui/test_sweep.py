"""Runs that do not count: a sweep over values, and the questions that come back after a chapter."""

import asyncio
import re
from pathlib import Path

import pytest

from jittutor.event import Done, Event, Program, Run
from jittutor.state import State
from jittutor.tui import sweeping
from jittutor.tui.screens.review import Review
from jittutor.tui.screens.sweep import Sweep
from tests.tui import fake
from tests.tui.wait import ran, ready, screen_text, until

WIDE, SMALL = (120, 40), (80, 24)
START = ("what-recompiles", "one-kind-only")
CODE = "NUM_STEPS = 200  # rounds\nfor n in range(NUM_STEPS):\n    f(n)\n"


def unrolled(request: Run) -> list[Event]:
    """As many equations as the code has rounds."""
    found = re.search(r"NUM_STEPS = (\d+)", request.source)
    assert found
    steps, run = int(found[1]), request.run
    said = [
        e if not isinstance(e, Program) else Program(run, e.id, "f", "", steps, e.jaxpr)
        for e in fake.miss(run, 1, 100, scale=steps / 100)
    ]
    return [*said, Done(run, "ok", 0.1)]


@pytest.mark.parametrize("size", [WIDE, SMALL])
async def test_a_sweep_runs_each_value_and_draws_what_it_cost(tmp_path: Path, size: tuple[int, int]) -> None:
    state = State.open(tmp_path)
    state.change(*START, edit=CODE)
    app, link = fake.tutor(unrolled, state=state, start=START)
    async with app.run_test(size=size) as pilot:
        await ready(pilot, app)
        await pilot.press("S")
        await until(pilot, lambda: isinstance(app.screen, Sweep))
        await pilot.press("enter")
        await until(pilot, lambda: len(link.runs) == 6 and not app.study.running)
        await pilot.pause()
        text = "\n".join(screen_text(app))
        assert "equations in the program  against NUM_STEPS" in text
        assert re.search(r"2000  f █+ 2,000", text)
        assert re.search(r" 50  f █+[▏▎▍▌▋▊▉]? 50", text)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.lesson_screen)
    swept = re.findall(r"NUM_STEPS = (\d+)", " ".join(run.source for run in link.runs))
    assert swept == ["50", "100", "200", "400", "800", "2000"]
    assert not any(run.asks for run in link.runs)
    assert state.step(*START).edit == CODE
    assert not state.step(*START).done


async def test_a_sweep_that_is_closed_ends_its_run_and_the_next_run_counts(tmp_path: Path) -> None:
    state = State.open(tmp_path)
    state.change(*START, edit=CODE)
    app, link = fake.tutor(fake.nothing, state=state, start=START)
    async with app.run_test(size=WIDE) as pilot:
        await ready(pilot, app)
        await pilot.press("S", "enter")
        await until(pilot, lambda: link.runs)
        await pilot.press("escape")
        await until(pilot, lambda: link.restarts == 1)
        link.script = fake.shapes
        await pilot.press("ctrl+j")
        await ran(pilot, app)
    assert state.step(*START).done


async def test_without_a_number_to_change_there_is_no_sweep(tmp_path: Path) -> None:
    app, _ = fake.tutor(folder=tmp_path, start=START)
    async with app.run_test(size=WIDE) as pilot:
        await ready(pilot, app)
        await pilot.press("S")
        assert "A sweep needs a line like" in "\n".join(screen_text(app))


def test_only_top_level_numbers_can_be_swept_and_only_the_number_changes() -> None:
    found = sweeping.settings(f"x = 1.5\ny = True\nz = -3\nsmall = 7\n{CODE}if True:\n    N = 3\n")
    assert [(s.name, s.value, s.line) for s in found] == [("NUM_STEPS", 200, 5), ("small", 7, 4)]
    assert sweeping.changed(CODE, sweeping.settings(CODE)[0], 50) == CODE.replace("200", "50")
    assert sweeping.settings("NUM_STEPS = (") == []


@pytest.mark.parametrize("text", ["", "a b", "0 1", "-3", " ".join(map(str, range(1, 99)))])
def test_values_that_are_no_numbers_are_refused(text: str) -> None:
    assert sweeping.values(text) is None
    assert sweeping.values("3, 1 2 2") == [1, 2, 3]


@pytest.mark.parametrize(
    "code", ["-" * 100_000 + "1", "x" + ".a" * 100_000, "(" * 3000, "a\x00b", "N = " + "9" * 5000]
)
def test_code_that_python_cannot_read_has_no_number_to_change(code: str) -> None:
    assert sweeping.settings(code) == []


def test_code_that_python_would_warn_of_is_read_in_silence() -> None:
    assert [setting.name for setting in sweeping.settings("N = 10\nx = 1if N else 2\n")] == ["N"]


async def test_a_question_guessed_wrong_comes_back_at_the_end_of_the_chapter(tmp_path: Path) -> None:
    state, step = State.open(tmp_path), ("what-recompiles", "new-numbers-old-program")
    state.change(*step, done=True, guesses=((f"{step[1]}.predict1", "1", False),))
    state.change(*START, done=True)
    last = ("branches", "an-if-that-cannot-be-answered")
    state.change(*last, done=True)
    app, link = fake.tutor(state=state, start=last)
    async with app.run_test(size=WIDE) as pilot:
        await ready(pilot, app)
        await pilot.press("n")
        await until(pilot, lambda: isinstance(app.screen, Review))
        await pilot.pause()
        assert "How many of these five calls compile?" in "\n".join(screen_text(app))
        await pilot.press("b")
        await until(pilot, lambda: "✓ 3 is right" in "\n".join(screen_text(app)))
        assert "def f(x):" in link.runs[0].source
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is app.lesson_screen)
        await asyncio.sleep(0)
    assert state.step(*step).reviews == ((f"{step[1]}.predict1", "3", True),)
    assert state.place == last
