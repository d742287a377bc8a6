"""One file of the state: what it holds, read with suspicion, written whole or not at all."""

import contextlib
import os
from pathlib import Path

import msgspec

SCHEMA = 1


class StepState(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the learner did in one step; `guesses` and `reviews` are (predict id, choice, was it right)."""

    edit: str | None = None
    done: bool = False
    skipped: bool = False
    hints: int = 0
    guesses: tuple[tuple[str, str, bool], ...] = ()
    reviews: tuple[tuple[str, str, bool], ...] = ()
    """Answers given when a question came back."""
    updated: float = 0.0

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known but (after a reset) when it was emptied."""
        return self == StepState(updated=self.updated)


class File(msgspec.Struct):
    """What state.json holds."""

    schema: int = SCHEMA
    place: tuple[str, str] | None = None
    place_updated: float = 0.0
    settings: dict[str, str] = {}
    steps: dict[str, dict[str, StepState]] = {}


class Version(msgspec.Struct):
    """The one field that every version of the file has."""

    schema: int


class TooNewError(Exception):
    """The file was written by a newer jittutor."""


def decode(data: bytes) -> File:
    """The file's content.

    Raises:
        ValueError: it is damaged.
        TooNewError: its schema is newer than ours.
    """
    try:
        if msgspec.json.decode(data, type=Version).schema > SCHEMA:
            raise TooNewError
        return msgspec.json.decode(data, type=File)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(str(error)) from None


def write(path: Path, data: bytes) -> None:
    """Write the file whole or not at all, even when the power goes."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def sweep(folder: Path) -> None:
    """Delete the half-written files of processes that were killed."""
    with contextlib.suppress(OSError):
        for path in folder.glob(".state*.json.*"):
            pid = path.name.rpartition(".")[2]
            if pid.isdecimal() and not Path(f"/proc/{pid}").exists():
                path.unlink(missing_ok=True)
