"""Runs a script in a process of its own, passes signals on, and folds what is said of it into a Record."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import msgspec

from jittutor import wire
from jittutor.event import Done, Event, Outcome
from jittutor.heartbeat import Heartbeat
from jittutor.record import Record
from jittutor.transcript import Transcript

FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)


class NotRunnable(Exception):  # noqa: N818 - it is said to people as it is
    """The file cannot be run; one sentence."""


def check(file: str) -> None:
    """See that there is a script to run.

    Raises:
        NotRunnable: there is none.
    """
    path = Path(file)
    if not path.exists():
        raise NotRunnable(f"there is no file {file}")
    if path.is_dir():
        raise NotRunnable(f"{file} is a folder; name the script to run in it")
    try:
        source = path.read_bytes()
    except OSError as error:
        raise NotRunnable(f"{file} cannot be read: {error.strerror}") from None
    try:
        compile(source, file, "exec", dont_inherit=True)
    except SyntaxError as error:
        where = f"{file}:{error.lineno}" if error.lineno else file
        raise NotRunnable(f"{where}: not valid Python: {error.msg}") from None
    except ValueError as error:
        raise NotRunnable(f"{file}: not valid Python: {error}") from None


def run_script(file: str, arguments: list[str], *, cpu: bool, captured: bool) -> tuple[Record, int]:
    """Run a script and watch it; returns what happened and the exit code as a shell would give it.

    Args:
        file: the script.
        arguments: what it finds in sys.argv[1:].
        cpu: keep JAX on the CPU.
        captured: its stdout is kept for the record instead of passed through.

    Raises:
        NotRunnable: there is nothing to run.
    """
    check(file)
    reader, writer = os.pipe()
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"} if cpu else dict(os.environ)
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, FORWARDED)
    child = subprocess.Popen(
        [sys.executable, file, *arguments],
        pass_fds=(writer,),
        stdout=subprocess.PIPE if captured else None,
        stderr=subprocess.PIPE if captured else None,
        env=_watched(environment, writer, file, spying=captured),
    )
    os.close(writer)
    threading.Thread(target=_forward, args=(child,), daemon=True).start()
    transcript = Transcript()
    readers = [
        _reading(child.stdout, transcript.stdout.add, None),
        _reading(child.stderr, transcript.stderr.add, sys.stderr.fileno()),
    ]
    with Heartbeat(silent=captured) as heart:
        record = _fold(_events(reader), transcript, heart, keep=captured)
    for thread in readers:
        if thread is not None:
            thread.join()
    code = child.wait()
    signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    return _ended(record, transcript, code, captured=captured), code if code >= 0 else 128 - code


def _watched(environment: dict[str, str], writer: int, file: str, *, spying: bool) -> dict[str, str]:
    """The environment in which Python runs start/sitecustomize.py first, which takes both out again."""
    start = str(Path(__file__).parent / "worker" / "start")
    path = os.pathsep.join([start, *filter(None, [environment.get("PYTHONPATH")])])
    settings = json.dumps([writer, spying, file])
    return {**environment, "PYTHONPATH": path, "JITTUTOR_SCRIPT": settings}


def _events(reader: int) -> Iterator[Event]:
    """What the script's process says, until it ends."""
    with os.fdopen(reader, "rb") as pipe:
        for line in pipe:
            try:
                yield wire.decode_event(line)
            except msgspec.DecodeError:
                continue  # cut off by a crash


def _fold(events: Iterator[Event], transcript: Transcript, heart: Heartbeat, *, keep: bool) -> Record:
    record = Record(run=1)
    for event in events:
        if keep and transcript.hears(event):
            continue
        record = record.after(event)
        heart.compiled = len(record.compiled)
    return record


def _ended(record: Record, transcript: Transcript, code: int, *, captured: bool) -> Record:
    """The record with the true end: what the process's exit status says counts."""
    done = record.done or Done(1, "exit" if code >= 0 else "crashed", 0.0)
    outcome: Outcome = done.outcome
    if code == -signal.SIGINT:
        outcome = "interrupted"
    elif code < 0:
        outcome = "crashed"
    done = msgspec.structs.replace(done, outcome=outcome, exit_code=code)
    if captured:
        lines, dropped = transcript.merged()
        done = msgspec.structs.replace(done, dropped_output=dropped)
        record = msgspec.structs.replace(record, output=tuple(lines))
    return msgspec.structs.replace(record, done=done)


def _reading(
    pipe: IO[bytes] | None, add: Callable[[bytes], None], through: int | None
) -> threading.Thread | None:
    if pipe is None:
        return None
    thread = threading.Thread(target=_read, args=(pipe, add, through), daemon=True)
    thread.start()
    return thread


def _read(pipe: IO[bytes], add: Callable[[bytes], None], through: int | None) -> None:
    while data := os.read(pipe.fileno(), 65536):
        if through is not None:
            os.write(through, data)
        add(data)


def _forward(child: "subprocess.Popen[bytes]") -> None:
    """Pass signals on that somebody sent to us; those of the terminal reach the script by themselves."""
    while True:
        heard = signal.sigwaitinfo(FORWARDED)
        if heard.si_code <= 0 and child.poll() is None:
            child.send_signal(heard.si_signo)
