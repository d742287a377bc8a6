"""A run, a prediction, an exercise: by keyboard, on a link that replays events."""

from pathlib import Path

import pytest

from jittutor.event import Printed
from jittutor.tui.app import Tutor
from jittutor.tui.panes.editor import Editor
from jittutor.tui.panes.programs import Programs
from jittutor.tui.panes.questions import Questions
from jittutor.tui.screens.dialogs import Solution
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
            assert "all the hints" in text_of(app)

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
