"""What the learner did survives: torn files, two tutors, a folder that cannot be written, a full disk."""

import errno
import json
import os
from pathlib import Path

import pytest

from jittutor.state import BACKUP, FILE, State, StepState


def saved(folder: Path) -> State:
    state = State.open(folder)
    state.change("jit", "twice", edit="x = 1\n", guesses=(("twice.predict1", "2", True),))
    state.change("jit", "shapes", done=True, hints=2)
    state.go("jit", "shapes")
    state.settings["theme"] = "ansi"
    state.save()
    return state


def test_a_new_folder_gives_an_empty_state_without_a_notice(tmp_path: Path) -> None:
    state = State.open(tmp_path / "new" / "folder")
    assert (state.notice, state.place, state.settings, state.steps()) == (None, None, {}, {})
    assert state.step("any", "step") == StepState()


def test_what_was_saved_is_there_at_the_next_start(tmp_path: Path) -> None:
    before = saved(tmp_path)
    after = State.open(tmp_path)
    assert after.notice is None
    assert after.place == ("jit", "shapes")
    assert after.settings == {"theme": "ansi"}
    assert after.steps() == before.steps()
    assert after.step("jit", "twice").guesses == (("twice.predict1", "2", True),)


def test_without_a_folder_the_variable_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JITTUTOR_STATE", str(tmp_path / "named"))
    saved(State.open().folder)
    assert (tmp_path / "named" / FILE).exists()


def test_a_file_torn_at_any_byte_is_set_aside_and_the_backup_is_used(tmp_path: Path) -> None:
    first = saved(tmp_path)
    backup = (tmp_path / FILE).read_bytes()
    first.change("jit", "twice", edit="x = 2\n")
    first.save()
    whole = (tmp_path / FILE).read_bytes()
    for at in range(len(whole)):
        folder = tmp_path / str(at)
        folder.mkdir()
        (folder / FILE).write_bytes(whole[:at])
        (folder / BACKUP).write_bytes(backup)
        state = State.open(folder)
        assert "state.damaged-1.json" in (state.notice or "")
        assert (folder / "state.damaged-1.json").read_bytes() == whole[:at]
        assert state.step("jit", "twice").edit == "x = 1\n"
        state.save()
        assert State.open(folder).place == ("jit", "shapes")


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", '{"schema": "one"}', '{"schema": 1, "steps": []}', "\xff", "[" * 10_000],
)
def test_a_file_that_is_something_else_never_stops_the_start(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="latin-1")
    state = State.open(tmp_path)
    assert "set aside" in (state.notice or "")
    assert state.steps() == {}
    assert (tmp_path / "state.damaged-1.json").exists()


def test_damaged_files_are_all_kept(tmp_path: Path) -> None:
    for _ in range(3):
        (tmp_path / FILE).write_text("{")
        State.open(tmp_path)
    assert len(list(tmp_path.glob("state.damaged-*.json"))) == 3


def test_a_newer_schema_is_set_aside_and_not_overwritten(tmp_path: Path) -> None:
    text = json.dumps({"schema": 2, "lessons": ["something new"]})
    (tmp_path / FILE).write_text(text)
    state = State.open(tmp_path)
    state.change("jit", "twice", done=True)
    state.save()
    assert "newer jittutor" in (state.notice or "")
    assert (tmp_path / "state.newer-1.json").read_text() == text
    assert State.open(tmp_path).step("jit", "twice").done


def test_two_tutors_on_one_folder_lose_nothing(tmp_path: Path) -> None:
    one, two = saved(tmp_path), State.open(tmp_path)
    one.change("jit", "twice", edit="one")
    two.change("jit", "shapes", edit="two")
    two.change("grad", "first", done=True)
    one.settings["slow"] = "yes"
    two.settings["theme"] = "dark"
    one.save()
    two.save()
    one.save()
    after = State.open(tmp_path)
    assert (after.step("jit", "twice").edit, after.step("jit", "shapes").edit) == ("one", "two")
    assert after.step("grad", "first").done
    assert after.settings == {"theme": "dark", "slow": "yes"}


