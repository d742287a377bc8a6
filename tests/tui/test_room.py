"""Who reads has room to read, who has run sees what it gave, and no end of a line is lost that matters."""

from pathlib import Path

import pytest

from jittutor.event import Answered, Done, Event, Printed, Run
from jittutor.state import State
from jittutor.study.guess import Guess
from jittutor.study.study import Study
from jittutor.tui import wording
from jittutor.tui.app import Tutor
from jittutor.tui.panes.questions import Questions
from jittutor.tui.screens.sweep import Sweep
from tests.tui import fake
from tests.tui.test_learner_view import quiz
from tests.tui.wait import ran, ready, screen_text, shown, until

WIDE, SMALL, SMALLEST = (120, 40), (80, 24), (60, 16)
START = ("what-recompiles", "new-numbers-old-program")
EXERCISE = ("what-recompiles", "one-kind-only")
BRANCHES = ("branches", "an-if-that-cannot-be-answered")


def prints_only(request: Run) -> list[Event]:
    """A run without any jitted function."""
    said = [Answered(request.run, ask.id, ok=True, text="3") for ask in request.asks]
    return [Printed(request.run, "hello\n", line=1), *said, Done(request.run, "ok", 0.1)]


def text_of(app: Tutor) -> str:
    return "\n".join(screen_text(app))


def rows(app: Tutor, column: str) -> int:
    return app.lesson_screen.query_one(f"#{column}").size.height


class TestRoom:
    async def test_before_the_first_run_the_text_has_nearly_all_of_a_small_screen(
        self, tmp_path: Path
    ) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=SMALL) as pilot:
            await ready(pilot, app)
            assert rows(app, "left") == 18
            await pilot.press("b", "ctrl+j")
            await ran(pilot, app)
            assert rows(app, "right") > 8
            await pilot.press("n")
            await until(pilot, lambda: rows(app, "left") == 18)

    async def test_beside_short_code_the_text_takes_what_the_code_does_not_need(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path, lessons=quiz())
        async with app.run_test(size=(120, 36)) as pilot:
            await ready(pilot, app)
            assert app.lesson_screen.pane("read").size.height > 36 * 0.65

    @pytest.mark.parametrize("size", [WIDE, SMALL])
    async def test_no_text_is_promised_below_where_there_is_only_an_empty_line(
        self, tmp_path: Path, size: tuple[int, int]
    ) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=size) as pilot:
            await ready(pilot, app)
            await pilot.press("b", "ctrl+j")
            await ran(pilot, app)
            await pilot.pause()
            read = app.lesson_screen.pane("read")
            last = [line for line in shown(app, "read").splitlines() if line.strip(" ▁▂▃▄▅▆▇█")][-1]
            assert ("arrive" in last) == (read.max_scroll_y == read.scroll_y)


