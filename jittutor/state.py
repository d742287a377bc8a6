"""What the learner did, on disk: written whole or not at all, and merged with what other tutors wrote."""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Self

import msgspec

from jittutor.statefile import SCHEMA, File, TooNewError, decode, sweep, write
from jittutor.statefile import StepState as StepState  # noqa: PLC0414 - it belongs to what others see here

FILE, BACKUP, LOCK = "state.json", "state.backup.json", "state.lock"
_COPY = "state.before-reset-"
_LOCK_TRIES, _LOCK_PAUSE = 20, 0.01


def home() -> Path:
    """The folder for the state: JITTUTOR_STATE, else the platform's own place for such files."""
    if wish := os.environ.get("JITTUTOR_STATE"):
        return Path(wish).expanduser()
    from platformdirs import user_state_path  # noqa: PLC0415 - not needed when the variable is set

    return user_state_path("jittutor")


class State:
    """The state in memory and its folder; `notice` is a sentence for the learner, or None."""

    def __init__(self, folder: Path) -> None:
        """Start empty; `open` is the way to get a state with what is on disk."""
        self.folder = folder
        self.notice: str | None = None
        self.place: tuple[str, str] | None = None
        self.settings: dict[str, str] = {}
        self.in_memory = False
        self._place_updated = 0.0
        self._settings_on_disk: dict[str, str] = {}
        self._steps: dict[tuple[str, str], StepState] = {}
        self._said = False

    @classmethod
    def open(cls, folder: Path | None = None) -> Self:
        """The state in this folder; never raises, trouble is told in `notice`."""
        state = cls(folder or home())
        try:
            state.folder.mkdir(parents=True, exist_ok=True)
            with state._locked():
                sweep(state.folder)
        except OSError as error:
            state._keep_in_memory(error)
        state._take(state._read() or File())
        return state

    def step(self, slug: str, step_id: str) -> StepState:
        """What is known of one step; a fresh StepState when nothing is."""
        return self._steps.get((slug, step_id), StepState())

    def steps(self) -> Mapping[tuple[str, str], StepState]:
        """All steps in which something was done."""
        return {place: step for place, step in self._steps.items() if not step.is_empty}

    def change(self, slug: str, step_id: str, **changes: object) -> None:
        """Replace fields of one step; on disk only after `save`."""
        if isinstance(edit := changes.get("edit"), str):
            # A paste can hold half a surrogate pair, which no file can.
            changes["edit"] = edit.encode("utf-8", "replace").decode()
        old = self.step(slug, step_id)
        changes["updated"] = _later(old.updated)
        self._steps[slug, step_id] = msgspec.structs.replace(old, **changes)

    def go(self, slug: str, step_id: str) -> None:
        """Remember where the learner is."""
        self.place, self._place_updated = (slug, step_id), _later(self._place_updated)

    def save(self) -> None:
        """Write everything, merged with what another tutor wrote meanwhile; never raises."""
        if self.in_memory:
            return
        try:
            with self._locked():
                self._merge_and_write()
        except (OSError, ValueError) as error:
            self._say(
                f"Your work could not be saved in {self.folder}: {_short(error)}. It is kept in memory."
            )
        else:
            self._said = False

    def reset(self, slug: str | None) -> Path:
        """Start one lesson over (or all, with None); the path of a copy of the state from before.

        Raises:
            OSError: the copy could not be written; then nothing was changed.
        """
        with self._locked():
            on_disk = self._read()
            if on_disk:
                self._take_steps(on_disk)
            copy = self._free("before-reset")
            write(copy, msgspec.json.encode(self._file(on_disk)))
            for place, step in list(self._steps.items()):
                if slug in (None, place[0]):
                    # An emptied step with a date: another tutor must not bring the old one back.
                    self._steps[place] = StepState(updated=_later(step.updated))
            if self.place and slug in (None, self.place[0]):
                self.place, self._place_updated = None, _later(self._place_updated)
            self._merge_and_write()
        return copy

    def undo_reset(self) -> bool:
        """Bring back what the last reset emptied, except where work was done since; False without a reset.

        Raises:
            OSError: the state cannot be written.
        """
        numbers = [
            int(n)
            for path in self.folder.glob(f"{_COPY}*.json")
            if (n := path.stem[len(_COPY) :]).isdecimal()
        ]
        if not numbers:
            return False
        copy = self.folder / f"{_COPY}{max(numbers)}.json"
        with self._locked():
            if on_disk := self._read():
                self._take_steps(on_disk)
            before = decode(copy.read_bytes())
            for slug, steps in before.steps.items():
                for name, old in steps.items():
                    now = self.step(slug, name)
                    if now.is_empty:
                        self._steps[slug, name] = msgspec.structs.replace(old, updated=_later(now.updated))
            if self.place is None and before.place is not None:
                self.go(*before.place)
            self._merge_and_write()
            copy.rename(self._free("undone"))
        return True

    # ------------------------------------------------------------ reading

    def _read(self) -> File | None:
        """What is on disk; a file that cannot be used is set aside, and the backup is taken."""
        path = self.folder / FILE
        try:
            return decode(path.read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            return None
        except TooNewError:
            self._set_aside(path, "newer", "was written by a newer jittutor")
        except ValueError:
            self._set_aside(path, "damaged", "is damaged")
        except OSError as error:
            self._keep_in_memory(error)
        try:
            backup = decode((self.folder / BACKUP).read_bytes())
        except (OSError, ValueError, TooNewError):
            return None
        self._say(f"{self.notice or ''} The backup from the save before it is used.".strip(), again=True)
        return backup

    def _set_aside(self, path: Path, why: str, words: str) -> None:
        try:
            aside = self._free(why)
            path.rename(aside)
        except OSError as error:
            self._keep_in_memory(error)
        else:
            self._say(f"The state file {words}; it was set aside as {aside.name}.", again=True)

    def _free(self, why: str) -> Path:
        """A name in the folder that is not taken: state.damaged-1.json, then -2 and so on."""
        n = 1
        while (path := self.folder / f"state.{why}-{n}.json").exists():
            n += 1
        return path

    def _take(self, file: File) -> None:
        self.place, self._place_updated = file.place, file.place_updated
        self.settings, self._settings_on_disk = dict(file.settings), dict(file.settings)
        self._take_steps(file)

    def _take_steps(self, file: File) -> None:
        for slug, steps in file.steps.items():
            for step_id, theirs in steps.items():
                ours = self._steps.get((slug, step_id))
                if ours is None or theirs.updated > ours.updated:
                    self._steps[slug, step_id] = theirs

    # ------------------------------------------------------------ writing

    def _merge_and_write(self) -> None:
        on_disk = self._read()
        if self.in_memory:
            return
        if on_disk:
            self._take_steps(on_disk)
        file = self._file(on_disk)
        if on_disk == file and (self.folder / FILE).exists():
            return
        data = msgspec.json.encode(file)
        if on_disk:
            write(self.folder / BACKUP, msgspec.json.encode(on_disk))
        write(self.folder / FILE, data)
        self.settings = dict(file.settings)
        self._settings_on_disk = dict(file.settings)

    def _file(self, on_disk: File | None) -> File:
        """Ours and theirs in one: the newer place, the newer steps, of the settings those we changed."""
        steps: dict[str, dict[str, StepState]] = {}
        for (slug, step_id), step in sorted(self._steps.items()):
            steps.setdefault(slug, {})[step_id] = step
        settings, base = self.settings, self._settings_on_disk
        place, when = self.place, self._place_updated
        if on_disk:
            changed = {name: value for name, value in settings.items() if base.get(name) != value}
            dropped = base.keys() - settings.keys()
            settings = {n: v for n, v in on_disk.settings.items() if n not in dropped} | changed
            if on_disk.place_updated > when:
                place, when = on_disk.place, on_disk.place_updated
        return File(SCHEMA, place, when, settings, steps)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Alone in the folder, if that can be had soon: a stopped tutor must not hold up this one."""
        with (self.folder / LOCK).open("a") as lock:
            for _ in range(_LOCK_TRIES):
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    time.sleep(_LOCK_PAUSE)
                except OSError:  # some network file systems know no locks
                    break
            yield

    def _keep_in_memory(self, error: Exception) -> None:
        self.in_memory = True
        self._say(
            f"The state folder {self.folder} cannot be used ({_short(error)}): "
            "the tutor works, but forgets your work when it ends. Set JITTUTOR_STATE to another folder."
        )

    def _say(self, sentence: str, *, again: bool = False) -> None:
        """Set the notice; the same trouble is told once until a save works again."""
        if again or not self._said:
            self.notice = sentence
        self._said = self._said or not again


def _later(than: float) -> float:
    """Now, but always after `than`: clocks are set back, and the newest must win a merge."""
    return max(time.time(), than + 1e-3)


def _short(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
