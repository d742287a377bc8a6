"""Keys that arrive together have the same effect as keys that arrive one by one."""

from pathlib import Path

import pytest
from textual.events import Paste

from jittutor.event import Printed
from jittutor.tui import inorder
from jittutor.tui.app import Tutor
from jittutor.tui.panes.editor import Editor
from jittutor.tui.panes.prints import Prints
from jittutor.tui.panes.questions import Questions
from tests.tui import fake
from tests.tui.keyboard import burst, worked_off
from tests.tui.wait import ready, until

START = ("what-recompiles", "one-kind-only")


async def text_after(app: Tutor) -> str:
    """What stands in the editor when everything is worked off."""
    await worked_off(app)
    return app.lesson_screen.query_one(Editor).text


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
class TestABurst:
    async def test_letters_behind_the_key_that_opens_the_code_are_written_there(
        self, tmp_path: Path, size: tuple[int, int]
    ) -> None:
        app, _ = fake.tutor(folder=tmp_path, start=START)
        async with app.run_test(size=size) as pilot:
            await ready(pilot, app)
            burst(app, "g", "e", *"nbk", Paste("x\n"), "q")
            assert (await text_after(app)).startswith("nbkx\nq")

    async def test_letters_behind_escape_are_commands_again(
        self, tmp_path: Path, size: tuple[int, int]
    ) -> None:
        app, _ = fake.tutor(folder=tmp_path, start=START)
        async with app.run_test(size=size) as pilot:
            await ready(pilot, app)
            burst(app, "e", "x", "escape", "n")
            await worked_off(app)
            assert app.study.lesson.slug == "branches"
            assert (app.study.state.step(*START).edit or "").startswith("xfor n")

    async def test_a_question_is_answered_before_the_code_runs(
        self, tmp_path: Path, size: tuple[int, int]
    ) -> None:
        app, link = fake.tutor(folder=tmp_path)
        async with app.run_test(size=size) as pilot:
            await ready(pilot, app)
            app.set_focus(app.screen.query_one(Questions))
            burst(app, "b", "enter", "ctrl+j")
            await until(pilot, lambda: app.study.known.done)
            assert len(link.runs) == 1

    async def test_a_dialog_gets_the_keys_that_follow_and_gives_them_back(
        self, tmp_path: Path, size: tuple[int, int]
    ) -> None:
        app, link = fake.tutor(folder=tmp_path, start=START)
        async with app.run_test(size=size) as pilot:
            await ready(pilot, app)
            burst(app, "k", "u", "e", "x", "ctrl+j")
            await until(pilot, lambda: link.runs)
            assert link.runs[0].source.startswith("xfor n")
            assert "zeros(300)" in link.runs[0].source
            burst(app, "escape", "b", "y", "e", "z")
            assert (await text_after(app)).startswith("zfor n")

    async def test_a_word_to_find_is_found(self, tmp_path: Path, size: tuple[int, int]) -> None:
        app, _ = fake.tutor(folder=tmp_path, start=START)
        async with app.run_test(size=size) as pilot:
            await ready(pilot, app)
            burst(app, "/", *"jnp", "escape")
            await worked_off(app)
            assert app.screen is app.lesson_screen
            assert app.lesson_screen.query_one(Editor).selected_text == "jnp"


async def test_a_key_that_never_comes_to_its_end_holds_up_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, _ = fake.tutor(folder=tmp_path, start=START)
    async with app.run_test(size=(120, 40)) as pilot:
        await ready(pilot, app)
        monkeypatch.setattr(Tutor, "_visit", lambda self, nodes, then: None)
        burst(app, "h")
        await until(pilot, lambda: app.study.known.hints == 1)
        monkeypatch.setattr(inorder, "PATIENCE", 0.0)
        burst(app, "h")
        await until(pilot, lambda: app.study.known.hints == 2)


async def test_a_key_does_not_wait_for_the_end_of_a_flood(tmp_path: Path) -> None:
    app, link = fake.tutor(fake.nothing, folder=tmp_path, start=START)
    async with app.run_test(size=(120, 40)) as pilot:
        await ready(pilot, app)
        burst(app, "ctrl+j", "e")
        await worked_off(app)
        link.say(*(Printed(app.study.record.run, f"{n}\n") for n in range(100_000)))
        prints = app.lesson_screen.query_one(Prints)
        await until(pilot, lambda: prints.output.lines)
        burst(app, "x", "escape", "h")
        await until(pilot, lambda: app.study.known.hints == 1)
        assert (await text_after(app)).startswith("x")
        assert prints.output.lines[-1].number < 50_000
