"""`python -m tests.gpu [FOLDER]`: what must be seen on a machine with a GPU, as one prepared script.

It prints a Markdown report and writes it to FOLDER/gpu.md: doctor, every lesson's claims, fresh workers
(a CUDA context each time), GPU memory held and given back, the benchmarks of the worker and of
`jittutor run`. Takes a few minutes; nothing here runs in CI.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from jittutor.event import Done, Ended, Ready, Run
from jittutor.link import Link

HEAVY = """
import jax, jax.numpy as jnp
f = jax.jit(lambda x: jnp.tanh(x @ x))
x = jnp.ones((4096, 4096), jnp.bfloat16)
for _ in range(3):
    f(x).block_until_ready()
print(jax.devices()[0].memory_stats())
"""


def main() -> None:
    """Print and write the report."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("OUT", "."))
    parts = [_doctor(), _verify(), asyncio.run(_workers()), _bench("run"), _bench("worker")]
    report = f"# On a GPU, {time.strftime('%Y-%m-%d')}\n\n" + "\n\n".join(parts) + "\n"
    print(report)
    (folder / "gpu.md").write_text(report, encoding="utf-8")


def _jittutor(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "jittutor", *arguments], capture_output=True, text=True, check=False
    )


def _doctor() -> str:
    done = _jittutor("doctor")
    return f"## doctor (exit {done.returncode})\n\n```\n{done.stdout.strip()}\n```"


def _verify() -> str:
    began = time.perf_counter()
    done = _jittutor("verify", "--json")
    found = json.loads(done.stdout)
    broken = [f"- {json.dumps(finding)}" for finding in found["findings"] if not finding["ok"]]
    seconds = time.perf_counter() - began
    head = f"## verify: {len(found['findings'])} promises, {len(broken)} broken, {seconds:.0f} s"
    return "\n".join([head, "", *broken])


async def _workers() -> str:
    """How long a fresh worker needs on this device, and that the old one's memory is free before."""
    link, rows = Link(), []
    events = link.events()
    began = time.perf_counter()
    try:
        for number in range(1, 5):
            async for event in events:
                if isinstance(event, Ready):
                    rows.append(f"- ready after {time.perf_counter() - began:.2f} s on {event.device.kind}")
                    break
                if isinstance(event, Ended) and number == 1:
                    return f"## workers\n\n{event.message}"
            link.send(Run(number, HEAVY))
            async for event in events:
                if isinstance(event, Done) and event.run == number:
                    rows.append(f"  - run: {event.outcome} in {event.seconds:.2f} s; memory used: {_used()}")
                    break
            began = time.perf_counter()
            await link.restart()
    finally:
        await link.close()
    rows.append(f"- after closing, memory used: {_used()}")
    return "\n".join(["## workers", "", *rows])


def _used() -> str:
    query = ["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader"]
    try:
        return subprocess.run(query, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown (no nvidia-smi)"


def _bench(name: str) -> str:
    command = [sys.executable, "-m", "tests.bench", name]
    environment = {**os.environ, "BENCH_ROUNDS": "3"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    return f"## bench {name}\n\n{done.stdout.strip() or done.stderr.strip()[-2000:]}"


if __name__ == "__main__":
    main()
