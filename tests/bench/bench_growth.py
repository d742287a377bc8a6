"""How time grows with calls, lessons and steps done: linear or better, drawn as well."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from jittutor import course
from jittutor.state import State
from tests.bench.table import Row, alternate

ROUNDS = min(3, int(os.environ.get("BENCH_ROUNDS", "7")))
CALLS = "import jax\nf = jax.jit(lambda x: x)\nfor _ in range({}):\n    f(1.0)\n"
LESSON = '"""Lesson {}\n\nWords.\n"""\n\n# %% Step\n"""Some words."""\nx = 1\n'
_drawn: list[str] = []


def _run(calls: int) -> float:
    """Seconds that `jittutor run` needs for a script with so many calls."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "script.py"
        script.write_text(CALLS.format(calls))
        began = time.perf_counter()
        command = [sys.executable, "-m", "jittutor", "--cpu", "run", str(script)]
        subprocess.run(command, check=True, capture_output=True)
        return time.perf_counter() - began


def _load(lessons: int) -> float:
    """Seconds to load a course of so many lessons."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        slugs = [f"lesson-{n}" for n in range(lessons)]
        for n, slug in enumerate(slugs):
            (folder / f"{slug}.py").write_text(LESSON.format(n))
        (folder / "course.toml").write_text(f'[[chapter]]\ntitle = "All"\nlessons = {slugs}\n')
        began = time.perf_counter()
        assert len(course.load(folder).lessons) == lessons
        return time.perf_counter() - began


def _save(steps: int) -> float:
    """Seconds to open a state of so many steps, change one and save it."""
    with tempfile.TemporaryDirectory() as name:
        state = State.open(Path(name))
        for n in range(steps):
            state.change(f"lesson-{n // 4}", f"step-{n % 4}", edit=f"x = {n}\n", done=True)
        state.save()
        began = time.perf_counter()
        state = State.open(Path(name))
        state.change("lesson-0", "step-0", edit="x = -1\n")
        state.save()
        return time.perf_counter() - began


def _grow(name: str, measure: Callable[[int], float], sizes: Sequence[int]) -> Row:
    times = alternate(ROUNDS, *(lambda size=size: measure(size) for size in sizes))
    longest = max(times)
    _drawn.append(f"\n{name}")
    for size, took in zip(sizes, times, strict=True):
        _drawn.append(f"  {size:>7,} {took * 1e3:9.1f} ms {'#' * max(1, round(50 * took / longest))}")
    # What the first size costs already is the start, not growth.
    per = (times[-1] - times[0]) / (sizes[-1] - sizes[0])
    last = (times[-1] - times[-2]) / (sizes[-1] - sizes[-2])
    reach, ok = "linear: last ≤ 1.5x mean", last <= 1.5 * max(per, 1e-9)
    return Row(f"growth: {name}, each more", last * 1e6, per * 1e6, "µs", reach, ok)


def rows() -> list[Row]:
    """The figures."""
    return [
        _grow("jittutor run by calls", _run, (100, 1_000, 10_000, 100_000)),
        _grow("loading a course by lessons", _load, (35, 100, 300, 1_000)),
        _grow("opening and saving the state by steps", _save, (1, 10, 100, 1_000, 10_000)),
    ]


def drawing() -> str:
    """What was measured, as bars."""
    return "\n".join(_drawn)
