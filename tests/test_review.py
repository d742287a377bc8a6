"""What was guessed wrong comes back a chapter later, and only what is known counts as mastered."""

import json
from pathlib import Path

import pytest

from jittutor import review
from jittutor.cli.main import start
from jittutor.course import Chapter, Course, home, load
from jittutor.lesson import Lesson, parse
from jittutor.state import State

LESSON = '"""T\n\nI.\n"""\n\n# %% One\nx = 1\n\n# %% predict: How?  answer="x"\n"""\n- 1: yes\n- 2: no\n"""\n'
SLUGS = ("a", "b", "c")
Q = "one.predict1"


@pytest.fixture
def course() -> Course:
    """Three chapters of one lesson, each with one question."""
    chapters = tuple(Chapter(f"Chapter {slug}", (slug,)) for slug in SLUGS)
    return Course("C", chapters, tuple(parse(LESSON, f"{slug}.py") for slug in SLUGS))


@pytest.fixture
def state(tmp_path: Path) -> State:
    return State.open(tmp_path)


def guess(state: State, slug: str, *right: bool) -> None:
    state.change(slug, "one", done=True, guesses=tuple((Q, "1" if ok else "2", ok) for ok in right))


def standing(course: Course, state: State) -> list[str]:
    return [question.standing for question in review.questions(course, state)]


def test_before_anything_is_asked_nothing_is_mastered_and_nothing_comes_back(
    course: Course, state: State
) -> None:
    assert standing(course, state) == ["not asked"] * 3
    assert review.due(course, state) == ()


def test_right_at_the_first_guess_is_mastered_and_does_not_come_back(course: Course, state: State) -> None:
    for slug in SLUGS:
        guess(state, slug, True)
    assert standing(course, state) == ["mastered"] * 3
    assert review.due(course, state) == ()


def test_a_wrong_guess_waits_until_the_next_chapter_is_over(course: Course, state: State) -> None:
    guess(state, "a", False, True)
    assert standing(course, state) == ["waits", "not asked", "not asked"]
    guess(state, "b", True)
    assert standing(course, state) == ["due", "mastered", "not asked"]
    assert review.due(course, state) == (("a", "one", Q),)


def test_a_skipped_step_also_ends_a_chapter(course: Course, state: State) -> None:
    guess(state, "a", False)
    state.change("b", "one", skipped=True)
    assert review.due(course, state) == (("a", "one", Q),)


def test_right_at_the_review_is_mastered(course: Course, state: State) -> None:
    guess(state, "a", False, False)
    guess(state, "b", True)
    review.answered(state, ("a", "one", Q), "1", right=True)
    assert standing(course, state)[0] == "mastered"
    assert review.due(course, state) == ()


def test_wrong_again_comes_back_one_chapter_later(course: Course, state: State) -> None:
    guess(state, "a", False)
    guess(state, "b", True)
    review.answered(state, ("a", "one", Q), "2", right=False)
    assert standing(course, state)[0] == "waits"
    guess(state, "c", True)
    assert review.due(course, state) == (("a", "one", Q),)


def test_the_last_chapters_mistakes_come_back_at_its_own_end(course: Course, state: State) -> None:
    guess(state, "c", False)
    assert review.due(course, state) == (("c", "one", Q),)
    review.answered(state, ("c", "one", Q), "2", right=False)
    assert review.due(course, state) == (("c", "one", Q),)


def test_an_answer_at_a_review_is_kept_on_disk_and_the_first_guesses_stay(
    course: Course, state: State, tmp_path: Path
) -> None:
    guess(state, "a", False, True)
    review.answered(state, ("a", "one", Q), "1", right=True)
    state.save()
    again = State.open(tmp_path)
    assert [right for _, _, right in again.step("a", "one").guesses] == [False, True]
    assert standing(course, again)[0] == "mastered"


def test_progress_tells_each_chapter_apart(course: Course, state: State) -> None:
    guess(state, "a", False)
    guess(state, "b", True)
    state.change("c", "one", skipped=True)
    a, b, c = review.progress(course, state)
    assert (a.title, a.done, a.asked, a.mastered, a.due) == ("Chapter a", 1, 1, 0, 1)
    assert (b.done, b.asked, b.mastered, b.due) == (1, 1, 1, 0)
    assert (c.done, c.skipped, c.asked, c.questions) == (0, 1, 0, 1)


def test_the_command_tells_what_is_mastered_and_what_comes_back(capsys: pytest.CaptureFixture[str]) -> None:
    course, state = load(home()), State.open()
    for chapter, right in zip(course.chapters[1:3], (False, True), strict=True):
        lesson = course.find(chapter.slugs[0])
        assert isinstance(lesson, Lesson)
        step = next(step for step in lesson.steps if step.predicts)
        state.change(lesson.slug, step.id, guesses=((step.predicts[0].id, "1", right),))
    state.save()
    assert start(["progress"]) == 0
    assert "mastered: right at the first guess, or right when" in capsys.readouterr().out
    assert start(["progress", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["mastered"], report["asked"], report["due"]) == (1, 2, [])
    assert report["questions"] == sum(len(s.predicts) for lesson in course.lessons for s in lesson.steps)
    assert [part["mastered"] for part in report["chapters"][:3]] == [0, 0, 1]
