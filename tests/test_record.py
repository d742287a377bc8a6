"""A record is folded from events, one after the other, and tells what happened in one run."""

import msgspec
import pytest

from jittutor.event import (
    Answered,
    Called,
    Compiled,
    Device,
    Done,
    Ended,
    Event,
    Hits,
    Printed,
    Program,
    Raised,
    Ready,
    Unwatched,
    Versions,
    Waited,
)
from jittutor.record import Counts, Record
from tests.facts import hit, key, leaf, miss

K3, K4 = key(leaf("x", 3)), key(leaf("x", 4))


def fold(*events: Event, run: int = 1) -> Record:
    record = Record(run=run)
    for event in events:
        record = record.after(event)
    return record


def test_calls_come_in_order_with_hit_or_miss_and_the_reason() -> None:
    record = fold(*miss(1, K3), hit(2, K3), *miss(3, K4))
    assert record.cache() == ["miss", "hit", "miss"]
    assert [row.reason.kind if row.reason else None for row in record.rows] == ["first call", None, "shape"]


def test_a_call_that_raised_while_it_was_traced_has_nothing_to_reuse() -> None:
    traced, called = miss(1, K3)
    failed = msgspec.structs.replace(called, raised=True, compile_ms=None)
    record = fold(traced, failed, *miss(2, K3))
    assert [row.reason.kind if row.reason else None for row in record.rows] == ["first call", "first call"]


def test_counts_are_kept_by_function() -> None:
    record = fold(*miss(1, K3), Compiled(1, "f", 5.0), hit(2, K3))
    assert record.functions == {"f": Counts(calls=2, traces=1, compiles=1, hits=1)}
    assert record.traces("f") == 1
    assert record.traces("nobody") == 0


def test_hits_that_were_only_counted_are_calls_too() -> None:
    assert fold(hit(1, K3), Hits(1, "f", 99)).functions["f"] == Counts(calls=100, hits=100)


def test_events_of_another_run_change_nothing() -> None:
    assert fold(*miss(1, K3, run=7)) == Record(run=1)


def test_a_nested_call_stands_after_the_call_that_it_started_in() -> None:
    outer, inner = Called(1, 1, "outer", hit=False), Called(1, 2, "inner", hit=False, within="outer")
    record = fold(inner, outer)
    assert [row.call.function for row in record.rows] == ["outer", "inner"]
    assert [row.call.function for row in record.calls] == ["outer"]


def test_a_wait_completes_the_call_it_waited_for() -> None:
    record = fold(hit(1, K3), hit(2, K3), Waited(1, 1, 8.0))
    assert [row.execute_ms for row in record.rows] == [8.0, None]
    assert record.rows[0].total_ms == 8.0
    assert record.rows[1].total_ms == 0.1


def test_a_hit_runs_the_program_that_an_equal_call_built() -> None:
    record = fold(*miss(1, K3), *miss(2, K4), hit(3, K3))
    assert [row.program for row in record.rows] == [1, 2, 1]


def test_eager_compiles_are_no_compiles_of_a_function() -> None:
    record = fold(Compiled(1, "iota", 3.0, eager=True), Compiled(1, "f", 5.0))
    assert record.compiles() == 1
    assert [event.function for event in record.eager] == ["iota"]


def test_the_newest_program_of_a_function_is_found_by_its_name() -> None:
    record = fold(Program(1, 1, "f", "", 3, "old"), Program(1, 2, "f", "", 4, "new"))
    assert (record.equations("f"), record.jaxpr("f")) == (4, "new")
    assert (record.equations("g"), record.jaxpr("g")) == (0, "")


def test_printed_pieces_become_lines_of_tracing_or_running() -> None:
    record = fold(
        Printed(1, "looking\n", during="trace"), Printed(1, "one "), Printed(1, "line\n"), Printed(1, "end")
    )
    assert record.lines() == ["looking", "one line", "end"]
    assert record.lines("trace") == ["looking"]


def test_a_lost_worker_is_told_once_and_only_while_a_run_is_on() -> None:
    assert fold(Ended("it was killed")).lost == "it was killed"
    assert fold(Done(1, "ok", 0.1), Ended("later")).lost is None


@pytest.mark.parametrize(
    "event",
    [
        Raised(1, "ValueError", "no"),
        Unwatched(1, "calls are not watched"),
        Answered(1, "a", ok=True, text="3"),
        Done(1, "ok", 1.0),
        Ready(Versions("0", "1", "2", "3"), Device("cpu", "cpu")),
    ],
)
def test_every_other_event_leaves_its_mark(event: Event) -> None:
    assert fold(event) != Record(run=1)
