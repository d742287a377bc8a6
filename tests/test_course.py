"""A folder of lessons: the order, finding one's way, and lessons that cannot be read."""

import os
from pathlib import Path

import pytest

from jittutor import course
from jittutor.course import Course
from jittutor.lesson import Lesson, LessonError

LESSON = '"""{0}\n\nIntro.\n"""\n\n# %% First\nx = 1\n\n# %% Second\nx = 2\n'
INDEX = """title = "Two"

[[chapter]]
title = "One"
lessons = ["alpha", "beta"]

[[chapter]]
title = "Two"
lessons = [
    "gamma",
]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "course.toml").write_text(INDEX, encoding="utf-8")
    for slug in ("alpha", "beta", "gamma"):
        (tmp_path / f"{slug}.py").write_text(LESSON.format(slug.title()), encoding="utf-8")
    return tmp_path


def only_broken(found: Course) -> str:
    """The message of the one lesson that cannot be used; the others can."""
    (broken,) = found.broken
    assert len(found.lessons) == len(found.entries) - 1 >= 2
    assert "\n" not in broken.message
    return broken.message


def test_the_index_gives_the_order_and_the_chapters(folder: Path) -> None:
    found = course.load(folder)
    assert found.title == "Two"
    assert [entry.slug for entry in found.entries] == ["alpha", "beta", "gamma"]
    assert [(c.title, c.slugs) for c in found.chapters] == [("One", ("alpha", "beta")), ("Two", ("gamma",))]


def test_a_lesson_is_found_by_slug_and_by_number(folder: Path) -> None:
    found = course.load(folder)
    for name in ("beta", "2"):
        entry = found.find(name)
        assert isinstance(entry, Lesson)
        assert entry.title == "Beta"
    assert found.number("gamma") == 3
    assert found.number("nosuch") == 0
    assert found.find("4") is found.find("0") is found.find("nosuch") is None


def test_to_open_one_lesson_and_go_on_no_other_file_is_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    real = course.read_text

    def reading(path: Path) -> str:
        read.append(path.stem)
        return real(path)

    monkeypatch.setattr(course, "read_text", reading)
    found = course.load_all([folder])
    assert found.slugs == ("alpha", "beta", "gamma")
    assert found.find("beta") is found.find("2")
    assert found.beside("beta", "first", 1) is not None
    assert found.number("gamma") == 3
    assert read == ["course", "beta"]
    assert found.beside("beta", "second", 1) is not None
    assert read == ["course", "beta", "gamma"]


def test_a_place_that_is_not_there_has_nothing_beside_it(folder: Path) -> None:
    found = course.load(folder)
    assert found.beside("nosuch", "first", 1) is found.beside("beta", "nosuch", 1) is None
    assert found.beside("alpha", "first", -1) is found.beside("gamma", "second", 1) is None


def test_a_mistyped_name_has_a_nearest_one(folder: Path) -> None:
    assert course.load(folder).nearest("gama") == "gamma"
    assert course.load(folder).nearest("zzzz") is None


def test_next_and_previous_walk_over_the_whole_course(folder: Path) -> None:
    found = course.load(folder)
    after = found.beside("alpha", "second", 1)
    assert after is not None
    assert (after[0].slug, after[1].id) == ("beta", "first")
    assert found.beside("alpha", "first", -1) is None
    assert found.beside("gamma", "second", 1) is None
    assert found.beside("alpha", "nosuch", 1) is None


def test_a_syntax_error_closes_one_lesson_and_names_file_and_line(folder: Path) -> None:
    (folder / "beta.py").write_text(LESSON.format("Beta") + "x = (\n", encoding="utf-8")
    assert (
        only_broken(course.load(folder)) == f"{folder / 'beta.py'}:11: not valid Python: '(' was never closed"
    )


def test_an_unknown_claim_closes_one_lesson(folder: Path) -> None:
    text = LESSON.format("Beta").replace("# %% Second", "# %% Second  tracez=1")
    (folder / "beta.py").write_text(text, encoding="utf-8")
    assert only_broken(course.load(folder)).startswith(f"{folder / 'beta.py'}:9: unknown claim `tracez`")


def test_a_file_that_is_not_utf8_closes_one_lesson(folder: Path) -> None:
    (folder / "beta.py").write_bytes(LESSON.format("Beta").encode() + b"# caf\xe9\n")
    assert (
        only_broken(course.load(folder)) == f"{folder / 'beta.py'}:11: not UTF-8 text; save the file as UTF-8"
    )


def test_a_missing_file_closes_one_lesson(folder: Path) -> None:
    (folder / "beta.py").unlink()
    expected = f"{folder / 'beta.py'}:1: cannot be read: no such file or directory"
    assert only_broken(course.load(folder)) == expected


def test_a_folder_in_the_place_of_a_lesson_closes_one_lesson(folder: Path) -> None:
    (folder / "beta.py").unlink()
    (folder / "beta.py").mkdir()
    assert "is a directory" in only_broken(course.load(folder))


def test_two_steps_with_one_id_close_one_lesson(folder: Path) -> None:
    (folder / "beta.py").write_text(LESSON.format("Beta").replace("Second", "First"), encoding="utf-8")
    assert 'two steps have the id "first"' in only_broken(course.load(folder))


def test_a_lesson_that_is_named_twice_is_told_with_the_line_of_the_second_time(folder: Path) -> None:
    (folder / "course.toml").write_text(INDEX.replace('"gamma",', '"gamma",\n    "alpha",'), encoding="utf-8")
    found = course.load(folder)
    assert only_broken(found) == f'{folder / "course.toml"}:11: the lesson "alpha" is named twice'
    assert isinstance(found.find("alpha"), Lesson)


def test_a_byte_order_mark_is_no_mistake(folder: Path) -> None:
    (folder / "beta.py").write_bytes(b"\xef\xbb\xbf" + LESSON.format("Beta").encode())
    assert not course.load(folder).broken


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (b"title = \n", 1, "a course needs [[chapter]] tables"),
        (b'title = "x"\n\n[[chapter]]\ntitle = \n', 4, "a course needs [[chapter]] tables"),
        (b'title = "x"\n', 1, "a course needs [[chapter]] tables"),
        (b'[[chapter]]\ntitle = "x"\n', 1, "a course needs [[chapter]] tables"),
        (b'[[chapter]]\ntitle = "x"\nlessons = 3\n', 1, "a course needs [[chapter]] tables"),
        (b'title = "\xe9"\n', 1, "not UTF-8"),
    ],
)
def test_a_bad_index_is_one_sentence(folder: Path, text: bytes, line: int, message: str) -> None:
    (folder / "course.toml").write_bytes(text)
    with pytest.raises(LessonError, match=r"course\.toml") as caught:
        course.load(folder)
    assert message in str(caught.value)
    assert caught.value.line == line


def test_a_folder_without_an_index_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(LessonError, match="cannot be read: no such file"):
        course.load(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_closes_one_lesson(folder: Path) -> None:
    (folder / "beta.py").chmod(0)
    assert "permission denied" in only_broken(course.load(folder))
