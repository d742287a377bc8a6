"""The main paths of the tutor, by keyboard, on a link that replays events."""

from pathlib import Path

import pytest
from textual.widgets import OptionList

from jittutor.event import Done, Ended, Printed
from jittutor.state import State
from jittutor.tui.app import Tutor
from jittutor.tui.panes.calls import CallRows
from jittutor.tui.panes.editor import Editor
from jittutor.tui.panes.programs import Programs
from jittutor.tui.panes.questions import Questions
from jittutor.tui.screens.contents import Contents
from jittutor.tui.screens.dialogs import Confirm, Help, Solution
from tests.tui import fake
from tests.tui.wait import ran, ready, screen_text, shown, until

WIDE, SMALL = (120, 40), (80, 24)
EXERCISE = ("what-recompiles", "one-kind-only")


def text_of(app: Tutor) -> str:
    return "\n".join(screen_text(app))


class TestTheRun:
    @pytest.mark.parametrize("size", [WIDE, SMALL])
    async def test_a_guess_and_ctrl_j_show_hits_misses_and_counts(
        self, tmp_path: Path, size: tuple[int, int]
    ) -> None:
        app, link = fake.tutor(folder=tmp_path)
        async with app.run_test(size=size) as pilot:
            await ready(pilot, app)
            await pilot.press("b", "ctrl+j")
            await ran(pilot, app)
            calls = shown(app, "calls")
            assert calls.count("MISS") == 3
            assert calls.count("hit  ") >= 2
            assert "M M h h M" in calls
            assert len(link.runs) == 1
            assert "f: 5 calls · 3 traces · 3 compiles" in text_of(app) or size == SMALL

    async def test_the_request_holds_setup_code_file_and_questions(self, tmp_path: Path) -> None:
        app, link = fake.tutor(folder=tmp_path)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("b", "ctrl+j")
            await ran(pilot, app)
        request = link.runs[0]
        assert "import jax" in request.setup
        assert "def f(x):" in request.source
        assert request.file == "what-recompiles.py"
        assert [(ask.kind, ask.code) for ask in request.asks] == [("value", "run.compiles('f')")]

    async def test_trace_prints_and_run_prints_are_told_apart_by_letter(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("b", "ctrl+j")
            await ran(pilot, app)
            lines = [line.strip() for line in shown(app, "prints").split("\n")]
            assert "T  f:3  tracing (100,)" in lines
            assert "R  :9   total 600" in lines
            assert "R= :10  Array(3., dtype=float32)" in lines

    async def test_the_reason_of_the_chosen_call_is_explained(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("b", "ctrl+j")
            await ran(pilot, app)
            assert "Call 5 was not reused because x had a new shape." in shown(app, "why")
            assert "f32[200] → f32[300]" in shown(app, "why")
            await pilot.press("c", "down", "down", "down")
            assert "Call 3 was reused" in shown(app, "why")
            assert "TRACING CACHE MISS" not in shown(app, "why")
            await pilot.press("up", "j")
            assert "TRACING CACHE MISS" in shown(app, "why")

    async def test_programs_turn_by_key_and_follow_the_chosen_call(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("b", "ctrl+j")
            await ran(pilot, app)
            assert "3/3 f(x: f32[300])" in shown(app, "programs")
            assert "← line 4" in shown(app, "programs")
            await pilot.press("comma")
            assert "2/3 f(x: f32[200])" in shown(app, "programs")
            await pilot.press("m")
            assert "func.func public @main" in shown(app, "programs")
            await pilot.press("m")
            assert "ENTRY %main" in shown(app, "programs")
            await pilot.press("c", "home")
            assert app.screen.query_one(Programs).program == app.study.record.programs[0]

    async def test_old_results_go_when_a_new_run_takes_long(self, tmp_path: Path) -> None:
        app, link = fake.tutor(folder=tmp_path)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("b", "ctrl+j")
            await ran(pilot, app)
            link.script = lambda request: []
            await pilot.press("ctrl+j")
            await until(pilot, lambda: "total 600" not in text_of(app) and "MISS" not in shown(app, "calls"))
            assert "running" in screen_text(app)[0]

    async def test_events_of_an_older_run_change_nothing(self, tmp_path: Path) -> None:
        app, link = fake.tutor(folder=tmp_path)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("b", "ctrl+j")
            await ran(pilot, app)
            link.say(Printed(1, "a ghost\n"), Printed(app.study.record.run, "real\n"))
            await until(pilot, lambda: "real" in text_of(app))
            assert "a ghost" not in text_of(app)


class TestPredictions:
    async def test_the_run_waits_for_a_guess(self, tmp_path: Path) -> None:
        app, link = fake.tutor(folder=tmp_path)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("ctrl+j")
            await pilot.pause()
            assert link.runs == []
            assert "Guess first" in text_of(app)
            assert isinstance(app.focused, Questions)

    async def test_a_locked_guess_cannot_be_changed(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("a", "enter", "b", "enter")
            await pilot.pause()
            assert app.study.guesses["new-numbers-old-program.predict1"].locked == "1"
            assert "locked" in shown(app, "read")

    async def test_a_right_guess_is_confirmed_and_the_step_is_done(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("b", "ctrl+j")
            await ran(pilot, app)
            assert "3 is right: three different shapes arrive." in shown(app, "read")
            assert app.study.known.done
            assert app.study.known.guesses == (("new-numbers-old-program.predict1", "3", True),)

    async def test_a_wrong_guess_is_explained_and_there_is_one_more_try(self, tmp_path: Path) -> None:
        app, link = fake.tutor(folder=tmp_path)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("a", "ctrl+j")
            await ran(pilot, app)
            assert "1 is not it: the shape is part of the key" in shown(app, "read")
            assert "1 more try" in shown(app, "read")
            assert not app.study.known.done
            await pilot.press("a", "enter")
            assert len(app.study.known.guesses) == 1, "a choice that was wrong cannot be chosen again"
            await pilot.press("c", "enter")
            await until(pilot, lambda: len(app.study.known.guesses) == 2)
            assert len(link.runs) == 1, "the second guess is judged by the run that is there"
            assert "the answer is 3" in shown(app, "read")
            assert app.study.known.done


class TestExercises:
    async def test_hints_are_counted(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path, start=EXERCISE)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("h")
            assert "Hint 1 of 2: Which part" in shown(app, "read")
            assert "Pad each array" not in shown(app, "read")
            await pilot.press("h", "h")
            assert "Hint 2 of 2: Pad each array" in shown(app, "read")
            assert "all hints" in text_of(app)

    async def test_a_check_that_does_not_hold_says_why(self, tmp_path: Path) -> None:
        app, link = fake.tutor(fake.refuses, folder=tmp_path, start=EXERCISE)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("ctrl+j")
            await ran(pilot, app)
            assert "Not yet: f ran its body 2 times; expected 1" in shown(app, "read")
            assert not app.study.known.done
            link.script = fake.shapes
            await pilot.press("ctrl+j")
            await until(pilot, lambda: app.study.known.done)
            await pilot.pause()
            assert "The check holds" in shown(app, "read")

    async def test_the_solution_can_be_compared_and_taken_over(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path, start=EXERCISE)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("k")
            assert isinstance(app.screen, Solution)
            assert "jnp.zeros(300)" in text_of(app)
            await pilot.press("d")
            assert "-     f(jnp.ones(n))" in text_of(app)
            await pilot.press("u")
            await until(pilot, lambda: app.screen is app.lesson_screen)
            editor = app.screen.query_one(Editor)
            assert "jnp.zeros(300)" in editor.text
            assert app.study.known.skipped
            editor.undo()
            assert "jnp.ones(n)" in editor.text


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
            assert "while tracing x: f32[3]" in why
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
