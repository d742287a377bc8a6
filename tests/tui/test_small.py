"""What holds in a window that is too small for everything."""

from pathlib import Path

import pytest

from jittutor.tui.panes.editor import Editor
from jittutor.tui.panes.questions import Questions
from tests.tui import fake
from tests.tui.keyboard import burst, worked_off
from tests.tui.wait import ready, screen_text, until


@pytest.mark.parametrize("size", [(80, 24), (20, 5), (1, 1)])
@pytest.mark.parametrize("opens", ["ctrl+o", "l"])
async def test_a_list_without_room_can_be_turned_by_pages(
    tmp_path: Path, opens: str, size: tuple[int, int]
) -> None:
    app, _ = fake.tutor(folder=tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(pilot, app)
        burst(app, opens)
        await worked_off(app)
        await pilot.resize_terminal(*size)
        burst(app, "down", "pagedown", "pageup", "pagedown")
        await worked_off(app)
        assert app.is_running
        burst(app, "escape", "escape")
        await until(pilot, lambda: app.screen is app.lesson_screen)


@pytest.mark.parametrize("small", [(20, 5), (1, 1)])
async def test_the_editor_keeps_the_keys_through_a_window_without_room(
    tmp_path: Path, small: tuple[int, int]
) -> None:
    app, _ = fake.tutor(folder=tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(pilot, app)
        burst(app, "e", "x")
        await worked_off(app)
        await pilot.resize_terminal(*small)
        await pilot.resize_terminal(80, 24)
        burst(app, "y")
        await worked_off(app)
        assert app.lesson_screen.query_one(Editor).text.startswith("xy")


async def test_a_locked_guess_is_said_where_it_can_be_seen(tmp_path: Path) -> None:
    app, _ = fake.tutor(folder=tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(pilot, app)
        app.set_focus(app.screen.query_one(Questions))
        burst(app, "b", "enter")
        await worked_off(app)
        await until(pilot, lambda: "Your guess is locked. ctrl+j runs the code." in screen_text(app)[-2])
