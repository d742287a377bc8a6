"""The editor behaves as people expect of a code editor."""

from pathlib import Path

import pytest
from textual.events import Key, Paste

from jittutor.tui.panes.editor import Editor
from jittutor.tui.panes.prints import Prints
from tests.tui import fake
from tests.tui.wait import ready, until


class TestTheEditor:
    @pytest.mark.parametrize(
        ("before", "keys", "after"),
        [
            ("def f(x):", ["end", "enter", "y"], "def f(x):\n    y"),
            ("    return x", ["end", "enter", "y"], "    return x\ny"),
            ("    x = 1", ["end", "enter", "y"], "    x = 1\n    y"),
            ("f(", ["end", "enter", "y"], "f(\n    y"),
            ("        x", ["home", "backspace"], "    x"),
            ("    x", ["shift+tab"], "x"),
            ("x = 1", ["ctrl+underscore"], "# x = 1"),
            ("# x = 1", ["ctrl+underscore"], "x = 1"),
            ("x", ["home", "tab"], "    x"),
        ],
    )
    async def test_indentation_follows(
        self, tmp_path: Path, before: str, keys: list[str], after: str
    ) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=(120, 40)) as pilot:
            await ready(pilot, app)
            editor = app.screen.query_one(Editor)
            editor.open(before)
            editor.focus()
            for key in keys:
                # Keys of a hand, not of a paste: the editor tells them apart by their distance.
                editor.forget_burst()
                await pilot.press(key)
            assert editor.text == after

    async def test_keys_as_fast_as_a_paste_get_no_extra_indent(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=(120, 40)) as pilot:
            await ready(pilot, app)
            editor = app.screen.query_one(Editor)
            editor.open("if x:")
            editor.focus()
            editor.move_cursor(editor.document.end)
            for key in (Key("y", "y"), Key("enter", "\r"), Key("z", "z")):
                editor.post_message(key)
            await until(pilot, lambda: "z" in editor.text)
            assert editor.text == "if x:y\nz"

    async def test_a_big_paste_arrives_at_once_and_is_one_undo(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=(120, 40)) as pilot:
            await ready(pilot, app)
            editor = app.screen.query_one(Editor)
            editor.open("")
            editor.focus()
            text = "".join(f"    if x{n}:\r\n\ty = 'é'\r\n" for n in range(5000))
            editor.post_message(Paste(text))
            await until(pilot, lambda: editor.document.line_count == 10_001)
            assert editor.text == text.replace("\r\n", "\n").replace("\t", "    ")
            editor.undo()
            assert editor.text == ""

    async def test_python_is_coloured(self, tmp_path: Path) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=(120, 40)) as pilot:
            await ready(pilot, app)
            editor = app.screen.query_one(Editor)
            editor.open("s = 'é'; return 1\n")
            await pilot.pause()
            assert (10, 16, "keyword") in editor._highlights[0], "positions count bytes: é is two"
            colours = {segment.style.color for segment in editor.render_line(0) if segment.style}
            assert len(colours) >= 4

    async def test_without_the_hook_the_editor_still_edits(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        app, _ = fake.tutor(folder=tmp_path)
        async with app.run_test(size=(120, 40)) as pilot:
            await ready(pilot, app)
            editor = app.screen.query_one(Editor)
            editor._highlights.clear()
            monkeypatch.setattr("jittutor.tui.inside.HIGHLIGHTS", "gone_in_a_newer_textual")
            editor.open("x = 1")
            editor.focus()
            await pilot.press("y")
            assert editor.text == "yx = 1"
            assert not editor._highlights


async def test_the_output_keeps_its_place_while_someone_reads(tmp_path: Path) -> None:
    from jittutor.event import Printed  # noqa: PLC0415 - used in this one place

    app, link = fake.tutor(lambda request: [], folder=tmp_path, start=("what-recompiles", "one-kind-only"))
    async with app.run_test(size=(120, 40)) as pilot:
        await ready(pilot, app)
        await pilot.press("ctrl+j")
        run = app.study.record.run
        prints = app.screen.query_one(Prints)
        link.say(*(Printed(run, f"{n}\n") for n in range(100)))
        await until(pilot, lambda: prints.is_vertical_scroll_end and prints.max_scroll_y > 0)
        await pilot.press("o", "home")
        link.say(*(Printed(run, f"{n}\n") for n in range(100)))
        await until(pilot, lambda: prints.length() == 200)
        assert prints.scroll_offset.y == 0
