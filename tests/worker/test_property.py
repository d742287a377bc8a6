"""Whatever a program does with jit, the record counts what the program itself counts."""

import ast
from collections import Counter

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from jittutor.event import Ask
from tests.worker.programs import HEAD, program
from tests.worker.tools import Tutor

ASKS = (
    Ask("traces", "dict(TRACES)"),
    Ask("calls", "dict(CALLS)"),
    Ask("compiles", "len(jax.compiles_heard)"),
)


@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 2**32))
def test_traces_compiles_and_calls_are_those_that_really_happened(tutor: Tutor, seed: int) -> None:
    text = program(seed)
    record = tutor.run(text, HEAD, ASKS)
    assert record.done, f"{record.lost}\n{text}"

    counted = {name: ast.literal_eval(answer.text) for name, answer in record.answers.items()}
    traced = {name: counts.traces for name, counts in record.functions.items() if counts.traces}
    assert traced == counted["traces"], text
    assert len(record.compiled) == counted["compiles"], text

    told = Counter(row.call.function for row in record.rows)
    assert {name: told[name] for name in counted["calls"]} == counted["calls"], text
    for name, counts in record.functions.items():
        misses = sum(not row.call.hit for row in record.rows if row.call.function == name)
        assert counts.calls >= counts.hits + misses, text
        assert counts.calls >= told[name], text


def test_every_call_of_a_program_is_numbered_in_the_order_it_began(tutor: Tutor) -> None:
    record = tutor.run(program(7), HEAD)
    assert [row.call.n for row in record.rows] == list(range(1, len(record.rows) + 1))
