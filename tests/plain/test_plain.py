"""The tutor as lines of text: read, guess, run, look, solve and go on, on a link that replays events."""

import io
import sys
from pathlib import Path

import pytest

from jittutor.event import Done, Event, Printed, Run
from jittutor.plain.session import COMMANDS, Session
from jittutor.plain.talk import talk
from jittutor.state import State
from tests.tui import fake

GUESS, EXERCISE = ("what-recompiles", "new-numbers-old-program"), ("what-recompiles", "one-kind-only")


async def told(
    folder: Path, *typed: str, start: tuple[str, str] = GUESS, script: fake.Script = fake.shapes
) -> tuple[str, fake.FakeLink, State]:
    """What the tutor wrote when these lines were typed."""
    link, state, out = fake.FakeLink(script), State.open(folder), io.StringIO()
    stdin = io.StringIO("".join(f"{line}\n" for line in typed))
    await talk(fake.course(), link, state, start, stdin=stdin, stdout=out)
    assert link.closed
    return out.getvalue(), link, state


async def test_the_step_is_read_with_its_code_and_question(tmp_path: Path) -> None:
    text, _, _ = await told(tmp_path)
    assert "Lesson 1: What triggers a recompile. Step 1 of 2: New numbers, old program (not begun)." in text
    assert "the value of each static argument" in " ".join(text.split())
    assert '  3      print("tracing", x.shape)' in text
    assert "Question: How many of these five calls compile?" in text
    assert "  b  3" in text


async def test_the_code_that_runs_before_each_step_can_be_read(tmp_path: Path) -> None:
    text, _, _ = await told(tmp_path, "above")
    assert "import jax.numpy as jnp" in text


async def test_nothing_runs_before_the_guess(tmp_path: Path) -> None:
    text, link, _ = await told(tmp_path, "run")
    assert "Guess first, then run." in text
    assert not link.runs


async def test_a_guess_and_a_run_tell_calls_reasons_output_and_the_answer(tmp_path: Path) -> None:
    text, _, state = await told(tmp_path, "b", "run")
    assert "f: calls 5, traces 3, compiles 3, hits 2." in text
    assert "  2  f(x: f32[200])  MISS  trace 4.10, lower 3.00, compile 13.90, run 0.40" in text
    assert "not reused because x had a new shape: f32[200] → f32[300]" in text
    assert "  3  f(x: f32[100])  hit  run 0.03" in text
    assert "  tracing f line 3: tracing (100,)" in text
    assert "  running line 10, value: Array(3., dtype=float32)" in text
    assert "3: right. three different shapes arrive." in text
    assert state.step(*GUESS).done


async def test_a_wrong_guess_is_explained_and_not_offered_again(tmp_path: Path) -> None:
    text, _, state = await told(tmp_path, "a", "run", "a", "guess c")
    assert "1: not it. the shape is part of the key" in text
    assert "That choice was wrong already." in text
    assert "The answer is 3." in text
    assert state.step(*GUESS).guesses == (
        (f"{GUESS[1]}.predict1", "1", False),
        (f"{GUESS[1]}.predict1", "5", False),
    )


async def test_an_error_is_told_with_line_traced_value_reason_and_lesson(tmp_path: Path) -> None:
    text, _, _ = await told(tmp_path, "run", start=EXERCISE, script=fake.fails)
    assert "Error in line 4: TracerBoolConversionError" in text
    assert "traced: x: f32[3]" in text
    assert "To change: choose with jnp.where" in " ".join(text.split())
    assert "Lesson: `go branches`" in text


async def test_an_exercise_by_hint_solution_and_check(tmp_path: Path) -> None:
    text, link, state = await told(
        tmp_path, "take", "hint", "solution", "take", "run", start=EXERCISE, script=fake.refuses
    )
    assert "There is nothing to take before `solution` has shown it." in text
    assert "Hint 1 of 2: Which part of the key" in text
    assert "jnp.zeros(300)" in link.runs[0].source
    assert "Check: not yet. f ran its body 2 times; expected 1" in text
    assert state.step(*EXERCISE).skipped
    assert not state.step(*EXERCISE).done


