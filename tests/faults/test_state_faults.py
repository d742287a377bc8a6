"""The learner's work on a bad disk: full at any byte, read-only, torn anywhere, from other versions."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from jittutor.state import BACKUP, FILE, State

pytestmark = pytest.mark.faults

# A disk that is full after so many bytes, as the kernel says it: no write goes beyond the limit.
FULL = """
import resource, signal, sys
from pathlib import Path
from jittutor.state import State
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
folder, hard = Path(sys.argv[1]), resource.getrlimit(resource.RLIMIT_FSIZE)[1]
old = (folder / "state.json").read_bytes()
for size in range(0, len(old) + 40):
    state = State.open(folder)
    state.change("one", "first", edit="new work")
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    state.save()
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    now = (folder / "state.json").read_bytes()
    if now == old:
        assert "could not be saved" in (state.notice or ""), (size, state.notice)
        assert state.step("one", "first").edit == "new work"
        state.save()  # there is room again
    assert State.open(folder).step("one", "first").edit == "new work", size
    (folder / "state.json").write_bytes(old)
left = sorted(path.name for path in folder.iterdir())
assert left == ["state.backup.json", "state.json", "state.lock"], left
print("ok")
"""


def prepared(folder: Path) -> State:
    """A state that was saved twice."""
    state = State.open(folder)
    state.go("one", "first")
    state.change("one", "first", edit="old work", done=True)
    state.save()
    state.change("two", "second", hints=1)
    state.save()
    return state


def test_a_disk_that_is_full_at_any_byte_loses_nothing(tmp_path: Path) -> None:
    prepared(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.stdout == "ok\n", done.stderr


def test_a_file_torn_at_any_byte_is_set_aside_and_the_backup_is_used(tmp_path: Path) -> None:
    prepared(tmp_path)
    whole, backup = (tmp_path / FILE).read_bytes(), (tmp_path / BACKUP).read_bytes()
    for size in range(len(whole)):
        folder = tmp_path / str(size)
        folder.mkdir()
        (folder / FILE).write_bytes(whole[:size])
        (folder / BACKUP).write_bytes(backup)
        state = State.open(folder)
        assert state.step("one", "first").edit == "old work", size
        assert state.notice is not None
        assert "damaged" in state.notice
        assert (folder / "state.damaged-1.json").read_bytes() == whole[:size]


def test_a_file_with_any_byte_changed_never_stops_the_tutor(tmp_path: Path) -> None:
    prepared(tmp_path)
    whole = (tmp_path / FILE).read_bytes()
    for place in range(0, len(whole), 3):
        (tmp_path / FILE).write_bytes(whole[:place] + b"\xff" + whole[place + 1 :])
        state = State.open(tmp_path)
        state.change("one", "first", edit="more")
        state.save()
        assert State.open(tmp_path).step("one", "first").edit == "more"


def test_a_newer_version_s_file_is_kept_aside(tmp_path: Path) -> None:
    prepared(tmp_path)
    newer = msgspec.json.encode({"schema": 99, "steps": "something else"})
    (tmp_path / FILE).write_bytes(newer)
    state = State.open(tmp_path)
    assert "newer jittutor" in (state.notice or "")
    state.change("one", "first", edit="x")
    state.save()
    assert (tmp_path / "state.newer-1.json").read_bytes() == newer


def test_a_file_of_an_older_version_without_later_fields_is_read(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b'{"schema": 1, "steps": {"one": {"first": {"edit": "old"}}}}')
    state = State.open(tmp_path)
    state.change("one", "second", done=True)
    state.save()
    assert State.open(tmp_path).step("one", "first").edit == "old"


@pytest.mark.parametrize("kind", ["a file", "a dead link", "nothing that can be made"])
def test_a_folder_that_cannot_be_used_is_told_and_the_tutor_works(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "state"
    if kind == "a file":
        folder.write_text("not a folder")
    elif kind == "a dead link":
        folder.symlink_to(tmp_path / "nowhere" / "at all")
    else:
        folder = Path("/proc/nothing/state")
    state = State.open(folder)
    assert "JITTUTOR_STATE" in (state.notice or "")
    state.change("one", "first", edit="kept in memory")
    state.save()
    assert state.step("one", "first").edit == "kept in memory"


def test_of_two_tutors_the_newest_wins_step_by_step_even_if_a_clock_was_set_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared(tmp_path)
    one, two = State.open(tmp_path), State.open(tmp_path)
    one.change("one", "first", edit="of one")
    one.save()
    monkeypatch.setattr("time.time", lambda: 1000.0)  # long before
    again = State.open(tmp_path)
    again.change("one", "first", edit="later, by a clock that was set back")
    again.save()
    two.change("two", "second", hints=3)
    two.save()
    found = State.open(tmp_path)
    assert found.step("one", "first").edit == "later, by a clock that was set back"
    assert found.step("two", "second").hints == 3


def test_steps_that_a_lesson_no_longer_has_are_kept(tmp_path: Path) -> None:
    state = prepared(tmp_path)
    state.change("gone-lesson", "gone-step", edit="keep me")
    state.save()
    for _ in range(3):
        other = State.open(tmp_path)
        other.change("one", "first", hints=1)
        other.save()
    assert State.open(tmp_path).step("gone-lesson", "gone-step").edit == "keep me"


def test_temporary_files_of_killed_tutors_do_not_pile_up(tmp_path: Path) -> None:
    prepared(tmp_path)
    for pid in (2**22 - 5, 2**22 - 6):
        (tmp_path / f".{FILE}.{pid}").write_bytes(b"half a fi")
    mine = tmp_path / f".{FILE}.{os.getppid()}"
    mine.write_bytes(b"being written by another tutor")
    State.open(tmp_path)
    assert [path.name for path in tmp_path.glob(f".{FILE}.*")] == [mine.name]


def test_a_reset_can_be_undone(tmp_path: Path) -> None:
    state = prepared(tmp_path)
    state.reset(None)
    assert State.open(tmp_path).step("one", "first").edit is None
    assert State.open(tmp_path).undo_reset()
    back = State.open(tmp_path)
    assert back.step("one", "first").edit == "old work"
    assert back.step("one", "first").done
    assert back.place == ("one", "first")


def test_undoing_a_reset_keeps_what_was_done_since(tmp_path: Path) -> None:
    state = prepared(tmp_path)
    state.reset("one")
    state.change("two", "third", edit="since")
    state.save()
    assert state.undo_reset()
    found = State.open(tmp_path)
    assert found.step("two", "third").edit == "since"
    assert found.step("one", "first").edit == "old work"


def test_without_a_reset_there_is_nothing_to_undo(tmp_path: Path) -> None:
    assert prepared(tmp_path).undo_reset() is False
