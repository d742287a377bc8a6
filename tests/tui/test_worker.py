"""What the screen says of the worker and of errors, and how it bears any size."""

from pathlib import Path

from jittutor.event import Done, Ended, Printed
from jittutor.tui.app import Tutor
from jittutor.tui.panes.calls import CallRows
from jittutor.tui.panes.editor import Editor
from jittutor.tui.screens.dialogs import Help
from tests.tui import fake
from tests.tui.wait import ran, ready, screen_text, shown, until

WIDE, SMALL = (120, 40), (80, 24)
EXERCISE = ("what-recompiles", "one-kind-only")


def text_of(app: Tutor) -> str:
    return "\n".join(screen_text(app))


class TestTheWorker:
    async def test_the_screen_stands_before_the_link_is_opened(self, tmp_path: Path) -> None:
        app, link = fake.tutor(folder=tmp_path, starts=False)
        async with app.run_test(size=WIDE) as pilot:
            await until(pilot, link.listening.is_set)
            assert "starting JAX" in screen_text(app)[0]
            assert "def f(x):" in text_of(app)
            link.say(fake.READY)
            await until(pilot, lambda: "GPU NVIDIA L4 · jax 0.12.0 · ready" in screen_text(app)[0])

    async def test_what_is_done_now_stands_in_the_header(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(fake.nothing, folder=tmp_path, start=EXERCISE)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("ctrl+j")
            await until(pilot, lambda: "compiling f 0 s" in screen_text(app)[0])

    async def test_stop_interrupts_and_keeps_what_was_said(self, tmp_path: Path) -> None:
        app, link = fake.tutor(fake.nothing, folder=tmp_path, start=EXERCISE)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("ctrl+j")
            link.say(Printed(app.study.record.run, "so far\n"))
            await until(pilot, lambda: "so far" in text_of(app))
            await pilot.press("x")
            assert link.interrupts == 1
            assert "Stopping" in text_of(app)
            link.say(Done(app.study.record.run, "interrupted", 1.0))
            await ran(pilot, app)
            assert link.restarts == 0
            assert "so far" in text_of(app)
            assert "The run was stopped" in text_of(app)

    async def test_a_second_stop_replaces_the_worker_and_the_next_run_works(self, tmp_path: Path) -> None:
        app, link = fake.tutor(fake.nothing, folder=tmp_path, start=EXERCISE)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("ctrl+j", "x", "x")
            await until(pilot, lambda: link.restarts == 1)
            assert "you stopped it" in text_of(app)
            link.script = fake.shapes
            await pilot.press("ctrl+j")
            link.say(Ended("killed", -9))
            await ran(pilot, app)
            assert shown(app, "calls").count("MISS") == 3

    async def test_a_worker_that_dies_is_said_plainly_and_the_next_run_works(self, tmp_path: Path) -> None:
        app, link = fake.tutor(fake.ends, folder=tmp_path, start=EXERCISE)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("ctrl+j")
            await until(pilot, lambda: app.study.record.lost)
            await pilot.pause()
            assert "The worker ended: the worker was killed by signal 9" in text_of(app)
            assert "so far" in text_of(app)
            assert "stopped" in screen_text(app)[0]
            link.script = fake.shapes
            await pilot.press("ctrl+j")
            await ran(pilot, app)
            assert shown(app, "calls").count("MISS") == 3

    async def test_going_on_during_a_run_ends_it(self, tmp_path: Path) -> None:
        app, link = fake.tutor(fake.nothing, folder=tmp_path, start=EXERCISE)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("ctrl+j", "n")
            await until(pilot, lambda: link.restarts == 1)
            assert not app.study.running


class TestErrors:
    async def test_an_error_marks_the_learners_line_and_tells_what_and_where(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(fake.fails, folder=tmp_path, start=EXERCISE)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("ctrl+j")
            await ran(pilot, app)
            assert app.screen.query_one(Editor).error_line == 4
            assert "line 4: TracerBoolConversionError: Attempted boolean" in text_of(app)
            why = shown(app, "why")
            assert "TracerBoolConversionError  line 4 in f" in why
            assert "traced     x: f32[3]" in why
            await pilot.press("e", "#")
            assert app.screen.query_one(Editor).error_line is None

    async def test_an_error_the_step_is_about_counts_as_done(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(fake.fails, folder=tmp_path, start=("branches", "an-if-that-cannot-be-answered"))
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("ctrl+j")
            await ran(pilot, app)
            assert app.study.known.done


class TestSizes:
    async def test_every_pane_is_one_letter_away_and_can_have_the_whole_screen(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=SMALL) as pilot:
            await ready(pilot, app)
            await pilot.press("b", "ctrl+j")
            await ran(pilot, app)
            for letter, pane in zip(
                "tecwog", ("read", "editor", "calls", "why", "prints", "programs"), strict=True
            ):
                await pilot.press(letter)
                assert app.lesson_screen.pane(pane).region.height > 5, pane
                if letter == "e":
                    await pilot.press("escape")
            await pilot.press("z")
            assert app.lesson_screen.pane("programs").region.size == (80, 21)
            await pilot.press("z")
            assert app.lesson_screen.pane("programs").region.height < 15

    async def test_a_resize_keeps_everything(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("b", "ctrl+j")
            await ran(pilot, app)
            for size in [(80, 24), (60, 16), (20, 5), (1, 1), (200, 60), (120, 40)]:
                await pilot.resize_terminal(*size)
                await pilot.pause()
            assert shown(app, "calls").count("MISS") == 3
            assert "def f(x):" in text_of(app)

    async def test_a_window_that_is_too_small_says_so_and_quit_still_works(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=(50, 12)) as pilot:
            await ready(pilot, app)
            assert "needs 60x16" in text_of(app)
            await pilot.press("q", "y")
            await until(pilot, lambda: not app.is_running)

    async def test_focus_stays_where_it_is_after_a_run(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path, start=EXERCISE)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("e", "down", "ctrl+j")
            await ran(pilot, app)
            editor = app.screen.query_one(Editor)
            assert app.focused is editor
            assert editor.cursor_location == (1, 0)
            await pilot.press("escape")
            assert isinstance(app.focused, CallRows)

    async def test_help_lists_every_key(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=(120, 60)) as pilot:
            await ready(pilot, app)
            await pilot.press("question_mark")
            assert isinstance(app.screen, Help)
            for word in ("ctrl+j", "Go to the next step", "Escape leaves", "Leave the tutor"):
                assert word in text_of(app)
