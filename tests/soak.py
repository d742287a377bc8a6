"""Thousands of runs with random faults: memory, descriptors, processes and state must stay flat.

    uv run python -m tests.soak [MINUTES] [SEED]

Prints a line every 20 seconds and fails (exit 1) when something grows.
"""

import os
import random
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from jittutor.event import Event
from jittutor.state import State
from tests.faults.rig import Rig, Told, marked, soon
from tests.faults.rows import ROWS, Row

GOOD = "import jax, jax.numpy as jnp\nprint(jax.jit(lambda x: x * {n})(jnp.ones({n})).sum())"
SLOW = {"output flood", "heavy packages", "compile that takes minutes", "host memory eaten by a child"}


class Level(NamedTuple):
    """What must not grow."""

    memory: int
    """Bytes of the tutor's own process."""
    files: int
    tasks: int
    state: int
    """Bytes of the state folder."""


def level(folder: Path) -> Level:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    files = len(list(Path("/proc/self/fd").iterdir()))
    tasks = len(list(Path("/proc/self/task").iterdir()))
    size = sum(path.stat().st_size for path in folder.rglob("*"))
    return Level(pages * os.sysconf("SC_PAGE_SIZE"), files, tasks, size)


def one_run(rig: Rig, chance: random.Random, rows: list[Row]) -> Told:
    """A good run, a fault, or a good run whose worker is killed at a random message."""
    kind = chance.random()
    if kind < 0.5:
        return rig.run(GOOD.format(n=chance.randrange(1, 50)), seconds=30)
    if kind < 0.8:
        row = chance.choice(rows)
        return rig.run(row.source, stop=row.stop, seconds=row.seconds)
    left = chance.randrange(1, 20)

    def kill(_: Event) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            rig.link.cut("cut by the test")

    return rig.run(GOOD.format(n=3), then=kill, seconds=30)


def grown(first: Level, last: Level) -> list[str]:
    """What has grown beyond what is noise."""
    found = []
    if last.memory > first.memory * 1.3 + 30e6:
        found.append(f"memory from {first.memory / 1e6:.0f} to {last.memory / 1e6:.0f} MB")
    if last.files > first.files + 5:
        found.append(f"descriptors from {first.files} to {last.files}")
    if last.tasks > first.tasks + 5:
        found.append(f"threads from {first.tasks} to {last.tasks}")
    if last.state > first.state + 20_000:
        found.append(f"state from {first.state} to {last.state} bytes")
    return found


def soak(minutes: float, seed: int) -> int:
    """Run it; the exit code."""
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    rows = [row for row in ROWS if not row.slow and row.name not in SLOW]
    os.environ["JITTUTOR_MEMORY"] = "1500"
    with TemporaryDirectory() as name:
        folder, rig = Path(name), Rig()
        state, first, said, n = State.open(folder), None, 0.0, 0
        end = time.monotonic() + minutes * 60
        while time.monotonic() < end:
            n += 1
            one_run(rig, chance, rows)
            state.change("lesson", f"step-{n % 50}", edit=f"text {n}", done=True)
            state.save()
            first = first or (level(folder) if n >= 200 else None)
            if time.monotonic() > said + 20:
                said = time.monotonic()
                print(f"{n} runs, {level(folder)}, others {len(rig.others())}", flush=True)
        last = level(folder)
        well = rig.run("print('well')")
        well = well if well.outcome == "ok" else rig.run("print('well')")
        rig.close()
        left = not soon(lambda: not list(marked(rig.mark)))
    trouble = grown(first or last, last) + ["processes are left"] * left
    trouble += ["the last run failed"] * (well.outcome != "ok")
    print(f"{n} runs, seed {seed}: {'; '.join(trouble) or 'all flat'}")
    return 1 if trouble else 0


if __name__ == "__main__":
    words = sys.argv[1:]
    sys.exit(soak(float(words[0]) if words else 10.0, int(words[1]) if words[1:] else 1))
