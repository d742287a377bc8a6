"""Who is here: each tutor has a seat that others can see, and at most one at a time holds the GPU.

Seats are files in one folder of this machine (or container). The kernel's file locks say who lives: they
end with the process, so no seat is ever taken by the dead. The lock of the GPU is shared with the worker:
it lasts as long as anything may still hold the device.
"""

import contextlib
import fcntl
import os
import signal
import stat
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from jittutor.early import has_gpu

LOST = 180.0
"""A terminal that was silent for so many seconds is gone: the living answer every 25."""
_PATIENCE = 1.0
"""Seconds in which the last holder's processes may end."""


class Entry(msgspec.Struct, frozen=True):
    """What a tutor lets others know of itself; times are seconds since 1970."""

    pid: int
    born: int = 0
    """The kernel's tick of its start: a process number can be given to another."""
    started: float = 0.0
    active: float = 0.0
    """When it was last used to run something."""
    seen: float = 0.0
    """When its terminal last gave a sign of life."""
    answers: bool = False
    """Whether it ever answered a question, so that its silence means something."""
    nursery: int = 0
    worker: int = 0
    device: str = ""
    holds: bool = False
    """Whether it holds the device."""
    terminal: str = ""
    lives: bool = msgspec.field(default=False)
    """Filled in by who looks."""

    @property
    def idle(self) -> float:
        """Seconds since anything was run."""
        return max(0.0, time.time() - max(self.active, self.started))

    @property
    def unseen(self) -> float:
        """Seconds since its terminal last gave a sign of life."""
        return max(0.0, time.time() - max(self.seen, self.started))

    @property
    def is_left(self) -> bool:
        """Whether nobody can use it any more."""
        return not self.lives or (self.answers and self.unseen > LOST)


class Busy(Exception):  # noqa: N818 - it is said to people as it is
    """Another tutor holds the GPU; one clause."""

    def __init__(self, holder: Entry | None) -> None:
        """Name the holder, if it is known."""
        self.holder = holder
        who = f"another tutor (process {holder.pid})" if holder else "another process"
        super().__init__(
            f"{who} holds the GPU. `jittutor ps` tells more, `jittutor kill {holder.pid if holder else ''}"
            "` ends it, `jittutor --cpu` does without"
        )


def device(environ: Mapping[str, str], *, cpu: bool) -> str:
    """A name for the GPU that JAX will use here, or nothing when it will use none."""
    wanted = environ.get("JAX_PLATFORMS", "")
    if cpu or (wanted and not {"cuda", "gpu", "rocm"} & set(wanted.split(","))):
        return ""
    visible = environ.get("CUDA_VISIBLE_DEVICES", environ.get("NVIDIA_VISIBLE_DEVICES", "all"))
    if visible in ("", "-1", "none", "void") or not has_gpu():
        return ""
    return "gpu-" + "".join(c if c.isalnum() else "-" for c in visible)[:80]


def folder() -> Path | None:
    """Where seats are; None when there is no place that is ours alone."""
    try:
        path = Path(tempfile.gettempdir()) / f"jittutor-{os.getuid()}"
        path.mkdir(mode=0o700, exist_ok=True)
        found = path.lstat()
    except OSError:
        return None
    ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and os.access(path, os.W_OK)
    return path if ours else None


