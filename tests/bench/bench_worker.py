"""The worker: a warm run, a fresh worker, many prints; beside an IPython kernel and a bare import."""

import asyncio
import os
import statistics
import subprocess
import sys
import textwrap
import time

from jittutor.event import Done, Ready, Run
from jittutor.link import Link
from tests.bench.bench_screen import first_result
from tests.bench.peers import python_of
from tests.bench.table import Row, alternate, resident

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "7"))

# Runs in the kernel's environment: prints seconds for a warm cell, a restart, and for many prints.
KERNEL = """
import statistics, sys, time
from jupyter_client.manager import start_new_kernel
first = time.perf_counter()
manager, client = start_new_kernel()
def cell(code):
    began = time.perf_counter()
    message = client.execute(code)
    while True:
        reply = client.get_iopub_msg(timeout=30)
        mine = reply["parent_header"].get("msg_id") == message
        if mine and reply["msg_type"] == "status" and reply["content"]["execution_state"] == "idle":
            return time.perf_counter() - began
cell("import jax; print(jax.devices())")
print(time.perf_counter() - first)
[cell("print(1)") for _ in range(5)]
print(statistics.median(cell("print(1)") for _ in range(30)))
print(cell("for n in range(100_000): print(n)"))
print(cell("for n in range(1_000_000): print(n)"))
began = time.perf_counter()
manager.restart_kernel(now=True)
client.wait_for_ready(timeout=60)
cell("import jax; jax.devices()")
print(time.perf_counter() - began)
manager.shutdown_kernel(now=True)
"""


async def _ours() -> tuple[float, float, float, float, float]:
    link = Link(cpu=True)
    events = link.events()

    async def run(number: int, source: str) -> float:
        began = time.perf_counter()
        link.send(Run(number, source))
        async for event in events:
            if isinstance(event, Done) and event.run == number:
                return time.perf_counter() - began
        raise AssertionError

    try:
        await run(1, "import jax")
        warm = sorted([await run(number, "print(1)") for number in range(2, 40)])[19]
        prints = await run(50, "for n in range(100_000): print(n)")
        before = resident(os.getpid())
        million = await run(51, "for n in range(1_000_000): print(n)")
        grown = resident(os.getpid()) - before
        fresh = []
        for _ in range(5):
            began = time.perf_counter()
            await link.restart()
            async for event in events:
                if isinstance(event, Ready):
                    break
            fresh.append(time.perf_counter() - began)
        return warm, prints, million, grown, sorted(fresh)[2]
    finally:
        await link.close()


def _bare_import() -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import jax; jax.devices()"], check=True, env=_environment())
    return time.perf_counter() - began


def _environment() -> dict[str, str]:
    return {**os.environ, "JAX_PLATFORMS": "cpu"}


def _kernel() -> list[float] | None:
    """The kernel's figures; None where it cannot be had.

    In a flood of prints it may lose the message that a cell has ended: then it is asked again.
    """
    python = python_of("kernel")
    for _ in range(4 if python else 0):
        command = [str(python), "-c", textwrap.dedent(KERNEL)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=_environment())
        if done.returncode == 0:
            return [float(word) for word in done.stdout.split()]
        print(f"the kernel failed: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
    return None


def rows() -> list[Row]:
    """The figures."""
    warm, prints, million, grown, fresh = asyncio.run(_ours())
    (bare,) = alternate(min(ROUNDS, 5), _bare_import)
    found = [
        Row("fresh worker, python -c 'import jax'", fresh, bare, "s", "≤ 0.05x", fresh <= 0.05 * bare),
        Row("growth of the listener over 1,000,000 prints", grown, 64, "MiB", "≤ 64 MiB", grown <= 64),
    ]
    kernel = _kernel()
    if kernel is not None:
        cold, cell, many, most, restart = kernel
        first = statistics.median(first_result() for _ in range(3))
        found += [
            Row("warm run of print(1), IPython kernel", warm * 1e3, cell * 1e3, "ms", "≤ 1.0x", warm <= cell),
            Row("100,000 prints, IPython kernel", prints, many, "s", "≤ 1.0x", prints <= many),
            Row("1,000,000 prints, IPython kernel", million, most, "s", "≤ 1.0x", million <= most),
            Row(
                "cold start to first result, kernel + import", first, cold, "s", "≤ 0.7x", first <= 0.7 * cold
            ),
            Row(
                "fresh worker, kernel restart + import",
                fresh,
                restart,
                "s",
                "≤ 0.05x",
                fresh <= 0.05 * restart,
            ),
        ]
    return found
