"""What the tests of the worker share: scripts under the real program, and a warm tutor that runs steps."""

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from importlib import metadata
from pathlib import Path
from textwrap import dedent
from typing import Any

import msgspec

from jittutor.event import Ask, Done, Ended, Event, Raised, Run
from jittutor.link import Link
from jittutor.record import Record

OLD_JAX = metadata.version("jax").startswith("0.11.")
"""Two versions are supported; where they differ, a test says so."""
HEAD = "import jax, jax.numpy as jnp, numpy as np, functools\nfrom functools import partial\n"
PATIENCE = 120.0
"""Seconds after which a test gives up; far more than anything takes."""
PROJECT = Path(__file__).parents[2]


class Ran(msgspec.Struct, frozen=True):
    """How a process ended, and what it wrote."""

    code: int
    stdout: bytes
    stderr: bytes

    @property
    def record(self) -> dict[str, Any]:
        """The object that `run --json` printed."""
        assert self.stdout, self.stderr.decode()
        found: dict[str, Any] = json.loads(self.stdout)
        return found

    @property
    def error(self) -> str:
        """What it wrote to stderr."""
        return self.stderr.decode()


def surroundings(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a child: our package can be imported wherever it runs."""
    return {**os.environ, "PYTHONPATH": str(PROJECT), "PYTHONDONTWRITEBYTECODE": "1", **(more or {})}


def run(
    command: list[str], cwd: Path, more: Mapping[str, str] | None = None, typed: bytes | None = b""
) -> Ran:
    """Run a process to its end."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env=surroundings(more),
        input=typed,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def tutored(*arguments: str) -> list[str]:
    """The command line of `jittutor run`."""
    return [sys.executable, "-m", "jittutor", "run", *arguments]


def bare(*arguments: str) -> list[str]:
    """The command line of Python alone."""
    return [sys.executable, *arguments]


class Ahead:
    """Runs scripts two at a time, ahead of the tests that ask for their records."""

    def __init__(self, folder: Path) -> None:
        """Keep the scripts in this folder."""
        self._folder = folder
        self._pool = ThreadPoolExecutor(2)
        self._runs: dict[str, Future[Ran]] = {}

    def begin(self, name: str, source: str) -> None:
        """Run this one soon."""
        if name not in self._runs:
            place = self._folder / name
            place.mkdir()
            (place / f"{name}.py").write_text(source)
            self._runs[name] = self._pool.submit(run, tutored("--json", f"{name}.py"), place)

    def result(self, name: str) -> Ran:
        """What came of it."""
        return self._runs[name].result(PATIENCE)

    def close(self) -> None:
        """Wait for nothing more."""
        self._pool.shutdown(cancel_futures=True)


class Tutor:
    """A link on a loop of its own; each run is sent and heard to its end."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._number = 0
        self.link = Link(cpu=True)
        self._heard = self.link.events()
        self.facts: list[Event] = []

    def wait[T](self, what: Coroutine[Any, Any, T]) -> T:
        """The result of something that runs on the loop."""
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(PATIENCE)

    def events(
        self, source: str, setup: str = "", *, then: Callable[[Event], None] | None = None, **options: Any
    ) -> list[Event]:
        """Run a step; all events until it is done or the worker has ended. `then` sees each as it comes."""
        self._number += 1
        request = Run(self._number, source, setup, **options)
        return self.wait(self._events(request, then or (lambda _: None)))

    async def _events(self, request: Run, then: Callable[[Event], None]) -> list[Event]:
        self.link.send(request)
        found: list[Event] = []
        async for event in self._heard:
            found.append(event)
            then(event)
            if isinstance(event, Done) and event.run == request.run:
                break
            if isinstance(event, Ended) and "replaced" not in event.message:
                break
        return found

    def run(self, source: str, setup: str = "", asks: tuple[Ask, ...] = (), **options: Any) -> Record:
        """Run a step; its record."""
        return self.fold(self.events(source, setup, asks=asks, **options))

    def fold(self, events: list[Event]) -> Record:
        """The record of the newest run."""
        record = Record(run=self._number)
        for event in events:
            record = record.after(event)
        return record

    def close(self) -> None:
        """End the worker, the nursery and the loop."""
        self.wait(self._heard.aclose())  # type: ignore[attr-defined]
        self.wait(self.link.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def watched(tutor: Tutor, source: str, setup: str = HEAD, *asks: Ask) -> Record:
    """The record of a step that ends well."""
    record = tutor.run(dedent(source).strip() + "\n", setup, asks)
    assert record.done, record.lost
    assert record.error is None, record.error
    return record


def fails(tutor: Tutor, code: str, setup: str = HEAD) -> Raised:
    """What is told when this code is run."""
    error = tutor.run(code.strip("\n"), setup, seconds=60).error
    assert error is not None
    return error
