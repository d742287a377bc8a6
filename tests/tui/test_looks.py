"""What people saw wrong on some screen, at some size, stays mended."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from jittutor.state import State
from jittutor.tui.app import Tutor
from jittutor.tui.screens.review import Review
from tests.tui import fake
from tests.tui.wait import ran, ready, screen_text, shown, until

SMALLEST = (60, 16)
EXERCISE = ("what-recompiles", "one-kind-only")


async def pressed(pilot: Pilot[None], app: Tutor, *keys: str) -> str:
    """The screen after these keys."""
    await ready(pilot, app)
    for key in keys:
        await pilot.press(key)
        if key == "ctrl+j":
            await ran(pilot, app)
    await until(pilot, lambda: not app.screen._dirty_widgets)
    return "\n".join(screen_text(app))


@pytest.mark.parametrize(
    "keys", [["d"], ["k"], ["k", "d"], ["question_mark"], ["K"], ["l"], ["s"]], ids=" ".join
)
async def test_every_page_says_how_to_leave_it_on_the_smallest_screen(
    tmp_path: Path, keys: list[str]
) -> None:
    app, _ = fake.tutor(folder=tmp_path, start=EXERCISE)
    async with app.run_test(size=SMALLEST) as pilot:
        text = await pressed(pilot, app, "ctrl+j", *keys)
        assert "esc close" in text or "esc twice close" in text


@pytest.mark.parametrize("size", [SMALLEST, (80, 24), (120, 40)])
async def test_a_page_that_says_little_is_no_higher_than_that(tmp_path: Path, size: tuple[int, int]) -> None:
    app, _ = fake.tutor(folder=tmp_path, start=EXERCISE)
    async with app.run_test(size=size) as pilot:
        await pressed(pilot, app, "A")
        assert app.screen.query_one(".page").size.height == len(["rule", "import", "import", "rule", "keys"])
        assert "esc close" in "\n".join(screen_text(app))


async def test_a_long_question_of_a_dialog_is_wrapped(tmp_path: Path) -> None:
    state = State.open(tmp_path)
    state.change(*EXERCISE, edit="x = 1\n")
    app, _ = fake.tutor(state=state, start=EXERCISE)
    async with app.run_test(size=SMALLEST) as pilot:
        text = await pressed(pilot, app, "b")
        assert "yours back." in text


@pytest.mark.parametrize("size", [SMALLEST, (80, 24), (120, 40)])
@pytest.mark.parametrize("pane", ["calls", "why", "prints", "programs"])
async def test_a_pane_alone_on_the_screen_has_its_title(
    tmp_path: Path, size: tuple[int, int], pane: str
) -> None:
    titles = {"calls": "Calls", "why": "Why", "prints": "Output", "programs": "Programs"}
    keys = {"calls": "c", "why": "w", "prints": "o", "programs": "g"}
    app, _ = fake.tutor(folder=tmp_path, start=EXERCISE)
    async with app.run_test(size=size) as pilot:
        await pressed(pilot, app, "ctrl+j", keys[pane], "z")
        assert titles[pane] in shown(app, pane).splitlines()[0]


async def test_a_search_that_finds_nothing_says_so(tmp_path: Path) -> None:
    app, _ = fake.tutor(folder=tmp_path)
    async with app.run_test(size=SMALLEST) as pilot:
        assert "No title and no text" in await pressed(pilot, app, "l", "slash", *"zzz")
        assert "No title and no text" not in await pressed_on(pilot, app, *["backspace"] * 3)


async def pressed_on(pilot: Pilot[None], app: Tutor, *keys: str) -> str:
    """The screen after further keys."""
    for key in keys:
        await pilot.press(key)
    await until(pilot, lambda: not app.screen._dirty_widgets)
    return "\n".join(screen_text(app))


async def test_a_wrong_answer_at_a_review_is_explained_beside_the_right_one(tmp_path: Path) -> None:
    state, step = State.open(tmp_path), ("what-recompiles", "new-numbers-old-program")
    state.change(*step, done=True, guesses=((f"{step[1]}.predict1", "1", False),))
    last = ("branches", "an-if-that-cannot-be-answered")
    for place in (EXERCISE, last):
        state.change(*place, done=True)
    app, _ = fake.tutor(state=state, start=last)
    async with app.run_test(size=SMALLEST) as pilot:
        text = await pressed(pilot, app, "n")
        assert isinstance(app.screen, Review)
        assert "How many of these five calls compile?" in text
        assert "a-c answer" in text
        await pilot.press("a")
        await until(pilot, lambda: "the answer is 3: three" in "\n".join(screen_text(app)))
        text = "\n".join(screen_text(app))
        assert "✗ 1 is not it: the shape is part" in text
        assert "▸a 1" in text
        assert "enter done" in text


async def test_the_lines_about_an_error_stand_below_each_other(tmp_path: Path) -> None:
    app, _ = fake.tutor(fake.fails, folder=tmp_path, start=EXERCISE)
    async with app.run_test(size=(80, 24)) as pilot:
        await pressed(pilot, app, "ctrl+j", "w", "z")
        lines = [line.strip("\n") for line in shown(app, "why").splitlines()]
        at = next(n for n, line in enumerate(lines) if "why   " in line)
        column = lines[at].index("Python needs")
        assert lines[at + 1][:column].isspace()
        assert not lines[at + 1][column].isspace()


@pytest.mark.parametrize("theme", ["jittutor-ansi", "jittutor-dark", "jittutor-light"])
async def test_without_colours_no_colour_is_sent_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, theme: str
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app, _ = fake.tutor(folder=tmp_path, theme=theme)
    async with app.run_test(size=(80, 24)) as pilot:
        await pressed(pilot, app, "b", "ctrl+j", "c", "down")
        for keys in ([], ["l"]):
            await pressed_on(pilot, app, *keys)
            pieces = [piece for strip in app.screen._compositor.render_strips() for piece in strip]
            styles = [piece.style for piece in pieces if piece.style is not None]
            assert styles
            for style in styles:
                assert style.color is None or style.color.is_default
                assert style.bgcolor is None or style.bgcolor.is_default


@pytest.mark.parametrize("theme", ["jittutor-ansi", "jittutor-dark"])
async def test_the_chosen_lesson_can_be_told_without_a_background(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, theme: str
) -> None:
    if theme != "jittutor-ansi":
        monkeypatch.setenv("NO_COLOR", "1")
    app, _ = fake.tutor(folder=tmp_path, theme=theme)
    async with app.run_test(size=(80, 24)) as pilot:
        await pressed(pilot, app, "l")
        pieces = [piece for strip in app.screen._compositor.render_strips() for piece in strip]
        chosen = [piece for piece in pieces if "New numbers" in piece.text and piece.style]
        others = [piece for piece in pieces if "One kind only" in piece.text and piece.style]
        assert all(piece.style and piece.style.underline for piece in chosen)
        assert not any(piece.style and piece.style.underline for piece in others)


async def test_after_a_wrong_guess_the_choices_that_are_left_are_in_sight(tmp_path: Path) -> None:
    app, _ = fake.tutor(folder=tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pressed(pilot, app, "a", "ctrl+j")
        await until(pilot, lambda: "1 more try" in shown(app, "read"))
        assert "b 3" in shown(app, "read")


async def test_contents_shows_the_chapters_with_what_is_done_and_mastered(tmp_path: Path) -> None:
    state, step = State.open(tmp_path), ("what-recompiles", "new-numbers-old-program")
    state.change(*step, done=True, guesses=((f"{step[1]}.predict1", "3", True),))
    app, _ = fake.tutor(state=state)
    async with app.run_test(size=SMALLEST) as pilot:
        assert "All  1 of 3 steps · 1 of 1 question mastered" in await pressed(pilot, app, "l")


async def test_a_search_stands_first_where_a_title_has_the_words(tmp_path: Path) -> None:
    app, _ = fake.tutor(folder=tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        # The first step has "program" in its text too, but "one" only this one has in its title.
        await pressed(pilot, app, "l", "slash", *"one", "enter", "enter")
        await until(pilot, lambda: app.screen is app.lesson_screen)
        assert app.study.step.id == "one-kind-only"