class Seat:
    """This tutor's own entry; without a folder nothing is told and nothing is locked."""

    def __init__(self, where: Path | None, device: str = "") -> None:
        """Sit down."""
        self._where, self._file, self._lock = where, -1, -1
        pid = os.getpid()
        terminal = next((os.ttyname(fd) for fd in (0, 2) if os.isatty(fd)), "")
        now = time.time()
        self._entry = Entry(pid, born(pid), now, now, now, device=device, terminal=terminal)
        if where is not None:
            with contextlib.suppress(OSError):
                self._file = os.open(where / f"tutor-{pid}.json", os.O_RDWR | os.O_CREAT, 0o600)
                _lock(self._file, 0.5)  # somebody may be looking right now
                self._lock = (
                    os.open(where / f"{device}.lock", os.O_RDWR | os.O_CREAT, 0o600) if device else -1
                )
            self.note()

    @property
    def lock(self) -> int:
        """The descriptor whose lock is the device, for the worker to keep; -1 when there is none."""
        return self._lock

    def note(self, **facts: object) -> None:
        """Let others know."""
        self._entry = msgspec.structs.replace(self._entry, **facts)
        if self._file >= 0:
            with contextlib.suppress(OSError):
                data = msgspec.json.encode(self._entry)
                os.pwrite(self._file, data, 0)
                os.ftruncate(self._file, len(data))

    def take(self) -> None:
        """Take the device, if there is one to take.

        Raises:
            Busy: another tutor has it.
        """
        if self._lock >= 0 and not self._entry.holds:
            if not _lock(self._lock, _PATIENCE):
                raise Busy(holder(self._where, self._entry.device))
            self.note(holds=True)

    def release(self) -> None:
        """Give the device to others."""
        if self._lock >= 0 and self._entry.holds:
            self.note(holds=False, worker=0)
            fcntl.flock(self._lock, fcntl.LOCK_UN)

    def close(self) -> None:
        """Stand up."""
        for fd in (self._lock, self._file):
            if fd >= 0:
                os.close(fd)
        if self._file >= 0 and self._where is not None:
            with contextlib.suppress(OSError):
                (self._where / f"tutor-{self._entry.pid}.json").unlink()
        self._file = self._lock = -1


def _lock(fd: int, patience: float) -> bool:
    """Whether the lock could be had in time."""
    until = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                return False
            time.sleep(0.02)
        else:
            return True


# ---------------------------------------------------------------- who looks


def entries(where: Path | None) -> Iterator[Entry]:
    """All seats, oldest first; those of the dead only while something of them is left."""
    found = [_read(path) for path in where.glob("tutor-*.json")] if where else []
    yield from sorted((one for one in found if one is not None), key=lambda one: one.started)


def holder(where: Path | None, device: str) -> Entry | None:
    """The one that holds this device."""
    return next((one for one in entries(where) if one.device == device and one.holds), None)


def _read(path: Path) -> Entry | None:
    with contextlib.suppress(OSError, msgspec.DecodeError), path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            lives = True
        else:
            lives = False
        entry = msgspec.json.decode(file.read(), type=Entry)
        if lives or any(born(pid) for pid in (entry.nursery, entry.worker) if pid):
            return msgspec.structs.replace(entry, lives=lives)
        path.unlink()
    return None


def born(pid: int) -> int:
    """The tick at which a process started; 0 when there is none."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    fields = text.rpartition(")")[2].split()
    return 0 if fields[0] in "ZX" else int(fields[19])


def describe(entry: Entry) -> str:
    """One line for people."""
    where = f" on {entry.terminal}" if entry.terminal else ""
    used = f"last run {ago(entry.idle)} ago" if entry.active > entry.started else "nothing run yet"
    silent = f", its terminal silent for {ago(entry.unseen)}" if entry.answers and entry.unseen > LOST else ""
    if not entry.lives:
        return f"process {entry.pid}{where} has ended, but its worker is left"
    return f"process {entry.pid}{where}, open for {ago(time.time() - entry.started)}, {used}{silent}"


def ago(seconds: float) -> str:
    """A length of time in one number."""
    for size, word in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {word}"
    return f"{max(0.0, seconds):.0f} s"


def end(entry: Entry, patience: float = 4.0) -> bool:
    """End a tutor and its worker, gently first; whether nothing of it is left."""
    tutor, rest = {entry.pid: entry.born}, {pid: born(pid) for pid in (entry.nursery, entry.worker) if pid}
    _signal(tutor, signal.SIGTERM)
    if not _gone(tutor, patience):
        _signal(tutor, signal.SIGKILL)
    if not _gone(rest, 1.0):
        # The worker first: what it started, the nursery sweeps up.
        _signal({pid: rest[pid] for pid in rest if pid == entry.worker}, signal.SIGKILL)
        if not _gone(rest, 1.0):
            _signal(rest, signal.SIGKILL)
    return _gone(tutor | rest, patience)


def _signal(processes: Mapping[int, int], number: signal.Signals) -> None:
    for pid, tick in processes.items():
        if tick and born(pid) == tick:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)


def _gone(processes: Mapping[int, int], patience: float) -> bool:
    until = time.monotonic() + patience
    while any(tick and born(pid) == tick for pid, tick in processes.items()):
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True
