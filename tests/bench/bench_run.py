"""`jittutor run` against bare python: what watching a script costs it."""

import json
import os
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

from tests.bench.table import Row, alternate

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "7"))

END = """
import json, os
# Not getrusage: its figure begins with what the process that forked this one had.
rss = int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0]) / 1024
with open(os.environ["BENCH_OUT"], "w") as file:
    json.dump({"value": value, "rss": rss}, file)
"""

EMPTY = """
import time, jax
f = jax.jit(lambda x: x)
x = f(1.0)
def loop(n):
    start = time.perf_counter()
    for _ in range(n):
        f(x)
    return (time.perf_counter() - start) / n * 1e6
loop(5000)
value = min(loop(20_000) for _ in range(5))
"""

LOOP = """
import os, time, jax, jax.numpy as jnp
x = jnp.float32(1)
def program(turns):
    # On the CPU a loop over one number runs in the caller's thread: no other thread's mood is measured.
    f = jax.jit(lambda x: jax.lax.fori_loop(0, turns, lambda i, y: jnp.sin(y), x))
    f(x).block_until_ready()
    return f
def loop(f, n):
    start = time.perf_counter()
    for _ in range(n):
        f(x).block_until_ready()
    return time.perf_counter() - start
"""

CALIBRATE = (
    LOOP
    + """
def us(turns):
    f = program(turns)
    return min(loop(f, 2_000) for _ in range(5)) / 2_000 * 1e6
least, most = us(1), us(2_000)
value = max(1, round(2_000 * (20 - least) / (most - least)))
"""
)
"""How many turns make a call of 20 µs on this machine."""

REAL = (
    LOOP
    + """
value = loop(program(int(os.environ["BENCH_TURNS"])), 20_000)
"""
)

WHOLE = """
import time
start = time.perf_counter()
import jax, jax.numpy as jnp
total = 0.0
for n in range(20):
    @jax.jit
    def f(x):
        for _ in range(10):
            x = jnp.sin(x) * n + jnp.cos(x)
        return x.sum()
    total += float(f(jnp.ones(100 + n)))
value = time.perf_counter() - start
"""


def _measure(source: str, watched: bool, what: str) -> float:
    with tempfile.TemporaryDirectory() as folder:
        script, out = Path(folder) / "script.py", Path(folder) / "out.json"
        script.write_text(textwrap.dedent(source) + END)
        command = [sys.executable, "-m", "jittutor", "run"] if watched else [sys.executable]
        environment = {**os.environ, "BENCH_OUT": str(out)}
        subprocess.run([*command, str(script)], env=environment, check=True, capture_output=True)
        return float(json.loads(out.read_text())[what])


def _pair(source: str, what: str) -> tuple[float, float]:
    bare, watched = alternate(
        ROUNDS, lambda: _measure(source, False, what), lambda: _measure(source, True, what)
    )
    return watched, bare


def rows() -> list[Row]:
    """The figures."""
    ours, bare = _pair(EMPTY, "value")
    found = [
        Row("run: cached call of an empty jitted function", ours, bare, "µs", "+ 1 µs", ours - bare <= 1)
    ]
    os.environ["BENCH_TURNS"] = str(round(_measure(CALIBRATE, False, "value")))
    ours, bare = _pair(REAL, "value")
    found.append(Row("run: 20,000 waited calls of 20 µs", ours, bare, "s", "1.05x", ours <= 1.05 * bare))
    ours, bare = _pair(WHOLE, "value")
    found.append(Row("run: script of 20 functions", ours, bare, "s", "1.10x", ours <= 1.10 * bare))
    ours, bare = _pair(WHOLE, "rss")
    found.append(Row("run: memory of that script", ours, bare, "MiB", "1.2x", ours <= 1.2 * bare))
    return found