def test_of_two_edits_of_one_step_the_newest_wins_whoever_saves_last(tmp_path: Path) -> None:
    one, two = State.open(tmp_path), State.open(tmp_path)
    one.change("jit", "twice", edit="older")
    two.change("jit", "twice", edit="newer")
    two.save()
    one.save()
    assert State.open(tmp_path).step("jit", "twice").edit == "newer"


def test_a_change_is_newer_than_what_it_changes_even_when_the_clock_is_set_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = saved(tmp_path)
    monkeypatch.setattr("jittutor.state.time.time", lambda: 0.0)
    one.change("jit", "twice", edit="after the clock was set back")
    one.save()
    assert State.open(tmp_path).step("jit", "twice").edit == "after the clock was set back"


def test_a_folder_that_cannot_be_made_is_said_once_and_the_state_works(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    state = State.open(tmp_path / "file" / "folder")
    assert "cannot be used" in (state.notice or "")
    assert "JITTUTOR_STATE" in (state.notice or "")
    state.notice = None
    state.change("jit", "twice", edit="kept")
    state.go("jit", "twice")
    state.save()
    assert state.notice is None
    assert state.step("jit", "twice").edit == "kept"


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_still_read(tmp_path: Path) -> None:
    saved(tmp_path)
    tmp_path.chmod(0o555)
    state = State.open(tmp_path)
    tmp_path.chmod(0o755)
    assert state.in_memory
    assert state.step("jit", "shapes").done


def _full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("jittutor.state.os.fsync", fail)


def test_a_full_disk_is_said_once_and_leaves_the_old_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = saved(tmp_path)
    old = (tmp_path / FILE).read_bytes()
    with monkeypatch.context() as patch:
        _full_disk(patch)
        state.change("jit", "twice", edit="new")
        state.save()
        assert "No space left" in (state.notice or "")
        state.notice = None
        state.save()
        assert state.notice is None
        assert (tmp_path / FILE).read_bytes() == old
        assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []
    state.save()
    assert State.open(tmp_path).step("jit", "twice").edit == "new"


def test_a_full_disk_stops_a_reset_before_anything_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = saved(tmp_path)
    _full_disk(monkeypatch)
    with pytest.raises(OSError, match="No space left"):
        state.reset(None)
    assert state.step("jit", "shapes").done


def test_reset_of_one_lesson_keeps_the_others_and_a_copy(tmp_path: Path) -> None:
    state = saved(tmp_path)
    state.change("grad", "first", done=True)
    copy = state.reset("jit")
    assert set(state.steps()) == {("grad", "first")}
    assert state.place is None
    after = State.open(tmp_path)
    assert set(after.steps()) == {("grad", "first")}
    assert set(json.loads(copy.read_text())["steps"]["jit"]) == {"twice", "shapes"}


def test_what_was_reset_is_not_brought_back_by_another_tutor(tmp_path: Path) -> None:
    one, two = saved(tmp_path), State.open(tmp_path)
    one.reset(None)
    two.change("grad", "first", done=True)
    two.save()
    assert set(State.open(tmp_path).steps()) == {("grad", "first")}


def test_half_a_surrogate_pair_in_a_paste_can_be_saved(tmp_path: Path) -> None:
    state = State.open(tmp_path)
    state.change("jit", "twice", edit="x = '\udc80'")
    state.save()
    assert State.open(tmp_path).step("jit", "twice").edit == "x = '?'"


def test_a_stopped_tutor_that_holds_the_lock_does_not_hold_up_this_one(tmp_path: Path) -> None:
    state = saved(tmp_path)
    with State.open(tmp_path)._locked():
        state.change("jit", "twice", edit="despite the lock")
        state.save()
    assert State.open(tmp_path).step("jit", "twice").edit == "despite the lock"
