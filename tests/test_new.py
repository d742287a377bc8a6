"""A new lesson verifies as it is, and a notebook becomes a draft that can be opened."""

import json
import tomllib
from pathlib import Path

import jupytext
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jittutor import course
from jittutor.cli.main import start
from jittutor.draft.converting import Raw, convert
from jittutor.draft.skeleton import CannotBeginError, begin
from jittutor.export import export
from jittutor.lesson import Lesson, parse
from jittutor.state import State

LESSONS = [pytest.param(lesson, id=lesson.slug) for lesson in course.load(course.home()).lessons]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# ---------------------------------------------------------------- new


@pytest.mark.worker
def test_a_new_lesson_of_a_pack_verifies_by_all_the_rules_of_a_course(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert start(["new", "my-first", "--course", "pack"]) == 0
    assert "jittutor --course pack verify my-first" in capsys.readouterr().out
    code = start(["--course", "pack", "verify", "--cpu"])
    said = capsys.readouterr().out
    assert code == 0, said
    assert "form, links, spelling" in said


def test_a_new_lesson_has_every_kind_of_cell(here: Path) -> None:
    assert start(["new", "my-first", "--title", 'A "title"\n\\']) == 0
    lesson = parse((here / "my-first.py").read_text(), "my-first.py")
    assert lesson.title == "A 'title' /"
    one, two = lesson.steps
    assert one.predicts
    assert one.claims
    assert two.hints
    assert two.check
    assert two.solution
    assert len(two.wrongs) == 2


def test_lessons_are_added_to_the_end_of_the_index(tmp_path: Path) -> None:
    for slug in ("one", "two"):
        begin(slug, slug, tmp_path / "pack", in_course=True)
    found = course.load(tmp_path / "pack")
    assert [lesson.slug for lesson in found.lessons] == ["one", "two"]
    assert found.broken == ()


@pytest.mark.parametrize(
    "index",
    [
        '[[chapter]]\ntitle = "A"\nlessons = []\n',
        '[[chapter]]\ntitle = "A"\nlessons = [\n    "a",\n]\n',
        '[[chapter]]\nlessons = ["a"]  # [the first]\ntitle = "A"\n',
        'title = "x"\nchapter = [{ title = "A", lessons = ["a"] }]\n',
    ],
)
def test_an_index_of_any_shape_gains_a_lesson_or_is_left_alone(tmp_path: Path, index: str) -> None:
    (tmp_path / "course.toml").write_text(index)
    before = [slug for chapter in tomllib.loads(index)["chapter"] for slug in chapter["lessons"]]
    try:
        begin("new", "New", tmp_path, in_course=True)
    except CannotBeginError:
        assert (tmp_path / "course.toml").read_text() == index
        assert not (tmp_path / "new.py").exists()
    else:
        chapters = tomllib.loads((tmp_path / "course.toml").read_text())["chapter"]
        assert [slug for chapter in chapters for slug in chapter["lessons"]] == [*before, "new"]


def test_nothing_is_written_over(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "mine.py").write_text("mine")
    assert start(["new", "mine"]) == 2
    assert capsys.readouterr().err == "jittutor: mine.py is there already\n"
    assert (here / "mine.py").read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("My Lesson", "small letters, digits and hyphens: `my-lesson`"),
        ("../up", "small letters, digits and hyphens: `up`"),
        ("12", "small letters, digits and hyphens: `weak-types`"),
        ("list", "`list` is a command"),
    ],
)
def test_a_name_that_cannot_be_is_told(
    here: Path, capsys: pytest.CaptureFixture[str], name: str, said: str
) -> None:
    assert start(["new", name]) == 2
    assert said in capsys.readouterr().err
    assert list(here.iterdir()) == []


# ---------------------------------------------------------------- packs