async def test_code_comes_from_a_file_or_from_the_keyboard_and_goes_back(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("print('from a file')\n", encoding="utf-8")
    _, link, state = await told(
        tmp_path / "state", f"run {file}", "write", "x = 1", "print(x)", ".", "run", start=EXERCISE
    )
    assert [run.source for run in link.runs] == ["print('from a file')\n", "x = 1\nprint(x)\n"]
    assert state.step(*EXERCISE).edit == "x = 1\nprint(x)\n"
    text, _, state = await told(tmp_path / "state", "reset", "load nowhere.py", start=EXERCISE)
    assert state.step(*EXERCISE).edit is None
    assert "nowhere.py cannot be read: no such file or directory" in text


async def test_the_editor_of_the_learner_needs_a_terminal(tmp_path: Path) -> None:
    text, _, _ = await told(tmp_path, "edit", start=EXERCISE)
    assert "An editor needs a terminal." in text


def test_the_editor_changes_the_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from jittutor.study.editing import NoEditor, edited  # noqa: PLC0415 - as the session does

    script = tmp_path / "editor.py"
    script.write_text("import sys\nopen(sys.argv[1], 'a').write('more\\n')\n", encoding="utf-8")
    monkeypatch.setenv("VISUAL", f"{sys.executable} {script}")
    assert edited("code\n") == "code\nmore\n"
    monkeypatch.setenv("VISUAL", "no-such-editor")
    with pytest.raises(NoEditor, match="cannot be started"):
        edited("code\n")


async def test_programs_come_on_demand_in_three_languages(tmp_path: Path) -> None:
    text, _, _ = await told(
        tmp_path, "run", "program", "program 1 hlo", "program 9", "program x", start=EXERCISE
    )
    assert "Program 3 of 3: f(x: f32[300]), 2 equations." in text
    assert "integer_pow[y=2] a    # line 4" in text
    assert "Program 1 of 3" in text
    assert "ENTRY %main" in text
    assert "This run built 3 programs." in text
    assert "The languages are jaxpr, stablehlo, hlo." in text


async def test_the_learner_goes_through_the_course_and_finds_the_place_again(tmp_path: Path) -> None:
    text, _, state = await told(tmp_path, "n", "n", "n", "p", "lessons", "go 1 2", "go nope", "go 1 7")
    assert "This is the last step." in text
    assert "  2  Branches on traced values (0 of 1 done)" in text
    assert "There is no lesson nope." in text
    assert "has the steps 1 to 2" in text
    assert state.place == EXERCISE


async def test_words_may_be_cut_short_and_unknown_ones_are_told(tmp_path: Path) -> None:
    text, _, _ = await told(tmp_path, "hin", "re", "jump", start=EXERCISE)
    assert "Hint 1 of 2" in text
    assert "Which one: read, reset?" in text
    assert "There is no word jump." in text


async def test_hostile_output_is_harmless(tmp_path: Path) -> None:
    def hostile(run: Run) -> list[Event]:
        said = Printed(run.run, "a\x1b]52;c;eA==\x07b\x1b[2Jc\x9bd\n", line=1)
        return [said, Done(run.run, "ok", 0.1)]

    text, _, _ = await told(tmp_path, "run", start=EXERCISE, script=hostile)
    assert "\x1b" not in text
    assert "\x9b" not in text
    assert "running line 1: abc" in text


async def test_a_worker_that_dies_is_told(tmp_path: Path) -> None:
    text, _, _ = await told(tmp_path, "run", start=EXERCISE, script=fake.ends)
    assert "The worker ended: the worker was killed by signal 9" in text


def test_every_word_does_something() -> None:
    assert all(callable(getattr(Session, f"do_{command.name}")) for command in COMMANDS)
