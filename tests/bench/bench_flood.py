"""A million printed lines: a typed letter and Stop meanwhile, and what the screen's process grows by."""

import statistics
import tempfile
import time
from pathlib import Path

from jittutor import course
from jittutor.state import State
from tests.bench.table import Row, resident
from tests.pty.console import Console, jittutor

CODE = 'for n in range({lines}):\n    print("line", n)\n'
LETTERS = 40


def _tutor(lines: int) -> Console:
    """At a step that prints so many lines."""
    lesson = course.load(course.home()).lessons[0]
    state = State.open(Path(tempfile.mkdtemp()))
    state.change(lesson.slug, lesson.steps[0].id, edit=CODE.format(lines=lines))
    state.go(lesson.slug, lesson.steps[0].id)
    state.save()
    return Console(
        jittutor("--cpu"), TERM="xterm-256color", JITTUTOR_STATE=str(state.folder), JITTUTOR_SECONDS="0"
    )


def _seconds(lines: int, sign: str) -> list[float]:
    """For each letter from the key to its picture, typed as soon as `sign` is on the screen."""
    found: list[float] = []
    with _tutor(lines) as console:
        console.until("ready", 60)
        console.type("e\n")
        console.until("R  :2  line ", 60)
        console.until(sign, 60)
        for _ in range(LETTERS):
            before, began = len(console.heard), time.perf_counter()
            console.type("Q")
            while b"Q" not in console.heard[before:]:
                console._hear(5)
            found.append(time.perf_counter() - began)
    return found


def _growth() -> float:
    """MiB that the screen's process has more after a million lines."""
    with _tutor(1_000_000) as console:
        console.until("ready", 60)
        before = resident(console.process.pid)
        console.type("\n")
        console.until("line 999999", 120)
        return resident(console.process.pid) - before


def _stop() -> float:
    """Seconds from the key to the word that the run was stopped."""
    with _tutor(1_000_000) as console:
        console.until("ready", 60)
        console.type("\n")
        console.until("R  :2  line ", 60)
        began = time.perf_counter()
        console.type("x")
        console.until("was stopped", 60)
        return time.perf_counter() - began


def rows() -> list[Row]:
    """Median and all but two of forty letters, beside the same letters when nothing is printed."""
    flood, calm = _seconds(1_000_000, "running"), _seconds(10, "ready")
    found = []
    for name, share in (("median", 50), ("95 of 100", 95)):
        ours, peer = (statistics.quantiles(times, n=100)[share - 1] * 1e3 for times in (flood, calm))
        figure = f"a letter during a million lines, {name}; calm"
        found.append(Row(figure, ours, peer, "ms", "≤ 100 ms", ours <= 100))
    grown, stop = _growth(), _stop()
    found.append(Row("growth of the screen over a million lines", grown, 0, "MiB", "≤ 64 MiB", grown <= 64))
    found.append(Row("Stop during a million lines", stop, 0, "s", "≤ 1 s", stop <= 1))
    return found
