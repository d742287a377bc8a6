"""Each fault: told in plain words, the next run works, nothing is left; on a real worker."""

from collections.abc import Iterator

import pytest

from tests.faults.rig import Rig, marked, soon
from tests.faults.rows import ROWS, Row

pytestmark = [pytest.mark.worker, pytest.mark.faults]


@pytest.fixture(scope="module")
def rig() -> Iterator[Rig]:
    patch = pytest.MonkeyPatch()
    patch.setenv("JITTUTOR_MEMORY", "1500")
    one = Rig()
    yield one
    one.close()
    patch.undo()
    assert soon(lambda: not list(marked(one.mark))), "processes are left after the end"


@pytest.mark.parametrize(
    "row",
    [pytest.param(row, marks=[pytest.mark.slow] if row.slow else [], id=row.name) for row in ROWS],
)
def test_a_fault_is_told_and_the_next_run_works(rig: Rig, row: Row) -> None:
    rig.warm()
    told = rig.run(row.source, stop=row.stop, seconds=row.seconds)
    assert told.outcome in row.outcome.split(), (told.words, told.output[-500:])
    assert row.words in told.words
    assert row.output in told.output
    again = rig.run("import jax.numpy as jnp\nprint('well', jnp.ones(3).sum(), open, flush=True)")
    assert again.outcome == "ok", again.words
    assert "well 3.0" in again.output
    assert "still" not in again.output
    assert soon(lambda: not rig.others()), rig.others()
