"""How each screen looks, at the two sizes that matter most; looked at by a person when they change."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from jittutor.tui.app import Tutor
from tests.tui import fake
from tests.tui.wait import ran, ready, until

WIDE, SMALL = (120, 40), (80, 24)
EXERCISE = ("what-recompiles", "one-kind-only")
type Compare = Callable[..., bool]
type Size = tuple[int, int]


def plays(app: Tutor, *keys: str, runs: bool = False) -> Callable[[Pilot[None]], Awaitable[None]]:
    """Press keys; the first keys up to ctrl+j start the run that is waited for."""

    async def play(pilot: Pilot[None]) -> None:
        await ready(pilot, app)
        for key in keys:
            await pilot.press(key)
            if key == "ctrl+j" and runs:
                await ran(pilot, app)
        await until(pilot, lambda: not app.screen._dirty_widgets)

    return play


@pytest.mark.parametrize("size", [WIDE, SMALL], ids=["wide", "small"])
class TestScreens:
    def test_a_step_before_its_guess(
        self, snap_compare: Compare, tmp_path: Path, size: tuple[int, int]
    ) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        assert snap_compare(app, terminal_size=size, run_before=plays(app))

    def test_a_step_after_its_run(self, snap_compare: Compare, tmp_path: Path, size: Size) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        play = plays(app, "b", "ctrl+j", "c", "down", "down", runs=True)
        assert snap_compare(app, terminal_size=size, run_before=play)

    def test_an_error(self, snap_compare: Compare, tmp_path: Path, size: Size) -> None:
        app, _ = fake.tutor(fake.fails, folder=tmp_path, start=EXERCISE)
        play = plays(app, "ctrl+j", "w", "e", runs=True)
        assert snap_compare(app, terminal_size=size, run_before=play)

    def test_an_exercise_with_hints(
        self, snap_compare: Compare, tmp_path: Path, size: tuple[int, int]
    ) -> None:
        app, _ = fake.tutor(fake.refuses, folder=tmp_path, start=EXERCISE)
        assert snap_compare(app, terminal_size=size, run_before=plays(app, "ctrl+j", "h", "g", runs=True))

    def test_contents(self, snap_compare: Compare, tmp_path: Path, size: Size) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        play = plays(app, "b", "ctrl+j", "l", runs=True)
        assert snap_compare(app, terminal_size=size, run_before=play)


@pytest.mark.parametrize("theme", ["jittutor-light", "jittutor-contrast", "jittutor-ansi"])
def test_other_colours(snap_compare: Compare, tmp_path: Path, theme: str) -> None:
    app, _ = fake.tutor(folder=tmp_path, theme=theme)
    assert snap_compare(app, terminal_size=SMALL, run_before=plays(app, "b", "ctrl+j", runs=True))


def test_ascii_signs(snap_compare: Compare, tmp_path: Path) -> None:
    app, _ = fake.tutor(folder=tmp_path, ascii=True)
    assert snap_compare(app, terminal_size=WIDE, run_before=plays(app, "b", "ctrl+j", runs=True))


def test_a_window_that_is_too_small(snap_compare: Compare, tmp_path: Path) -> None:
    app, _ = fake.tutor(folder=tmp_path)
    assert snap_compare(app, terminal_size=(50, 12), run_before=plays(app))
