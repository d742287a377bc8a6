"""Going from step to step, resuming, and leaving."""

from pathlib import Path

from textual.widgets import OptionList

from jittutor.state import State
from jittutor.tui.app import Tutor
from jittutor.tui.panes.editor import Editor
from jittutor.tui.screens.contents import Contents
from jittutor.tui.screens.dialogs import Confirm
from tests.tui import fake
from tests.tui.wait import ran, ready, screen_text, shown, until

WIDE, SMALL = (120, 40), (80, 24)
EXERCISE = ("what-recompiles", "one-kind-only")


def text_of(app: Tutor) -> str:
    return "\n".join(screen_text(app))


class TestPlaces:
    async def test_n_and_p_go_on_and_back_across_lessons(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("n", "n")
            assert app.study.lesson.title == "Branches on traced values"
            await pilot.press("n")
            assert "This is the last step" in text_of(app)
            await pilot.press("p")
            assert app.study.step.title == "One kind only"

    async def test_the_next_start_resumes_exactly_here(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("b", "ctrl+j")
            await ran(pilot, app)
            await pilot.press("n", "e", "#", "x", "escape")
        again, _ = fake.tutor(folder=tmp_path)
        async with again.run_test(size=WIDE) as pilot:
            await ready(pilot, again)
            assert again.study.step.title == "One kind only"
            assert again.screen.query_one(Editor).text.startswith("#xfor n in")
            await pilot.press("p")
            assert "3 is right" in shown(again, "read")

    async def test_an_edit_is_saved_without_a_run(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("e", "#")

            def on_disk() -> str | None:
                return State.open(tmp_path).step("what-recompiles", "new-numbers-old-program").edit

            await until(pilot, lambda: (on_disk() or "").startswith("#@jax.jit"))

    async def test_contents_shows_state_searches_and_jumps(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("b", "ctrl+j")
            await ran(pilot, app)
            await pilot.press("l")
            assert isinstance(app.screen, Contents)
            assert "✓ New numbers, old program  done" in text_of(app)
            await pilot.press("slash", *"branch", "enter")
            await until(pilot, lambda: isinstance(app.focused, OptionList))
            assert "One kind only" not in text_of(app)
            await pilot.press("enter")
            await until(pilot, lambda: app.study.lesson.title == "Branches on traced values")

    async def test_begin_again_asks_and_can_be_undone(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("e", "#", "escape", "t", "tab")
            await pilot.press("escape")
            await pilot.press("o", "b")
            assert isinstance(app.screen, Confirm)
            await pilot.press("y")
            await until(pilot, lambda: app.screen is app.lesson_screen)
            editor = app.screen.query_one(Editor)
            assert editor.text.startswith("@jax.jit")
            assert app.study.known.edit is None
            await pilot.press("e", "ctrl+z")
            assert editor.text.startswith("#@jax.jit")
            assert app.study.known.edit is not None

    async def test_quit_asks(self, tmp_path: Path) -> None:
        app, link = fake.tutor(folder=tmp_path)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("q")
            assert isinstance(app.screen, Confirm)
            await pilot.press("n")
            await until(pilot, lambda: app.screen is app.lesson_screen)
            await pilot.press("ctrl+q", "y")
            await until(pilot, lambda: not app.is_running)
        assert link.closed
