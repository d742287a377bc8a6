"""The command line: one clear sentence for bad input, exit codes, and JSON that keeps its names."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from jittutor import __version__
from jittutor.cli import main
from jittutor.cli.common import Wishes, wishes
from jittutor.cli.main import start
from jittutor.state import FILE, State


class Said:
    """What a command line gave back."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


def say(capsys: pytest.CaptureFixture[str], *arguments: str) -> Said:
    code = start(arguments)
    captured = capsys.readouterr()
    return Said(code, captured.out, captured.err)


def test_the_version_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    said = say(capsys, "--version")
    assert (said.code, said.out) == (0, f"jittutor {__version__}\n")


def test_the_help_names_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    said = say(capsys, "--help")
    assert said.code == 0
    assert all(f"\n  {verb} " in said.out for verb in main.VERBS)


@pytest.mark.parametrize("verb", [*main.VERBS, "open"])
def test_every_verb_has_help_and_takes_the_common_options(
    capsys: pytest.CaptureFixture[str], verb: str
) -> None:
    said = say(capsys, verb, "--help")
    assert said.code == 0
    for option in ("--cpu", "--color", "--ascii", "--no-mouse", "--slow"):
        assert option in said.out


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("what-trigers-a-recompile", "did you mean `what-triggers-a-recompile`?"),
        ("open loops extra", "extra"),
        ("0", "`jittutor list` shows all"),
        ("999", "`jittutor list` shows all"),
        ("--nonsense", "--nonsense"),
        ("list --nonsense", "--nonsense"),
        ("--color pink list", "truecolor"),
        ("verify nosuch.py", "there is no file nosuch.py"),
        ("verify lops", "did you mean `loops`?"),
        ("reset lops --yes", "did you mean `loops`?"),
        ("reset", "--yes"),
        ("loops", "needs a terminal"),
        ("3 --ascii --slow", "needs a terminal"),
        ("", "needs a terminal"),
        ("run", ""),
    ],
)
def test_bad_input_gets_one_sentence_and_exit_2(
    capsys: pytest.CaptureFixture[str], line: str, words: str
) -> None:
    said = say(capsys, *line.split())
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("jittutor: ")
    assert said.err.count("\n") == 1
    assert words in said.err


def test_a_name_with_control_bytes_is_shown_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    said = say(capsys, "\x1b]0;title\x07\x1b[2Jnosuch\n")
    assert said.code == 2
    assert "\x1b" not in said.err
    assert said.err.count("\n") == 1


def test_list_shows_each_lesson_with_its_state(capsys: pytest.CaptureFixture[str]) -> None:
    state = State.open()
    state.change("device", "which-device", done=True)
    state.save()
    lessons = json.loads(say(capsys, "list", "--json").out)["lessons"]
    device = lessons[0]
    assert (device["number"], device["slug"], device["done"], device["state"]) == (1, "device", 1, "started")
    assert {lesson["state"] for lesson in lessons[1:]} == {"new"}
    assert set(device) == {"number", "chapter", "slug", "title", "steps", "done", "skipped", "state", "error"}
    text = say(capsys, "list").out
    assert all(lesson["slug"] in text for lesson in lessons)
    assert "1 of 3 done" in text


def test_a_lesson_that_cannot_be_read_is_listed_with_its_trouble(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "course.toml").write_text('[[chapter]]\ntitle = "One"\nlessons = ["good", "bad"]\n')
    (tmp_path / "good.py").write_text('"""Good\n\nIt is."""\n\n# %% Step\nprint(1)\n')
    (tmp_path / "bad.py").write_text('"""Bad"""\n\n# %% Step\nprint(\n')
    monkeypatch.setattr("jittutor.course.home", lambda: tmp_path)
    good, bad = json.loads(say(capsys, "list", "--json").out)["lessons"]
    assert (good["state"], bad["state"]) == ("new", "broken")
    assert "bad.py:4" in bad["error"]
    assert "cannot be opened" in say(capsys, "list").out
    opened = say(capsys, "bad")
    assert opened.code == 2
    assert "bad.py:4" in opened.err


def test_a_course_that_cannot_be_read_is_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("jittutor.course.home", lambda: tmp_path)
    said = say(capsys, "list")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert "course.toml" in said.err


def test_progress_counts_steps_and_guesses(capsys: pytest.CaptureFixture[str]) -> None:
    state = State.open()
    state.change("loops", "unrolled", skipped=True)
    state.change(
        "device", "which-device", done=True, hints=1, guesses=(("which-device.predict1", "a", True),)
    )
    state.go("device", "which-device")
    state.save()
    report = json.loads(say(capsys, "progress", "--json").out)
    assert (report["done"], report["guesses"], report["right"]) == (1, 1, 1)
    assert report["place"] == {"lesson": "device", "step": "which-device"}
    first = report["lessons"][0]["steps"][0]
    assert first["hints"] == 1
    assert first["guesses"] == [{"id": "which-device.predict1", "choice": "a", "right": True}]
    text = say(capsys, "progress").out
    assert "1 of " in text
    assert "1 of 1 guesses right" in text


