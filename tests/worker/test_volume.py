"""Scripts that do much: the record stays small, and says what it dropped."""

import os
import subprocess
from pathlib import Path

import msgspec
import pytest

from tests.worker.tools import run, surroundings, tutored

CALLS = """
import jax
f = jax.jit(lambda x: x)
for _ in range({n}):
    f(1.0)
"""
RECOMPILES = """
import jax, functools
@functools.partial(jax.jit, static_argnums=0)
def f(n, x):
    return x
for n in range({n}):
    f(n, 1.0)
"""
LINES = "for n in range({n}):\n    print('line', n)\n"
EQUATIONS = """
import jax
@jax.jit
def f(x):
    for _ in range({n}):
        x = jax.lax.neg(x)
    return x
f(1.0)
"""


class Program(msgspec.Struct):
    equations: int
    jaxpr: str


class Record(msgspec.Struct):
    """The parts of the record that count here."""

    outcome: str
    calls: list[dict[str, object]]
    calls_dropped: int
    functions: dict[str, dict[str, int]]
    compiles: int
    programs: list[Program]
    programs_dropped: int
    output: list[dict[str, object]]
    output_dropped: int


def record(folder: Path, source: str, n: int) -> tuple[Record, int]:
    """The record of a script, and its length in bytes."""
    (folder / "much.py").write_text(source.format(n=n))
    found = run(tutored("--json", "much.py"), folder)
    assert found.code == 0, found.error
    return msgspec.json.decode(found.stdout, type=Record), len(found.stdout)


@pytest.mark.parametrize("n", [5_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_many_calls_are_counted_and_the_first_are_told(tmp_path: Path, n: int) -> None:
    found, size = record(tmp_path, CALLS, n)
    assert found.functions["<lambda>"] == {"calls": n, "traces": 1, "compiles": 1, "hits": n - 1}
    assert len(found.calls) + found.calls_dropped == n
    assert len(found.calls) >= 1_000
    assert size < 2_000_000


@pytest.mark.parametrize("n", [100, pytest.param(2_000, marks=pytest.mark.slow)])
def test_every_recompile_is_told_with_its_reason(tmp_path: Path, n: int) -> None:
    found, size = record(tmp_path, RECOMPILES, n)
    assert found.functions["f"] == {"calls": n, "traces": n, "compiles": n, "hits": 0}
    assert found.compiles == n
    reasons = [call["reason"] for call in found.calls]
    assert all(isinstance(reason, dict) and reason["kind"] for reason in reasons)
    assert len(found.programs) + found.programs_dropped == n
    assert size < 4_000_000


@pytest.mark.parametrize("n", [20_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_many_lines_keep_their_first_and_last(tmp_path: Path, n: int) -> None:
    found, size = record(tmp_path, LINES, n)
    assert len(found.output) + found.output_dropped == n
    assert found.output[0]["text"] == "line 0"
    assert found.output[-1]["text"] == f"line {n - 1}"
    assert size < 2_000_000


@pytest.mark.parametrize("n", [4_000, pytest.param(30_000, marks=pytest.mark.slow)])
def test_a_long_jaxpr_is_counted_whole_and_shown_in_part(tmp_path: Path, n: int) -> None:
    found, size = record(tmp_path, EQUATIONS, n)
    (program,) = found.programs
    assert program.equations == n
    assert f"{n - 2_000} more equations" in program.jaxpr
    assert size < 2_000_000


@pytest.mark.slow
def test_memory_does_not_grow_with_the_output(tmp_path: Path) -> None:
    (tmp_path / "much.py").write_text(LINES.format(n=300_000))
    program = subprocess.Popen(
        tutored("--json", "much.py"), cwd=tmp_path, env=surroundings(), stdout=subprocess.DEVNULL
    )
    # Of this program and what it waited for, not of all that other tests have started.
    _, status, usage = os.wait4(program.pid, 0)
    program.returncode = os.waitstatus_to_exitcode(status)
    assert program.returncode == 0
    assert usage.ru_maxrss < 2**20 * 1.5