class TestResults:
    async def test_a_run_that_only_prints_brings_its_output_in_sight(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(prints_only, folder=tmp_path)
        async with app.run_test(size=SMALL) as pilot:
            await ready(pilot, app)
            await pilot.press("b", "ctrl+j")
            await ran(pilot, app)
            assert "hello" in text_of(app)

    async def test_an_error_is_explained_without_another_key(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(fake.fails, folder=tmp_path, start=EXERCISE)
        async with app.run_test(size=SMALL) as pilot:
            await ready(pilot, app)
            await pilot.press("ctrl+j")
            await ran(pilot, app)
            assert "line 4 in f" in text_of(app)

    async def test_a_pane_that_the_learner_chose_stays(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(fake.fails, folder=tmp_path, start=EXERCISE)
        async with app.run_test(size=SMALL) as pilot:
            await ready(pilot, app)
            await pilot.press("g", "t", "ctrl+j")
            await ran(pilot, app)
            assert app.lesson_screen.arrangement.tab == "programs"

    @pytest.mark.parametrize("size", [WIDE, SMALL, SMALLEST])
    async def test_the_verdict_of_a_guess_is_in_sight(self, tmp_path: Path, size: tuple[int, int]) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=size) as pilot:
            await ready(pilot, app)
            await pilot.press("b", "ctrl+j")
            await ran(pilot, app)
            await until(pilot, lambda: "3 is right: three different shapes arrive." in text_of(app))

    async def test_a_verdict_that_comes_late_does_not_move_the_text_of_the_next_step(
        self, tmp_path: Path
    ) -> None:
        app, _ = fake.tutor(folder=tmp_path, lessons=quiz())
        async with app.run_test(size=SMALL) as pilot:
            await ready(pilot, app)
            other = fake.course().lessons[0].steps[0].predicts[0]
            app.lesson_screen.post_message(Questions.Moved([Guess(other)]))
            await pilot.pause()
            assert app.lesson_screen.pane("read").scroll_y == 0

    async def test_a_run_that_waits_for_a_guess_brings_its_question_in_sight(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=SMALLEST) as pilot:
            await ready(pilot, app)
            assert "How many of these five" not in text_of(app)
            await pilot.press("ctrl+j")
            await until(pilot, lambda: "How many of these five" in text_of(app) and "a 1" in text_of(app))


class TestLines:
    async def test_the_step_is_told_also_beside_a_long_title(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=SMALLEST) as pilot:
            await ready(pilot, app)
            head = screen_text(app)[0]
            assert " · 1/2 ○○ " in head
            assert head.rstrip().endswith("GPU NVIDIA L4 · ready")

    @pytest.mark.parametrize("size", [SMALL, SMALLEST])
    async def test_how_to_go_on_is_told_also_after_long_news(
        self, tmp_path: Path, size: tuple[int, int]
    ) -> None:
        app, _ = fake.tutor(fake.fails, folder=tmp_path, start=BRANCHES)
        async with app.run_test(size=size) as pilot:
            await ready(pilot, app)
            await pilot.press("ctrl+j")
            await ran(pilot, app)
            assert "n goes on" in text_of(app)

    async def test_where_an_error_is_told_is_said_also_after_a_long_message(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(fake.fails, folder=tmp_path, start=EXERCISE)
        async with app.run_test(size=SMALLEST) as pilot:
            await ready(pilot, app)
            await pilot.press("ctrl+j")
            await ran(pilot, app)
            assert "… · w tells more" in text_of(app)

    async def test_the_status_counts_the_learners_runs_of_this_step(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=SMALL) as pilot:
            await ready(pilot, app)
            for told in ("run 1", "run 2"):
                await pilot.press("b", "ctrl+j")
                await ran(pilot, app)
                await pilot.pause()
                assert f"ready · {told} " in screen_text(app)[0]
            await pilot.press("n", "ctrl+j")
            await ran(pilot, app)
            await pilot.pause()
            assert "ready · run 1 " in screen_text(app)[0]


class TestTheLessonAboutAnError:
    async def test_it_is_named_as_the_list_of_lessons_names_it(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(fake.fails, folder=tmp_path, start=EXERCISE)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("ctrl+j")
            await ran(pilot, app)
            assert "2 Branches on traced values  i opens it" in shown(app, "why")

    async def test_it_is_not_offered_to_who_is_in_it(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(fake.fails, folder=tmp_path, start=BRANCHES)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("ctrl+j")
            await ran(pilot, app)
            assert "TracerBoolConversionError" in shown(app, "why")
            assert "opens it" not in text_of(app)


class TestARunAside:
    async def test_what_the_learners_own_run_said_is_there_again_after_it(self, tmp_path: Path) -> None:
        state = State.open(tmp_path)
        state.change(*EXERCISE, edit="NUM_STEPS = 3\n")
        app, _ = fake.tutor(fake.shapes, state=state, start=EXERCISE)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("ctrl+j")
            await ran(pilot, app)
            before = [shown(app, pane) for pane in ("calls", "prints", "programs")]
            app.link.script = fake.refuses  # type: ignore[attr-defined]
            await pilot.press("S")
            await until(pilot, lambda: isinstance(app.screen, Sweep))
            await pilot.press("enter")
            await until(pilot, lambda: app.study.is_aside and not app.study.running)
            await pilot.press("escape")
            await until(pilot, lambda: app.screen is app.lesson_screen)
            await pilot.pause()
            assert [shown(app, pane) for pane in ("calls", "prints", "programs")] == before

    def test_a_step_that_had_no_run_has_none_after_it(self, tmp_path: Path) -> None:
        study = Study(fake.course(), State.open(tmp_path), START)
        request = study.aside(study.lesson, study.step, "x = 1")
        study.hear(fake.shapes(request))
        study.come_back()
        assert study.record.done is None
        assert not study.is_aside


def test_how_long_a_run_took_stands_only_where_the_title_has_room_beside_it(tmp_path: Path) -> None:
    study = Study(fake.course(), State.open(tmp_path), START)
    study.hear(fake.shapes(study.begin("x = 1")))
    assert wording.status("ready", study, 0, WIDE[0]).plain == "ready · run 1 "
    assert wording.status("ready", study, 0, 160).plain == "ready · run 1 took 200 ms "
