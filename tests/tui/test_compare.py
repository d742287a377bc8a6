"""Comparing: two calls by their keys and programs, two runs, my code with the lesson's."""

from pathlib import Path

import pytest

from jittutor.state import State
from jittutor.tui import comparing
from jittutor.tui.screens.compare import Compare
from tests.tui import fake
from tests.tui.wait import ran, ready, screen_text, until

WIDE, SMALL = (120, 40), (80, 24)
ODD = [("", "a"), ("a", ""), ("\x1b[2J[/]", "[b]\x00"), ("x" * 9999, "y")]
START = ("what-recompiles", "one-kind-only")


@pytest.mark.parametrize("size", [WIDE, SMALL])
async def test_the_chosen_call_stands_against_the_nearest_one(tmp_path: Path, size: tuple[int, int]) -> None:
    app, _ = fake.tutor(folder=tmp_path, start=START)
    async with app.run_test(size=size) as pilot:
        await ready(pilot, app)
        await pilot.press("ctrl+j")
        await ran(pilot, app)
        await pilot.press("c", "down", "down", "d")
        await until(pilot, lambda: isinstance(app.screen, Compare))
        await pilot.pause()
        text = "\n".join(screen_text(app))
        assert "- call 1  f(x: f32[100])  MISS" in text
        assert "+ call 2  f(x: f32[200])  MISS" in text
        assert "x  shape  f32[100] → f32[200]" in text
        marked = [line for line in screen_text(app) if "integer_pow" in line]
        assert len(marked) == (1 if size == WIDE else 2)
        await pilot.press("full_stop")
        assert "- call 3  f(x: f32[100])  hit" in "\n".join(screen_text(app))
        await pilot.press("d")
        await until(pilot, lambda: app.screen is app.lesson_screen)


async def test_two_hits_of_one_program_have_no_difference(tmp_path: Path) -> None:
    app, _ = fake.tutor(folder=tmp_path, start=START)
    async with app.run_test(size=WIDE) as pilot:
        await ready(pilot, app)
        await pilot.press("ctrl+j")
        await ran(pilot, app)
        await pilot.press("c", "down", "down", "down", "d", "comma")
        await until(pilot, lambda: "- call 1" in "\n".join(screen_text(app)))
        assert "one and the same program" in "\n".join(screen_text(app))


async def test_a_run_stands_against_the_run_before(tmp_path: Path) -> None:
    app, link = fake.tutor(folder=tmp_path, start=START)
    async with app.run_test(size=WIDE) as pilot:
        await ready(pilot, app)
        await pilot.press("ctrl+j")
        await ran(pilot, app)
        link.script = fake.refuses
        await pilot.press("ctrl+j")
        await ran(pilot, app)
        await pilot.press("c", "d", "m", "m")
        await pilot.pause()
        text = "\n".join(screen_text(app))
        assert "calls 5 → 1" in text
        assert "traces 3 → 1" in text
        assert "- M M h h M" in text


async def test_my_code_stands_against_the_lessons_and_later_against_the_solution(tmp_path: Path) -> None:
    state = State.open(tmp_path)
    state.change(*START, edit="print('mine')\n")
    app, _ = fake.tutor(state=state, start=START)
    async with app.run_test(size=WIDE) as pilot:
        await ready(pilot, app)
        await pilot.press("d")
        await pilot.pause()
        text = "\n".join(screen_text(app))
        assert "+ print('mine')" in text
        assert "- for n in (100, 200, 100, 200, 300):" in text
        await pilot.press("full_stop")
        assert "the solution" not in "\n".join(screen_text(app))
        state.change(*START, skipped=True)
        await pilot.press("full_stop")
        await pilot.pause()
        assert "the solution" in "\n".join(screen_text(app))


def test_in_a_changed_line_only_the_words_that_differ_are_underlined() -> None:
    line = comparing.marked("b:f32[100] = sin a", "b:f32[200] = sin a", "$wrong")
    assert line.plain == "b:f32[100] = sin a"
    underlined = [line.plain[s.start : s.end] for s in line.spans if "underline" in str(s.style)]
    assert underlined == ["100"]


@pytest.mark.parametrize(("before", "now"), ODD)
def test_odd_lines_are_compared_too(before: str, now: str) -> None:
    assert "\x1b" not in comparing.marked(before, now, "").plain
