"""What is read off a lesson's text: each rule is kept by a good lesson and names what breaks it."""

import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from jittutor import course, ids
from jittutor.cli.main import start
from jittutor.course import Course
from jittutor.draft.skeleton import begin
from jittutor.finding import Finding
from jittutor.names import unexplained, used
from jittutor.proofread import proofread, proofread_whole
from jittutor.spans import blocks, paths, spans

BUILT_IN = course.load(course.home())


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A course of one lesson, the skeleton."""
    begin("mine", "Mine", tmp_path, in_course=True)
    return tmp_path


def change(pack: Path, old: str, new: str) -> None:
    path = pack / "mine.py"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def broken(pack: Path) -> list[tuple[str, str, str]]:
    found = course.load(pack)
    assert not found.broken
    return [(f.step, f.what, f.actual) for f in findings(found) if not f.ok]


def findings(found: Course) -> Iterator[Finding]:
    yield from proofread(found, found.lessons)
    yield from proofread_whole(found)


def test_the_course_that_comes_with_jittutor_reads_well() -> None:
    bad = [f"{f.lesson}/{f.step}: {f.what}: {f.actual}" for f in findings(BUILT_IN) if not f.ok]
    assert bad == []


def test_no_text_scrolls_more_than_two_screens_of_a_small_terminal() -> None:
    rows, columns = 18, 76
    for lesson in BUILT_IN.lessons:
        for step in lesson.steps:
            text = f"{lesson.intro}\n\n{step.title}\n\n{step.prose}"
            lines = [textwrap.wrap(part, columns) or [""] for part in text.split("\n\n")]
            assert sum(len(part) + 1 for part in lines) <= 2 * rows, (lesson.slug, step.id)


def test_the_skeleton_reads_well(pack: Path) -> None:
    assert broken(pack) == []


INTRO = "Say here in two or three sentences what the learner will see in this\n"
LONG = "first = double('" + 80 * "a" + "')"
HINT = '# %% hint\n"""\nThe last hint is enough to finish: `np.arange(3, 6, dtype=np.float32)`.\n"""\n'


@pytest.mark.parametrize(
    ("old", "new", "step", "what", "actual"),
    [
        (INTRO, "", "", "form", "15 to 80"),
        ("lesson, and why it matters.", "word " * 90, "", "form", "15 to 80"),
        ("Tell one idea in a few", "word " * 150 + "a few", "one-idea", "form", "60 to 150 are good"),
        ("# %% One idea ", "# %% One" + " idea" * 10 + " ", "one-idea", "form", "at most 48 fit"),
        ('  id="your-turn", traces={"double": 2}, cache="miss miss", reasons="dtype"', '  id="your-turn"',
         "your-turn", "form", "it claims nothing"),
        ("first = double(x)", LONG, "your-turn", "form", "too wide"),
        ("How many lines are printed?", "Count lines.", "one-idea", "form", "prediction 1 is no question"),
        ("- `2`: that is what plain", "- `2`\n- `3`: what plain", "one-idea", "form", "does not say why 2"),
        (HINT, "", "your-turn", "form", "it has 1 hints"),
        ("Tell one idea", "Tel one ideea", "one-idea", "spelling", "ideea"),
        ("Tell one idea", "See lesson `nosuch`, one idea", "one-idea", "links", "nosuch is none"),
        ("Tell one idea", "See [this](mine#nosuch), one idea", "one-idea", "links", "mine#nosuch is none"),
    ],
)  # fmt: skip
def test_each_rule_names_what_breaks_it(  # noqa: PLR0917 - a row of the table
    pack: Path, old: str, new: str, step: str, what: str, actual: str
) -> None:
    change(pack, old, new)
    found = broken(pack)
    assert (step, what) in {(a, b) for a, b, _ in found}
    assert any(actual in said for a, b, said in found if (a, b) == (step, what)), found


def test_links_that_lead_somewhere_are_good(pack: Path) -> None:
    change(
        pack,
        "Tell one idea",
        "See [it](mine#your-turn), lesson `mine` or [JAX](https://example.org), one idea",
    )
    assert broken(pack) == []


def test_a_word_of_words_txt_and_a_name_of_the_code_are_no_misspellings(pack: Path) -> None:
    change(pack, "Tell one idea", "Tel one ideea about arange and float32")
    (pack / "words.txt").write_text("# ours\nideea\nTel\n")
    assert broken(pack) == []


def test_a_file_outside_a_course_may_be_short_but_not_wide(pack: Path) -> None:
    change(pack, "Say here in two or three sentences what the learner will see in this\n", "")
    change(pack, "    return 2 * x\n", "    return 2 * x  # " + "a" * 80 + "\n")
    lesson = course.load(pack).lessons[0]
    alone = Course("None", (), ())
    bad = [finding for finding in proofread(alone, [lesson]) if not finding.ok]
    assert {finding.what for finding in bad} == {"form"}
    assert all(finding.actual.startswith("too wide") for finding in bad)


# ---------------------------------------------------------------- ids


def test_ids_are_recorded_once_and_then_held(pack: Path) -> None:
    assert ids.record(course.load(pack)) == [pack / "ids.txt"]
    assert ids.record(course.load(pack)) == []
    assert broken(pack) == []
    change(pack, 'id="one-idea"', 'id="an-idea"')
    ((_, what, actual),) = broken(pack)
    assert what == "ids"
    assert "one-idea is gone: give it back" in actual
    assert "an-idea is new: `jittutor verify --record-ids`" in actual


@pytest.mark.worker
def test_verify_writes_new_ids_down_and_holds_them(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = start(["--course", str(pack), "verify", "--record-ids", "--cpu"])
    said = capsys.readouterr().out
    assert code == 0, said
    assert (pack / "ids.txt").read_text().splitlines()[1:] == ["mine one-idea", "mine your-turn"]
    assert "ok   mine: form, ids, links" in said


def test_a_step_that_is_retired_may_go_and_its_id_is_not_used_again(pack: Path) -> None:
    ids.record(course.load(pack))
    change(pack, 'id="one-idea"', 'id="an-idea"')
    ids.record(course.load(pack))
    text = (pack / "ids.txt").read_text()
    (pack / "ids.txt").write_text(text.replace("mine one-idea", "mine one-idea retired"))
    assert broken(pack) == []
    change(pack, 'id="an-idea"', 'id="one-idea"')
    ((_, _, actual),) = broken(pack)
    assert "one-idea was retired: choose another id" in actual


def test_a_lesson_that_was_given_out_must_stay_in_the_course(pack: Path) -> None:
    ids.record(course.load(pack))
    begin("other", "Other", pack, in_course=True)
    (pack / "ids.txt").write_text(
        "gone first\n" + (pack / "ids.txt").read_text() + "other one-idea\nother your-turn\n"
    )
    assert broken(pack) == [("", "ids", "it is not in course.toml")]


def test_a_pack_without_the_file_makes_no_promise(pack: Path) -> None:
    assert not any(finding.what == "ids" for finding in findings(course.load(pack)))


# ---------------------------------------------------------------- names


def test_a_name_of_jax_is_explained_where_it_comes_first(pack: Path) -> None:
    (pack / "granted.txt").write_text("jnp.*\n")
    assert [(step, actual) for step, what, actual in broken(pack) if what == "names"] == [
        ("one-idea", "jax.jit is not")
    ]
    change(pack, "Tell one idea", "Tell of `jax.jit` one idea")
    assert broken(pack) == []


def test_what_is_taken_for_granted_needs_no_word(pack: Path) -> None:
    (pack / "granted.txt").write_text("jax.*\n")
    assert broken(pack) == []


def test_names_are_told_by_what_they_stand_for(pack: Path) -> None:
    change(pack, "import numpy as np", "from jax import lax\nimport jax.numpy as jnp\nimport numpy as np")
    change(
        pack, "double(x)\ndouble(x + 1)", "double(jnp.linalg.norm(x).at[0].set(lax.scan)).block_until_ready()"
    )
    lesson = course.load(pack).lessons[0]
    assert used(lesson, lesson.steps[0]) == [
        "jax.jit", "block_until_ready", "at", "jnp.linalg.norm", "lax.scan",
    ]  # fmt: skip


def test_every_step_of_the_built_in_course_is_looked_at_for_names() -> None:
    assert set(unexplained(BUILT_IN)) == {(a.slug, b.id) for a in BUILT_IN.lessons for b in a.steps}


# ---------------------------------------------------------------- spans


def test_spans_are_what_stands_between_single_backticks() -> None:
    text = "`a` and\n`b\nc`\n\n```python\n`no`\nx = 1\n```\n`` no `` either"
    assert spans(text) == ["a", "b c"]
    assert blocks(text) == ["`no`", "x = 1"]


def test_the_names_in_spans_are_found_and_texts_in_them_are_left_out() -> None:
    assert paths('`jnp.where(mask, x, 0.0)` and `"a b".format(value)`') == [
        "jnp.where", "mask", "x", ".format", "value",
    ]  # fmt: skip
