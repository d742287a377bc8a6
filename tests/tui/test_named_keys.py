"""A text that names a key names the one that works here: the learner may have given it to another."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import jittutor.tui
from jittutor.state import State
from jittutor.tui import keys, remap
from jittutor.tui.app import Tutor
from tests.tui import fake
from tests.tui.wait import ran, ready, screen_text, until

SMALL = (80, 24)
EXERCISE = ("what-recompiles", "one-kind-only")
OWN = """[keys]
run = ["f6"]
next = "N"
why = "y"
hint = "H"
solution = "L"
stop = "X"
raw = "J"
lesson = "I"
contents = "C"
reset = "B"
plain = "P"
calls = "1"
prints = "2"
programs = "3"
program_before = "("
program_after = ")"
theme = "ctrl+t"
more = "M"
zoom = "Z"
"""
DOES = "goes|shows|gives|opens|tells|runs|stops|puts|quits|writes"
KEY = r"([a-zA-Z]|ctrl\+\w|space)"
NAMED = re.compile(rf"(?:^|[ (,;]){KEY} (?:{DOES})|[Pp]ress {KEY}(?![\w'])(?! key)|(?:with|below:) {KEY}\b")


@pytest.fixture(autouse=True)
def _own_table() -> Iterator[None]:
    yield
    keys.use(keys.LESSON)


def sentences() -> Iterator[tuple[str, str]]:
    """Every string of the screen that is no docstring, with its file."""
    for path in Path(jittutor.tui.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
                yield path.name, node.value


def test_no_sentence_of_the_screen_has_a_key_written_into_it() -> None:
    found = [(file, text) for file, text in sentences() if file != "keys.py" and NAMED.search(text)]
    assert found == []
    assert NAMED.search("Done. n goes on"), "this test can see a key"


def test_every_command_a_sentence_names_is_in_the_table() -> None:
    ids = {entry.id for entry in keys.LESSON}
    named = [text for _, text in sentences() if re.search(r"\{[a-z_]+\}", text)]
    assert named
    for text in named:
        assert set(re.findall(r"\{([a-z_]+)\}", text)) <= ids, text


def test_a_command_without_a_key_is_named_as_it_is_called() -> None:
    table, _ = remap.remapped({"hint": "n"})
    keys.use(table)
    assert keys.told("{hint} gives a hint, {next} goes on") == "n gives a hint, : next goes on"
    table, _ = remap.remapped({"hint": [":", "ctrl+o"]})
    keys.use(table)
    assert keys.told("{hint}") == ":"


async def text_after(app: Tutor, *pressed: str, waits: bool = True, size: tuple[int, int] = SMALL) -> str:
    """All that stands on the small screen after these keys."""
    async with app.run_test(size=size) as pilot:
        await ready(pilot, app)
        for key in pressed:
            await pilot.press(key)
            if key == "f6" and waits:
                await ran(pilot, app)
        await until(pilot, lambda: not app.screen._dirty_widgets)
        return "\n".join(screen_text(app))


def own(folder: Path) -> State:
    """A state whose learner has other keys."""
    (folder / remap.FILE).write_text(OWN, encoding="utf-8")
    return State.open(folder)


async def test_a_new_step_names_the_learners_keys(tmp_path: Path) -> None:
    app, _ = fake.tutor(state=own(tmp_path))
    text = await text_after(app)
    for said in (
        "run with f6.",
        "f6 runs the code",
        "f6 lock and run",
        " 1 calls ",
        " y why ",
    ):
        assert said in text
    assert "ctrl+j" not in text


async def test_more_text_names_the_learners_key(tmp_path: Path) -> None:
    app, _ = fake.tutor(state=own(tmp_path))
    text = await text_after(app, size=(60, 16))
    assert "more below: M" in text
    assert "M read on" in text


async def test_an_exercise_names_the_learners_keys(tmp_path: Path) -> None:
    app, _ = fake.tutor(fake.refuses, state=own(tmp_path), start=EXERCISE)
    text = await text_after(app, "f6", "H", "3")
    for said in ("H gives hint 2", "L shows the solution", "H gives a hint"):
        assert said in text


async def test_a_program_names_the_learners_keys(tmp_path: Path) -> None:
    app, _ = fake.tutor(state=own(tmp_path))
    assert "( ) other program" in await text_after(app, "b", "f6", "3")


async def test_an_error_names_the_learners_keys(tmp_path: Path) -> None:
    app, _ = fake.tutor(fake.fails, state=own(tmp_path), start=EXERCISE)
    text = await text_after(app, "f6", "y", "Z")
    for said in ("J shows the whole message", "I opens it"):
        assert said in text


async def test_what_is_told_at_the_bottom_names_the_learners_keys(tmp_path: Path) -> None:
    app, _ = fake.tutor(fake.shapes, state=own(tmp_path))
    assert "N goes on" in await text_after(app, "b", "f6")


async def test_a_run_that_does_not_end_is_stopped_by_the_learners_key(tmp_path: Path) -> None:
    app, _ = fake.tutor(fake.nothing, state=own(tmp_path), start=EXERCISE)
    text = await text_after(app, "f6", "f6", waits=False)
    assert "X stops it." in text
    assert "X stop" in text


async def test_in_the_code_a_letter_is_not_named_as_the_key_that_runs_it(tmp_path: Path) -> None:
    (tmp_path / remap.FILE).write_text('[keys]\nrun = ["R"]\n', encoding="utf-8")
    app, _ = fake.tutor(state=State.open(tmp_path), start=EXERCISE)
    last = (await text_after(app, "e")).splitlines()[-1]
    assert "R run" not in last
    assert "esc leave" in last
