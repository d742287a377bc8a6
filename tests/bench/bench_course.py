"""The whole course verified on one warm worker, beside a bare python for each snippet that it runs."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from jittutor import course
from jittutor.lesson import Step
from tests.bench.table import Row

EVERY = 8
"""One in so many snippets is run by bare python, and the sum counted for all."""


def _snippets() -> Iterator[str]:
    for lesson in course.load(course.home()).lessons:
        for step in lesson.steps:
            yield from (f"{lesson.setup}\n{source}" for source in _sources(step))


def _sources(step: Step) -> Iterator[str]:
    """What `verify` runs of a step: its code, its solution, its wrong answers."""
    yield step.source
    if step.solution is not None:
        yield step.solution.source
    yield from (wrong.source for wrong in step.wrongs)


def _bare(source: str) -> float:
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "snippet.py"
        script.write_text(source)
        began = time.perf_counter()
        environ = {**os.environ, "JAX_PLATFORMS": "cpu"}
        # Some snippets are meant to raise.
        subprocess.run([sys.executable, str(script)], env=environ, capture_output=True, check=False)
        return time.perf_counter() - began


def rows() -> list[Row]:
    """The figures."""
    command = [sys.executable, "-m", "jittutor", "--cpu", "verify", "--json"]
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, check=True)
    ours = time.perf_counter() - began
    assert json.loads(done.stdout)["ok"]
    every = list(_snippets())
    some = [_bare(source) for source in every[::EVERY]]
    bare = sum(some) * len(every) / len(some)
    name = (
        f"verify of the whole course ({len(every)} snippets), bare python for each (every {EVERY}th, scaled)"
    )
    return [Row(name, ours, bare, "s", "≤ 0.5x", ours <= 0.5 * bare)]
