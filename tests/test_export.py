"""An exported lesson is a valid notebook that runs from top to bottom, with what the learner did in it.

A few lessons run each time; `NOTEBOOKS=all pytest tests/test_export.py` runs every one.
"""

import ast
import os
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import pytest
from nbclient import NotebookClient

from jittutor import course
from jittutor.cli.main import start
from jittutor.export import FORMATS, export
from jittutor.lesson import Lesson, Step, parse
from jittutor.state import State

COURSE = course.load(course.home())
LESSONS = [pytest.param(lesson, id=lesson.slug) for lesson in COURSE.lessons]


def raising(lesson: Lesson) -> list[Step]:
    return [step for step in lesson.steps if any(claim.name == "raises" for claim in step.claims)]


PLAIN, RAISING, LAST = LESSONS[1], next(p for p in LESSONS if raising(p.values[0])), LESSONS[-1]  # type: ignore[arg-type]
SOME = LESSONS if os.environ.get("NOTEBOOKS") == "all" else [PLAIN, RAISING, LAST]

LESSON = parse(
    '''"""Title

Intro.
"""

start = 1

# %% First
"""The first text."""
start = 2
first = start

# %% predict: How much?  answer="first"
"""
- 1: too little.
- 2: just right.
"""

# %% Second  raises="ZeroDivisionError"
"""The second text."""
start / 0

# %% hint
"""Look at `start`."""

# %% check
assert start, "expected: 1; actual: 0"

# %% solution
start = 3
''',
    "lesson.py",
)


@pytest.fixture
def state(tmp_path: Path) -> State:
    return State.open(tmp_path)


def notebook(lesson: Lesson, state: State) -> Any:
    return nbformat.reads(export(lesson, state, "ipynb"), as_version=4)  # type: ignore[no-untyped-call]


def sources(book: Any, kind: str) -> list[str]:
    return [cell.source for cell in book.cells if cell.cell_type == kind]


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_lesson_is_a_valid_notebook_with_each_step_as_it_stands(lesson: Lesson, state: State) -> None:
    book = notebook(lesson, state)
    nbformat.validate(book)
    codes = sources(book, "code")
    assert all(step.source.strip("\n") in codes for step in lesson.steps)
    tagged = [cell.source for cell in book.cells if "raises-exception" in cell.metadata.get("tags", [])]
    assert tagged == [step.source.strip("\n") for step in raising(lesson)]


@pytest.mark.worker
@pytest.mark.slow
@pytest.mark.parametrize("lesson", SOME)
async def test_a_notebook_runs_from_top_to_bottom_in_a_fresh_kernel(
    lesson: Lesson, state: State, tmp_path: Path
) -> None:
    book = notebook(lesson, state)
    client = NotebookClient(
        book, timeout=300, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    )
    await client.async_execute()
    for cell in book.cells:
        raised = [out.ename for out in cell.get("outputs", []) if out.output_type == "error"]
        assert bool(raised) == ("raises-exception" in cell.metadata.get("tags", [])), cell.source


def test_the_setup_is_repeated_where_a_step_has_changed_it(state: State) -> None:
    codes = sources(notebook(LESSON, state), "code")
    assert codes == [
        "start = 1", "start = 2\nfirst = start", "# Each step starts afresh.\nstart = 1", "start / 0",
    ]  # fmt: skip


def test_the_learners_own_code_stands_in_the_place_of_the_lessons(state: State) -> None:
    state.change("lesson", "second", edit="mine = 1 / 0\n", done=True, hints=1)
    book = notebook(LESSON, state)
    cell = next(cell for cell in book.cells if cell.source == "mine = 1 / 0")
    assert cell.metadata.tags == ["raises-exception"]
    assert "start / 0" not in sources(book, "code")
    text = "\n".join(sources(book, "markdown"))
    assert "*done, with my own code, 1 hint used*" in text
    assert "start / 0" in text


def test_guesses_are_told_as_they_were(state: State) -> None:
    wrong, right = ("first.predict1", "1", False), ("first.predict1", "2", True)
    state.change("lesson", "first", guesses=(wrong, right))
    text = export(LESSON, state, "md")
    assert "My guess: `1`, not right. too little." in text
    assert "My guess: `2`, right. just right." in text


def test_nothing_is_said_of_answers_before_something_was_guessed(state: State) -> None:
    text = export(LESSON, state, "md")
    assert "just right" not in text
    assert "My guess" not in text
    assert "not done" not in text


@pytest.mark.parametrize("lesson", LESSONS)
def test_percent_format_is_python_and_the_same_cells(lesson: Lesson, state: State) -> None:
    text = export(lesson, state, "py")
    ast.parse(text)
    again = jupytext.reads(text, fmt="py:percent")
    book = notebook(lesson, state)
    assert [cell.cell_type for cell in again.cells] == [cell.cell_type for cell in book.cells]
    assert sources(again, "code") == sources(book, "code")


def test_code_with_a_fence_or_a_marker_in_it_stays_one_cell(state: State) -> None:
    state.change("lesson", "first", edit='"""\n```\n"""\n# %% no marker\n')
    assert "````python" in export(LESSON, state, "md")
    again = jupytext.reads(export(LESSON, state, "py"), fmt="py:percent")
    assert len(again.cells) == len(notebook(LESSON, state).cells)


# ---------------------------------------------------------------- the command


def test_export_writes_the_file_and_never_over_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert start(["export", "device", "--to", "ipynb"]) == 0
    nbformat.validate(nbformat.reads((tmp_path / "device.ipynb").read_text(), as_version=4))  # type: ignore[no-untyped-call]
    assert start(["export", "device", "--to", "ipynb"]) == 2
    assert "device.ipynb is there already; --force writes over it" in capsys.readouterr().err
    assert start(["export", "device", "--to", "ipynb", "--force"]) == 0


def test_a_files_name_tells_the_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert start(["export", "device", "-o", str(tmp_path / "mine.md")]) == 0
    assert (tmp_path / "mine.md").read_text().startswith("# ")
    assert start(["export", "device", "-o", str(tmp_path / "mine.txt")]) == 2
    assert "which format? say --to ipynb, --to md or --to py" in capsys.readouterr().err


def test_export_to_standard_output_prints_nothing_else(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert start(["export", "device", "--to", "md", "-o", "-"]) == 0
    assert capfdbinary.readouterr().out.startswith(b"# ")


def test_every_format_of_the_command_line_is_made() -> None:
    from jittutor.cli.export import FORMATS as NAMES  # noqa: PLC0415 - only here

    assert set(NAMES) == set(FORMATS)


def test_a_folder_that_is_not_there_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "no" / "a.md"
    assert start(["export", "device", "-o", str(path)]) == 2
    assert capsys.readouterr().err == f"jittutor: {path} cannot be written: no such file or directory\n"