def test_packs_are_listed_one_after_the_other(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for pack, slug in (("a", "one"), ("b", "two"), ("b", "one")):
        begin(slug, slug.title(), here / pack, in_course=True)
    assert start(["--course", "a", "list", "--json", "--course", "b"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["title"] == "a + b"
    assert [(row["slug"], row["state"]) for row in found["lessons"]] == [
        ("one", "new"), ("two", "new"), ("one", "broken"),
    ]  # fmt: skip
    assert "is in a already" in found["lessons"][2]["error"]


def test_a_pack_that_is_not_there_is_one_sentence(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert start(["--course", "nosuch", "list"]) == 2
    assert capsys.readouterr().err.startswith("jittutor: nosuch/course.toml:1: cannot be read")


# ---------------------------------------------------------------- import


@pytest.mark.parametrize("to", ["ipynb", "py"])
@pytest.mark.parametrize("lesson", LESSONS)
def test_an_exported_lesson_can_be_imported_with_the_same_code(
    lesson: Lesson, to: str, tmp_path: Path
) -> None:
    path = tmp_path / f"book.{to}"
    path.write_text(export(lesson, State(tmp_path), to), encoding="utf-8")
    assert start(["import", str(path), "-o", str(tmp_path / "draft.py")]) == 0
    draft = parse((tmp_path / "draft.py").read_text(encoding="utf-8"), "draft.py")
    assert draft.title == lesson.title
    assert draft.setup == lesson.setup
    assert [step.title for step in draft.steps] == [step.title for step in lesson.steps]
    assert [step.source for step in draft.steps] == [step.source for step in lesson.steps]


def drafted(*cells: Raw) -> Lesson:
    return parse(convert(cells, "Name").text, "draft.py")


def test_code_without_any_heading_is_one_step_below_its_imports() -> None:
    lesson = drafted(Raw(True, "import jax\n\nx = 1"), Raw(True, "x + 1"))
    assert lesson.title == "Name"
    assert lesson.setup == "import jax\n"
    assert [step.source for step in lesson.steps] == ["x = 1\n\nx + 1\n"]


def test_text_between_code_begins_a_step() -> None:
    lesson = drafted(Raw(False, "# T\nIntro."), Raw(True, "a = 1"), Raw(False, "Second."), Raw(True, "b = 2"))
    assert (lesson.title, lesson.intro, lesson.setup) == ("T", "Intro.", "a = 1\n")
    assert [(step.title, step.prose) for step in lesson.steps] == [("Step 1", "Second.")]


def test_what_only_a_notebook_understands_becomes_a_comment() -> None:
    code = "%timeit f(x)\n!pip list\nx = 1\nx?"
    (step,) = drafted(Raw(False, "# T"), Raw(False, "## A"), Raw(True, code)).steps
    assert step.source == "# %timeit f(x)\n# !pip list\nx = 1\n# x?\n"
    (step,) = drafted(Raw(False, "# T"), Raw(False, "## A"), Raw(True, "%%bash\nls"), Raw(True, "1")).steps
    assert step.source == "# %%bash\n# ls\n\n1\n".replace("# %%", "#  %%")


def test_the_author_is_told_what_a_lesson_does_otherwise() -> None:
    cells = [
        Raw(False, "# T\n\n## A"), Raw(True, "a = 1"), Raw(False, "## B"), Raw(True, "print(a)", raises=True),
    ]  # fmt: skip
    assert convert(cells, "N").notes == [
        "step 2 uses a of step 1, but each step starts afresh: repeat that code, or move it to the setup",
        'step 2 may raise: claim it, as in raises="ValueError"',
    ]


TEXTS = st.text(alphabet="#% \n\\\"'`ab:=(é\0\r\f?-", max_size=40)


@given(st.lists(st.builds(Raw, st.booleans(), TEXTS, st.booleans()), max_size=6), TEXTS)
def test_whatever_a_notebook_holds_the_draft_is_a_lesson(cells: list[Raw], name: str) -> None:
    assert parse(convert(cells, name.strip() or "N").text, "draft.py").steps


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.ipynb", b"no json", "a.ipynb is no notebook that can be read"),
        ("a.ipynb", b'{"nbformat": 4}', "a.ipynb is no notebook that can be read"),
        ("a.ipynb", None, "a.ipynb cannot be read: no such file or directory"),
        ("a.py", b"x = 1\xff", "a.py is no notebook that can be read"),
    ],
)
def test_a_file_that_is_no_notebook_is_one_sentence(
    here: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes | None, said: str
) -> None:
    if content is not None:
        (here / name).write_bytes(content)
    assert start(["import", name, "-o", "draft.py"]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
    assert not (here / "draft.py").exists()


def test_import_never_writes_over_the_file_it_reads(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jupytext.write(jupytext.reads("# %%\nx = 1\n", fmt="py:percent"), here / "book.py", fmt="py:percent")
    before = (here / "book.py").read_text()
    assert start(["import", "book.py"]) == 2
    assert "would be written over" in capsys.readouterr().err
    assert (here / "book.py").read_text() == before


def test_without_jupytext_import_says_what_is_missing(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys  # noqa: PLC0415 - only here

    monkeypatch.setitem(sys.modules, "jupytext", None)
    assert start(["import", "a.ipynb"]) == 2
    assert (
        capsys.readouterr().err
        == "jittutor: reading notebooks needs jupytext: pip install 'jittutor[authors]'\n"
    )
