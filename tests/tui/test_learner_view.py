"""What a learner at 80x24 needs: a way out of the code, and the question that the keys answer in sight."""

from pathlib import Path

from msgspec import structs

from jittutor.course import Chapter, Course
from jittutor.event import Called, Event, Run
from jittutor.lesson import parse
from jittutor.tui.app import Tutor
from jittutor.tui.panes.editor import Editor
from jittutor.tui.panes.programs import Programs
from jittutor.tui.panes.questions import Questions
from tests.tui import fake
from tests.tui.wait import ran, ready, screen_text, shown, until

SMALL = (80, 24)
QUESTIONS = 9


def quiz() -> Course:
    """A step with more questions than fit below each other."""
    asked = "\n".join(
        f'# %% predict: Question {n}?  answer="{n}"\n"""\n- `yes`: so it is.\n- `no`: it is not.\n"""\n'
        for n in range(1, QUESTIONS + 1)
    )
    text = f'"""Quiz\n\nMany questions.\n"""\n\n# %% All of it  id="all"\n"""\nRead.\n"""\n\nx = 1\n\n{asked}'
    return Course("Quiz", (Chapter("One", ("quiz",)),), (parse(text, "quiz.py", "quiz"),))


def tutor(folder: Path) -> Tutor:
    app, _ = fake.tutor(folder=folder, lessons=quiz())
    return app


class TestTheWayOutOfTheCode:
    async def test_escape_leaves_the_code_also_when_it_has_the_whole_screen(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=SMALL) as pilot:
            await ready(pilot, app)
            before = app.screen.query_one(Editor).text
            await pilot.press("z", "e", "escape", "t", "z")
            await pilot.pause()
            assert app.screen.query_one(Editor).text == before
            assert not isinstance(app.focused, Editor)


class TestTheCodeAboveTheSteps:
    async def test_a_key_shows_the_code_that_runs_before_each_step(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=SMALL) as pilot:
            await ready(pilot, app)
            assert "import jax.numpy as jnp" not in "\n".join(screen_text(app))
            await pilot.press("A")
            await pilot.pause()
            assert "import jax.numpy as jnp" in "\n".join(screen_text(app))
            await pilot.press("A")
            await pilot.pause()
            assert app.screen is app.lesson_screen

    async def test_a_lesson_without_such_code_says_so(self, tmp_path: Path) -> None:
        app = tutor(tmp_path)
        async with app.run_test(size=SMALL) as pilot:
            await ready(pilot, app)
            await pilot.press("A")
            await pilot.pause()
            assert "Nothing runs before the steps" in "\n".join(screen_text(app))


class TestTheProgramOfTheChosenCall:
    async def test_a_hit_shows_the_program_that_it_found(self, tmp_path: Path) -> None:
        def hits_without_a_program(request: Run) -> list[Event]:
            """As the worker says it: only a miss names its program."""
            return [
                structs.replace(said, program=None) if isinstance(said, Called) and said.hit else said
                for said in fake.shapes(request)
            ]

        app, _ = fake.tutor(hits_without_a_program, folder=tmp_path)
        async with app.run_test(size=SMALL) as pilot:
            await ready(pilot, app)
            await pilot.press("b", "ctrl+j")
            await ran(pilot, app)
            await pilot.press("c", "home", "down", "down")
            await pilot.pause()
            assert app.screen.query_one(Programs).program == app.study.record.programs[0]


class TestTheQuestionThatHasTheKeys:
    async def test_a_letter_brings_its_question_in_sight(self, tmp_path: Path) -> None:
        app = tutor(tmp_path)
        async with app.run_test(size=SMALL) as pilot:
            await ready(pilot, app)
            app.lesson_screen.pane("read").scroll_end(animate=False)
            await pilot.pause()
            assert "Question 1?" not in shown(app, "read")
            app.screen.set_focus(app.screen.query_one(Questions), scroll_visible=False)
            await pilot.press("a")
            await pilot.pause()
            assert "Question 1?" in shown(app, "read")

    async def test_a_guess_brings_the_next_question_in_sight(self, tmp_path: Path) -> None:
        app = tutor(tmp_path)
        async with app.run_test(size=SMALL) as pilot:
            await ready(pilot, app)
            for n in range(1, QUESTIONS):
                await pilot.press("a", "enter")
                await pilot.pause()
                assert f"Question {n + 1}?" in shown(app, "read")


async def test_a_letter_that_would_answer_is_not_promised_for_something_else(tmp_path: Path) -> None:
    app = tutor(tmp_path)
    promise = "puts the lesson's code back"
    async with app.run_test(size=(120, 40)) as pilot:
        await ready(pilot, app)
        await pilot.press("e", "#", "escape")
        await pilot.pause()
        assert "edited" in shown(app, "editor")
        assert promise not in shown(app, "editor")
        for _ in range(QUESTIONS):
            await pilot.press("a", "enter")
        await until(pilot, lambda: app.study.waiting is None)
        assert promise in shown(app, "editor")
        await pilot.press("e")
        await pilot.pause()
        assert promise not in shown(app, "editor")


async def test_tabs_name_no_letter_that_would_answer(tmp_path: Path) -> None:
    app, _ = fake.tutor(folder=tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await ready(pilot, app)
        await pilot.pause()
        tabs = next(line for line in screen_text(app) if "g programs" in line)
        assert tabs.startswith("   calls  w why  o output  g programs")
        await pilot.press("tab")
        await pilot.pause()
        tabs = next(line for line in screen_text(app) if "g programs" in line)
        assert tabs.startswith(" c calls  w why  o output  g programs")