def test_reset_of_a_lesson_keeps_a_copy_and_the_other_lessons(capsys: pytest.CaptureFixture[str]) -> None:
    state = State.open()
    state.change("device", "which-device", done=True)
    state.change("loops", "unrolled", edit="x")
    state.save()
    said = say(capsys, "reset", "1", "--yes")
    assert said.code == 0
    assert Path(said.out.split(" is in ")[1].strip()).exists()
    assert set(State.open().steps()) == {("loops", "unrolled")}


def test_a_damaged_state_is_said_on_stderr_and_the_command_goes_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    state = State.open()
    (state.folder / FILE).write_text("{")
    said = say(capsys, "list", "--json")
    assert said.code == 0
    assert "set aside" in said.err
    assert json.loads(said.out)["lessons"]


def test_ctrl_c_is_one_word(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("jittutor.cli.list.load_course", interrupt)
    said = say(capsys, "list")
    assert (said.code, said.err.strip()) == (130, "jittutor: stopped")


def test_a_mistake_in_jittutor_is_reported_in_a_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail() -> None:
        raise RuntimeError("a mistake")

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr("jittutor.cli.list.load_course", fail)
    said = say(capsys, "list")
    assert (said.code, said.err.count("\n")) == (main.TROUBLE, 1)
    report = next(tmp_path.glob("jittutor-error-*.txt"))
    assert str(report) in said.err
    assert "Traceback" in report.read_text()
    assert "a mistake" in report.read_text()


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "jittutor", "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(20) != 0
    process.stderr.close()


def test_output_goes_through_a_terminal_that_knows_only_ascii() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "jittutor", "list"],
        capture_output=True, check=True, env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert done.stdout.isascii()


def test_the_common_options_are_heard_before_and_after_the_verb(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Wishes] = []

    def listen() -> None:
        heard.append(wishes())

    monkeypatch.setattr("jittutor.cli.list.load_course", listen)
    start(["--cpu", "--color", "16", "list", "--ascii", "--slow"])
    assert (heard[0].cpu, heard[0].color, heard[0].ascii, heard[0].slow) == (True, "16", True, True)
    assert not heard[0].no_mouse


@pytest.mark.worker
def test_verify_prints_what_it_checked_and_holds(capsys: pytest.CaptureFixture[str]) -> None:
    said = say(capsys, "verify", "device", "--cpu")
    assert said.code == 0, said.out
    assert "device/which-device" in said.out
    assert "none broken" in said.out


@pytest.mark.worker
def test_verify_fails_and_names_the_promise_its_place_and_both_values(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(
        '"""Wrong\n\nA claim that does not hold."""\n\nimport jax\n\n'
        "# %% Step  traces=3\n@jax.jit\ndef f(x):\n    return x\n\nf(1.0)\n"
    )
    said = say(capsys, "verify", str(path), "--cpu")
    assert said.code == 1
    for words in ("FAIL wrong/step", "traces does not hold", f"{path}:7", "expected 3", "actual   1"):
        assert words in said.out
    findings = json.loads(say(capsys, "verify", str(path), "--cpu", "--json").out)
    assert not findings["ok"]
    broken = next(finding for finding in findings["findings"] if not finding["ok"])
    assert set(broken) == {"lesson", "step", "what", "expected", "actual", "ok", "file", "line"}


@pytest.mark.worker
def test_the_doctor_says_what_works_and_exits_0(capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(say(capsys, "doctor", "--json", "--cpu").out)
    checks = {check["name"]: check for check in report["checks"]}
    assert report["ok"]
    assert checks["jax"]["facts"]["platform"] == "cpu"
    assert {"jittutor", "wheels", "driver", "jax", "memory", "state", "environment", "terminal"} <= set(
        checks
    )


@pytest.mark.worker
def test_the_doctor_exits_1_when_jax_does_not_work(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAX_PLATFORMS", "nosuch")
    monkeypatch.setenv("JAX_COMPILATION_CACHE_DIR", "somewhere")
    monkeypatch.setenv("JAX_ENABLE_COMPILATION_CACHE", "true")
    said = say(capsys, "doctor")
    assert said.code == 1
    assert "BAD   jax" in said.out
    assert "JAX_COMPILATION_CACHE_DIR=somewhere, JAX_ENABLE_COMPILATION_CACHE=true" in said.out


@pytest.mark.worker
def test_sigint_during_verify_ends_it_with_one_line() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "jittutor", "verify", "--cpu"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout
    assert process.stdout.readline().startswith("ok")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert (process.returncode, err.strip()) == (130, "jittutor: stopped")
