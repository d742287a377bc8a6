"""Taking results away and keeping choices: clipboard, file, notebook, editor, keys, sizes, finding."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jittutor.state import State
from jittutor.tui import keys, remap
from jittutor.tui.app import Tutor
from jittutor.tui.panes.editor import Editor
from jittutor.tui.panes.programs import Programs
from jittutor.tui.panes.questions import Questions
from jittutor.tui.screens.find import positions
from jittutor.tui.screens.keeping import fetch
from tests.tui import fake
from tests.tui.wait import ran, ready, screen_text, until

WIDE, SMALL = (120, 40), (80, 24)
START = ("what-recompiles", "one-kind-only")


@pytest.fixture(autouse=True)
def _own_table() -> Iterator[None]:
    yield
    keys.use(keys.LESSON)


def text_of(app: Tutor) -> str:
    return "\n".join(screen_text(app))


class TestTakingAway:
    async def test_copy_sends_the_pane_and_promises_nothing(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path, start=START)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("ctrl+j")
            await ran(pilot, app)
            await pilot.press("g", "u")
            assert "integer_pow[y=2]" in app.clipboard
            assert "If paste gives nothing, press v" in text_of(app)

    async def test_a_pane_goes_to_a_file_and_a_pod_tells_how_to_fetch_it(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")
        monkeypatch.setenv("POD_NAMESPACE", "class")
        app, _ = fake.tutor(folder=tmp_path, start=START)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("ctrl+j")
            await ran(pilot, app)
            await pilot.press("c", "s")
            await until(pilot, lambda: "kubectl cp -n class" in text_of(app))
        saved = tmp_path / "saved" / "what-recompiles-one-kind-only-calls.txt"
        assert saved.read_text(encoding="utf-8").count("MISS") == 3

    def test_outside_kubernetes_no_command_is_shown(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
        assert not fetch(Path("x.txt"))

    async def test_the_lesson_goes_to_a_notebook_with_the_newest_code(self, tmp_path: Path) -> None:
        state = State.open(tmp_path)
        app, _ = fake.tutor(state=state, start=START)
        app.exporter = lambda lesson: f"{lesson.slug}: {state.step(*START).edit}"
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            app.lesson_screen.query_one(Editor).load_text("x = 1\n")
            await pilot.press("X")
            await until(pilot, lambda: app.screen is not app.lesson_screen)
        assert (tmp_path / "saved" / "what-recompiles.ipynb").read_text() == "what-recompiles: x = 1\n"


class TestEditor:
    async def test_the_code_goes_through_the_learners_own_editor_and_undo_brings_it_back(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        script = tmp_path / "editor.py"
        script.write_text("import sys\nopen(sys.argv[1], 'w').write('changed = 1\\n')\n", encoding="utf-8")
        monkeypatch.setenv("EDITOR", f"{sys.executable} {script}")
        monkeypatch.delenv("VISUAL", raising=False)
        monkeypatch.setattr(Tutor, "suspend", lambda self: contextlib.nullcontext())
        app, _ = fake.tutor(folder=tmp_path, start=START)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            editor = app.lesson_screen.query_one(Editor)
            before = editor.text
            await pilot.press("E")
            assert editor.text == "changed = 1\n"
            await pilot.press("ctrl+z")
            assert editor.text == before

    @pytest.mark.parametrize("key", ["/", "ctrl+f"])
    async def test_a_word_is_found_in_the_code_place_by_place(self, tmp_path: Path, key: str) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=SMALL) as pilot:
            await ready(pilot, app)
            if key == "ctrl+f":
                await pilot.press("e")
            await pilot.press("slash" if key == "/" else key, *"tracing")
            editor = app.lesson_screen.query_one(Editor)
            assert "1 of 1 in the code" in text_of(app)
            assert editor.selected_text == "tracing"
            await pilot.press(*["backspace"] * 7, "x", "enter")
            assert "2 of " in text_of(app)
            await pilot.press("escape")
            assert app.screen is app.lesson_screen
            assert editor.selection.start[0] == 1

    async def test_a_word_is_found_in_a_program(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path, start=START)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("ctrl+j")
            await ran(pilot, app)
            await pilot.press("g", "slash", *"reduce")
            assert "1 of 1 in the program" in text_of(app)
            assert app.lesson_screen.query_one(Programs).row == 2

    async def test_a_word_is_found_in_the_output_and_its_line_is_marked(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path, start=("what-recompiles", "one-kind-only"))
        async with app.run_test(size=(80, 24)) as pilot:
            await ready(pilot, app)
            await pilot.press("ctrl+j", "o", "slash", *"300")
            await ran(pilot, app)
            await pilot.press("escape")
            await until(pilot, lambda: app.screen is app.lesson_screen)
            await pilot.pause()
            strips = app.screen._compositor.render_strips()
            marked = [
                piece.text for strip in strips for piece in strip if piece.style and piece.style.reverse
            ]
            assert any("tracing (300,)" in text for text in marked)
            assert not any("tracing (200,)" in text for text in marked)

    def test_capital_letters_count_only_when_asked_for(self) -> None:
        assert positions("Key key KEY", "key") == [0, 4, 8]
        assert positions("Key key KEY", "Key") == [0]
        assert positions("aaa", "aa") == [0]
        assert positions("aaa", "") == []


class TestKeys:
    async def test_own_keys_work_and_are_shown(self, tmp_path: Path) -> None:
        (tmp_path / remap.FILE).write_text('[keys]\nrun = ["G"]\nnext = "ctrl+n"\n', encoding="utf-8")
        app, link = fake.tutor(folder=tmp_path, start=START)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            assert "G run" in text_of(app)
            assert "ctrl+n next" in text_of(app)
            await pilot.press("ctrl+j", "r", "n")
            assert not link.runs
            assert app.study.step.id == START[1]
            await pilot.press("G")
            await ran(pilot, app)
            await pilot.press("ctrl+n")
            await until(pilot, lambda: app.study.lesson.slug == "branches")

    async def test_what_cannot_be_is_told_and_the_rest_works(self, tmp_path: Path) -> None:
        (tmp_path / remap.FILE).write_text('[keys]\njump = "J"\nnext = "N"\n', encoding="utf-8")
        app, _ = fake.tutor(folder=tmp_path, start=START)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            assert "there is no command `jump`" in text_of(app)
            await pilot.press("N")
            await until(pilot, lambda: app.study.lesson.slug == "branches")

    @pytest.mark.parametrize("text", ["[keys", "keys = 3", "\x00", '[keys]\nnext = 3\nrun = [""]'])
    def test_a_damaged_file_changes_nothing(self, tmp_path: Path, text: str) -> None:
        (tmp_path / remap.FILE).write_text(text, encoding="utf-8")
        table, troubles = remap.load(tmp_path)
        assert table == keys.LESSON
        assert troubles

    def test_a_key_that_is_given_to_another_command_leaves_its_old_one(self) -> None:
        table, troubles = remap.remapped({"next": "r"})
        assert not troubles
        assert next(key.keys for key in table if key.id == "run") == ("ctrl+j",)

    async def test_a_pressed_key_is_named_with_what_it_does(self, tmp_path: Path) -> None:
        app, link = fake.tutor(folder=tmp_path, start=START)
        async with app.run_test(size=WIDE) as pilot:
            await ready(pilot, app)
            await pilot.press("K", "r", "at", "escape")
            assert "Run the code." in text_of(app)
            assert "no command" in text_of(app)
            await pilot.press("escape")
            await until(pilot, lambda: app.screen is app.lesson_screen)
        assert not link.runs


@pytest.mark.parametrize(("size", "key"), [(WIDE, ">"), (SMALL, "-")])
async def test_sizes_of_panes_are_kept(tmp_path: Path, size: tuple[int, int], key: str) -> None:
    def extent(app: Tutor) -> int:
        left = app.lesson_screen.query_one("#left").size
        return left.width if size == WIDE else left.height

    app, _ = fake.tutor(folder=tmp_path, start=START)
    async with app.run_test(size=size) as pilot:
        await ready(pilot, app)
        before = extent(app)
        await pilot.press(*[keys.NAMES[key]] * 3)
        await until(pilot, lambda: extent(app) != before)
        after = extent(app)
    app, _ = fake.tutor(folder=tmp_path, start=START)
    async with app.run_test(size=size) as pilot:
        await ready(pilot, app)
        await until(pilot, lambda: extent(app) == after)


async def test_a_question_has_the_keys_when_the_step_before_had_none(tmp_path: Path) -> None:
    app, link = fake.tutor(folder=tmp_path, start=START)
    async with app.run_test(size=SMALL) as pilot:
        await ready(pilot, app)
        app.lesson_screen.action_previous()
        assert isinstance(app.focused, Questions)
        await pilot.press("b", "ctrl+j")
        await ran(pilot, app)
    assert len(link.runs) == 1
