"""The view of an error: what was traced, why, what helps, and the lesson about it one key away."""

from pathlib import Path

import pytest

from jittutor.tui.panes.editor import Editor
from tests.tui import fake
from tests.tui.wait import ran, ready, screen_text, shown, until

WIDE, SMALL = (120, 40), (80, 24)
START = ("what-recompiles", "one-kind-only")


@pytest.mark.parametrize("size", [WIDE, SMALL])
async def test_an_error_is_explained_with_what_was_traced_and_what_helps(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    app, _ = fake.tutor(fake.fails, folder=tmp_path, start=START)
    async with app.run_test(size=size) as pilot:
        await ready(pilot, app)
        await pilot.press("ctrl+j")
        await ran(pilot, app)
        await pilot.press("w")
        why = " ".join(shown(app, "why").split())
        assert "TracerBoolConversionError line 4 in f" in why
        assert "traced x: f32[3]" in why
        assert "jnp.where" in why
        assert app.lesson_screen.query_one(Editor).error_line == 4


async def test_the_whole_message_comes_on_demand(tmp_path: Path) -> None:
    app, _ = fake.tutor(fake.fails, folder=tmp_path, start=START)
    async with app.run_test(size=WIDE) as pilot:
        await ready(pilot, app)
        await pilot.press("ctrl+j")
        await ran(pilot, app)
        assert "It occurred while tracing" not in shown(app, "why")
        await pilot.press("z", "w", "j")
        assert "It occurred while tracing" in shown(app, "why")


async def test_a_key_opens_the_lesson_about_the_error_and_comes_back(tmp_path: Path) -> None:
    app, _ = fake.tutor(fake.fails, folder=tmp_path, start=START)
    async with app.run_test(size=WIDE) as pilot:
        await ready(pilot, app)
        await pilot.press("i")
        assert "when a run ended in one" in "\n".join(screen_text(app))
        await pilot.press("ctrl+j")
        await ran(pilot, app)
        await pilot.press("i")
        await until(pilot, lambda: app.study.lesson.slug == "branches")
        await pilot.press("i")
        await until(pilot, lambda: (app.study.lesson.slug, app.study.step.id) == START)
