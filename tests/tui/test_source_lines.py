"""A line of the code and the equations it made find each other, both ways."""

from pathlib import Path

import pytest

from jittutor.event import Done, Event, Program, Run
from jittutor.tui.app import Tutor
from jittutor.tui.panes.editor import Editor
from jittutor.tui.panes.programs import Programs
from tests.tui import fake
from tests.tui.wait import ran, ready, screen_text, shown


def made_by(app: Tutor) -> int | None:
    return app.lesson_screen.query_one(Editor).maker_line


WIDE, SMALL = (120, 40), (80, 24)


@pytest.mark.parametrize("size", [WIDE, SMALL])
async def test_an_equation_marks_the_line_that_made_it(tmp_path: Path, size: tuple[int, int]) -> None:
    app, _ = fake.tutor(folder=tmp_path)
    async with app.run_test(size=size) as pilot:
        await ready(pilot, app)
        await pilot.press("b", "ctrl+j")
        await ran(pilot, app)
        await pilot.press("g", "down")
        assert made_by(app) is None, "the first line of a jaxpr was made by no line"
        await pilot.press("down")
        await pilot.pause()
        assert made_by(app) == 4
        marked = [line for line in screen_text(app) if "◀ made it" in line]
        assert len(marked) == 1
        assert "return jnp.sum(x ** 2)" in marked[0]
        await pilot.press("c")
        assert made_by(app) is None


async def test_the_line_of_the_cursor_marks_its_equations_and_brings_them_in_sight(tmp_path: Path) -> None:
    def long(request: Run) -> list[Event]:
        text = (
            "{ lambda ; a:f32[]. let\n"
            + "".join(f"    b{n}:f32[] = sin a\n" for n in range(300))
            + "  in () }"
        )
        lines = (None, *(4 if n == 250 else 3 for n in range(300)), None)
        program = Program(request.run, 1, "f", "a: f32[]", 300, text, source_lines=lines)
        return [program, Done(request.run, "ok", 0.1)]

    app, _ = fake.tutor(long, folder=tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await ready(pilot, app)
        await pilot.press("b", "ctrl+j")
        await ran(pilot, app)
        assert "b250" not in shown(app, "programs")
        await pilot.press("e", "down", "down", "down")
        await pilot.pause()
        line = next(line for line in shown(app, "programs").split("\n") if "b250" in line)
        assert "◀ line 4" in line
        assert app.lesson_screen.query_one(Programs).scroll_offset.y > 200
