"""Tutors see each other, one at a time holds the GPU, and what is left behind can be found and ended."""

import asyncio
import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from jittutor import lease
from jittutor.event import Done, Ended, Run
from jittutor.lease import Busy, Entry, Seat, entries
from jittutor.link import Link

SITS = """
import sys, time
from pathlib import Path
from jittutor.lease import Seat
seat = Seat(Path(sys.argv[1]), "gpu-all")
seat.take()
print("sits", flush=True)
time.sleep(600)
"""


@pytest.fixture
def other(tmp_path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Another tutor, which holds the GPU."""
    process = subprocess.Popen([sys.executable, "-c", SITS, str(tmp_path)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"sits\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def test_a_second_tutor_is_told_who_holds_the_gpu(
    tmp_path: Path, other: "subprocess.Popen[bytes]", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "_PATIENCE", 0.1)
    seat = Seat(tmp_path, "gpu-all")
    with pytest.raises(Busy, match=rf"process {other.pid}\) holds the GPU.*jittutor kill {other.pid}.*--cpu"):
        seat.take()
    assert lease.holder(tmp_path, "gpu-all") == next(e for e in entries(tmp_path) if e.pid == other.pid)
    seat.close()


def test_the_gpu_is_free_when_its_holder_is_killed(tmp_path: Path, other: "subprocess.Popen[bytes]") -> None:
    os.kill(other.pid, signal.SIGKILL)
    other.wait()
    seat = Seat(tmp_path, "gpu-all")
    seat.take()
    assert [entry.pid for entry in entries(tmp_path)] == [os.getpid()]
    seat.close()


def test_a_tutor_can_be_ended_by_another(tmp_path: Path, other: "subprocess.Popen[bytes]") -> None:
    holder = lease.holder(tmp_path, "gpu-all")
    assert holder is not None
    assert lease.end(holder)
    assert other.wait(5) == -signal.SIGTERM


def test_a_tutor_that_does_not_listen_is_ended_all_the_same(
    tmp_path: Path, other: "subprocess.Popen[bytes]"
) -> None:
    os.kill(other.pid, signal.SIGSTOP)
    holder = lease.holder(tmp_path, "gpu-all")
    assert holder is not None
    assert lease.end(holder, patience=0.2)
    assert other.wait(5) in (-signal.SIGKILL, -signal.SIGTERM)  # the kernel may end a stopped one at once


def test_the_gpu_given_back_can_be_taken_and_taken_again(tmp_path: Path) -> None:
    seat = Seat(tmp_path, "gpu-0")
    for _ in range(2):
        seat.take()
        seat.take()
        assert [entry.holds for entry in entries(tmp_path)] == [True]
        seat.release()
        assert [entry.holds for entry in entries(tmp_path)] == [False]
    seat.close()
    assert not list(entries(tmp_path))


def test_a_process_with_the_number_of_one_that_ended_is_never_signalled(tmp_path: Path) -> None:
    mine = Entry(os.getpid(), born=1, lives=True)
    assert lease.end(mine)  # it is not the process that was meant


def test_a_seat_without_a_folder_tells_nothing_and_locks_nothing() -> None:
    seat = Seat(None, "gpu-all")
    seat.take()
    seat.note(active=time.time())
    seat.release()
    seat.close()
    assert list(entries(None)) == []


def test_a_torn_or_foreign_entry_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "tutor-1.json").write_bytes(b'{"pid": 1, "bor')
    (tmp_path / "tutor-2.json").write_bytes(b"")
    assert list(entries(tmp_path)) == []


def test_a_dead_tutor_whose_worker_lives_is_left_behind(tmp_path: Path) -> None:
    dead = Entry(2**22 - 3, worker=os.getpid(), started=time.time())
    (tmp_path / "tutor-9.json").write_bytes(msgspec.json.encode(dead))
    found = next(entries(tmp_path))
    assert found.is_left
    assert "its worker is left" in lease.describe(found)


def test_a_clock_that_was_set_back_makes_no_negative_times() -> None:
    entry = Entry(1, started=time.time() + 9999, lives=True)
    assert entry.idle == entry.unseen == 0.0
    assert "-" not in lease.describe(entry)


def test_a_silent_terminal_counts_only_if_it_ever_answered() -> None:
    long_ago = time.time() - 5000
    assert Entry(1, started=long_ago, answers=True, lives=True).is_left
    assert not Entry(1, started=long_ago, answers=False, lives=True).is_left


@pytest.mark.parametrize(
    ("environ", "cpu"),
    [({}, True), ({"JAX_PLATFORMS": "cpu"}, False), ({"CUDA_VISIBLE_DEVICES": ""}, False),
     ({"NVIDIA_VISIBLE_DEVICES": "void"}, False)],
)  # fmt: skip
def test_who_uses_no_gpu_needs_no_lease(environ: dict[str, str], cpu: bool) -> None:
    assert lease.device(environ, cpu=cpu) == ""


# ---------------------------------------------------------------- a worker that is cut


def is_free(lock: Path) -> bool:
    """Whether somebody else could take the device now."""
    with lock.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


@pytest.mark.worker
async def test_who_does_not_answer_gives_the_gpu_back_with_the_worker_and_takes_it_for_the_next_run(
    tmp_path: Path,
) -> None:
    link, lock = Link(cpu=True, seat=Seat(tmp_path, "gpu-all")), tmp_path / "gpu-all.lock"
    events = link.events()

    async def run(number: int) -> None:
        link.send(Run(number, "print(1)"))
        async for event in events:
            if isinstance(event, Done) and event.run == number:
                return

    try:
        await run(1)
        assert not is_free(lock)
        await asyncio.to_thread(link.cut, "this terminal does not answer any more")
        assert is_free(lock)
        async for event in events:
            if isinstance(event, Ended):
                break
        await run(2)
        assert not is_free(lock)
    finally:
        await link.close()


# ---------------------------------------------------------------- the commands without a screen

GPU = """

from jittutor import lease
from jittutor.__main__ import main
lease.device = lambda environ, *, cpu: "" if cpu else "gpu-all"
main()
"""


@pytest.fixture
def busy(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of commands that find the GPU held by another tutor."""
    where = tmp_path / f"jittutor-{os.getuid()}"
    where.mkdir(mode=0o700)
    process = subprocess.Popen([sys.executable, "-c", SITS, str(where)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"sits\n"
    yield {**os.environ, "TMPDIR": str(tmp_path), "HOLDER": str(process.pid)}
    process.kill()
    process.wait()
    process.stdout.close()


def command(environ: dict[str, str], *arguments: str, stderr: int) -> "subprocess.CompletedProcess[bytes]":
    """A command of jittutor as on a machine with a GPU."""
    return subprocess.run(
        [sys.executable, "-c", GPU, *arguments],
        env=environ,
        stdout=subprocess.PIPE,
        stderr=stderr,
        check=False,
    )


def test_verify_does_not_take_the_gpu_from_a_tutor_that_holds_it(busy: dict[str, str]) -> None:
    ran = command(busy, "verify", "device", stderr=subprocess.PIPE)
    assert ran.returncode == 2
    assert f"another tutor (process {busy['HOLDER']}) holds the GPU." in ran.stderr.decode()
    assert "`jittutor --cpu` does without" in ran.stderr.decode()


def test_run_tells_people_who_holds_the_gpu_and_runs_all_the_same(
    busy: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "script.py").write_text("print(1)\n")
    reader, writer = os.openpty()
    ran = command(busy, "run", str(tmp_path / "script.py"), stderr=writer)
    os.close(writer)
    told = os.read(reader, 10_000).decode()
    os.close(reader)
    assert ran.stdout.startswith(b"1\n")
    assert f"jittutor: another tutor (process {busy['HOLDER']}) holds the GPU." in told
    silent = command(busy, "run", str(tmp_path / "script.py"), stderr=subprocess.PIPE)
    assert silent.stderr == b""
