"""What happens in real cases that people asked about, retold: one table, on the real program."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.worker.tools import OLD_JAX, Ahead

SCRIPTS = Path(__file__).with_name("scripts")


class Case(msgspec.Struct, frozen=True):
    """A script and what happens in it."""

    script: str
    traces: dict[str, int]
    compiles: int
    cache: str
    """One letter for each call that was executed, in order: h for hit, m for miss."""
    reasons: tuple[tuple[str, str, str | None, str | None, str | None], ...] = ()
    """Function, kind, argument, before and now of each miss that was no first call."""
    error: tuple[str, int] | None = None
    code: int = 0
    old_compiles: int | None = None
    """On the oldest JAX, where an operation outside jit is made of other programs."""


CASES = (
    Case("array_as_static", {}, 2, "m", error=("ValueError", 12), code=1),
    Case("array_in_metadata", {"length": 1}, 1, "mh", error=("ValueError", 22), code=1),
    Case("big_constant", {"given": 1, "taken": 1}, 5, "mm"),
    Case("breakpoint_no_input", {"stop": 1}, 1, "m", error=("JaxRuntimeError", 12), code=1),
    Case(
        "caches_cleared",
        {"high": 2, "low": 3},
        4,
        "mmhmm",
        (
            ("low", "cache cleared", None, None, None),
            ("high", "cache cleared", None, None, None),
            ("low", "cache cleared", None, None, None),
        ),
    ),
    Case("callback_function", {"sort": 1}, 2, "mhh"),
    Case("calls_itself", {"down": 1}, 0, "m", error=("RecursionError", 8), code=1),
    Case("carry_type", {}, 3, "", error=("TypeError", 11), code=1),
    Case(
        "changed_self",
        {"apply": 2},
        2,
        "mmh",
        (("apply", "static value", "self", "Scale(factor=3)", "Scale(factor=5)"),),
    ),
    Case("counting_global", {"tick": 1}, 1, "mhh"),
    Case("deep_chain", {"chain": 1}, 2, "m"),
    Case("endless_trace", {"grow": 1}, 0, "m", code=130),
    Case(
        "exit_while_tracing",
        {"square": 2},
        4,
        "mm",
        (("square", "shape", "x", "f32[2,2]", "f32[2,3]"),),
        code=5,
    ),
    Case(
        "failing_callback",
        {"<lambda>": 2},
        3,
        "mhmh",
        (("<lambda>", "new function", None, "function object 1", "function object 2"),),
    ),
    Case("format_of_value", {"tell": 1}, 0, "m", error=("TypeError", 8), code=1),
    Case("found_on_disk", {"cube": 2}, 2, "mm", (("cube", "cache cleared", None, None, None),)),
    Case(
        "fresh_partials",
        {"shift": 4, "scaled": 2},
        6,
        "mmmmmmh",
        (
            ("shift", "new function", None, "function object 1", "function object 2"),
            ("shift", "new function", None, "function object 2", "function object 3"),
            ("shift", "new function", None, "function object 3", "function object 4"),
            ("scaled", "call form", "factor", "positional", "keyword"),
        ),
    ),
    Case("fstring_print", {"show": 1}, 0, "m", error=("ValueError", 8), code=1),
    Case("if_on_value", {"steps": 1}, 0, "m", error=("TracerBoolConversionError", 10), code=1),
    Case("jit_disabled", {"double": 1}, 1, "m"),
    Case(
        "jit_inside",
        {"inner": 4},
        4,
        "mmmm",
        (
            ("inner", "new function", None, "function object 1", "function object 2"),
            ("inner", "new function", None, "function object 2", "function object 3"),
            ("inner", "new function", None, "function object 3", "function object 4"),
        ),
    ),
    Case("kept_tracer", {"keep": 1}, 1, "mh", error=("UnexpectedTracerError", 16), code=1),
    Case("late_setting", {"next_one": 1}, 1, "m"),
    Case("letters", {"größte_zahl": 2}, 4, "mm", (("größte_zahl", "shape", "θ", "~f32[]", "f32[2]"),)),
    Case("long_jaxpr", {}, 0, ""),
    Case("loop_body", {}, 1, ""),
    Case("nan_found", {"root": 1}, 5, "mh", error=("FloatingPointError", 9), code=1),
    Case("nan_in_gradient", {"risky": 1, "safe": 1}, 2, "mm"),
    Case("no_such_module", {"curve": 1}, 1, "m", error=("ModuleNotFoundError", 12), code=1),
    Case("nonzero_of_value", {"fixed": 1, "free": 1}, 2, "mm", error=("ConcretizationTypeError", 14), code=1),
    Case(
        "one_setting_between",
        {"negate": 5},
        5,
        "mmmmm",
        (
            ("negate", "context", "jax_enable_x64", "False", "True"),
            ("negate", "dtype", "x", "f32[]", "i32[]"),
            ("negate", "call form", "more", "left out", "keyword"),
            ("negate", "dtype", "x", "i32[]", "i8[]"),
        ),
    ),
    Case("optional_argument", {"weigh": 2}, 4, "mmh", (("weigh", "pytree", "weights", "*", "None"),)),
    Case("outside_index", {"item": 1}, 2, "mhh"),
    Case("range_of_value", {"repeat": 1}, 0, "m", error=("TracerIntegerConversionError", 8), code=1),
    Case("reshape_by_value", {"fold": 1}, 2, "m", error=("TypeError", 8), code=1),
    Case(
        "result_on_a_mesh",
        {"halve": 2},
        2,
        "mmh",
        (("halve", "device or sharding", "x", "not placed", "on the mesh P(None,) of {'part': 2}"),),
    ),
    Case("rule_helper", {"wave": 1, "total": 1}, 3, "mm"),
    Case("running_sum", {"add": 2}, 2, "mmhh", (("add", "weak type", "acc", "~f32[]", "f32[]"),)),
    Case(
        "same_text_again",
        {"third": 2},
        2,
        "mhm",
        (("third", "new function", None, "function object 1", "function object 2"),),
    ),
    Case("shared_buffer", {"largest": 1}, 2, "m"),
    Case(
        "short_last_batch", {"score": 2}, 2, "mhmhhh", (("score", "shape", "batch", "f32[3,3]", "f32[1,3]"),)
    ),
    Case("slice_of_value", {"part": 1}, 1, "m", error=("IndexError", 9), code=1),
    Case("spawned_without_guard", {}, 0, ""),
    Case(
        "static_numbers",
        {"tower": 3},
        3,
        "mmhm",
        (
            ("tower", "static value", "height", "1", "4"),
            ("tower", "static value", "height", "4", "2"),
        ),
    ),
    Case(
        "sums_of_sums",
        {"steps": 7},
        1,
        "m",
        (
            ("steps", "static value", "n", "6", "5"),
            ("steps", "static value", "n", "5", "4"),
            ("steps", "static value", "n", "4", "3"),
            ("steps", "static value", "n", "3", "2"),
            ("steps", "static value", "n", "2", "1"),
            ("steps", "static value", "n", "1", "0"),
        ),
    ),
    Case("threads_at_once", {"once": 1}, 1, "mhhh"),
    Case("timing_loop", {"work": 1}, 2, "mhhh"),
    Case(
        "gathered_arguments",
        {"total": 5},
        10,
        "mmmhmm",
        (
            ("total", "shape", "parts[0]", "f32[2]", "f32[3]"),
            ("total", "dtype", "parts[1]['a']", "f32[2]", "i32[2]"),
            ("total", "call form", "more", "left out", "keyword"),
            ("total", "shape", "more", "f32[2]", "f32[3]"),
        ),
    ),
    Case(
        "transformed_calls",
        {"wave": 1},
        11,
        "mmhmmhh",
        (("wave", "shape", "x", "f32[2,3]", "f32[4,3]"),),
        old_compiles=10,
    ),
    Case("useless_donation", {"mean": 1}, 3, "m"),
    Case(
        "ways_to_call",
        {"join": 3},
        3,
        "mmmhh",
        (
            ("join", "call form", "right", "positional", "keyword"),
            ("join", "call form", "left", "positional", "keyword"),
        ),
    ),
)


@pytest.fixture(scope="module")
def ahead(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ahead]:
    """All scripts whose tests are wanted, under way."""
    runs = Ahead(tmp_path_factory.mktemp("cases"))
    for item in request.session.items:
        case = (
            item.callspec.params.get("case")
            if isinstance(item, pytest.Function) and hasattr(item, "callspec")
            else None
        )
        if isinstance(case, Case):
            runs.begin(case.script, (SCRIPTS / f"{case.script}.py").read_text())
    yield runs
    runs.close()


def reasons(record: dict[str, Any]) -> tuple[tuple[Any, ...], ...]:
    """What is said of the misses that were no first calls."""
    return tuple(
        (call["function"], *(call["reason"][part] for part in ("kind", "argument", "before", "now")))
        for call in record["calls"]
        if call["reason"] and call["reason"]["kind"] != "first call"
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.script)
def test_a_real_case_is_told_as_it_happened(ahead: Ahead, case: Case) -> None:
    ran = ahead.result(case.script)
    record = ran.record
    traces = {name: counts["traces"] for name, counts in record["functions"].items() if counts["traces"]}
    assert traces == case.traces
    assert record["compiles"] == (case.old_compiles or case.compiles if OLD_JAX else case.compiles)
    assert "".join(call["cache"][0] for call in record["calls"] if not call["within"]) == case.cache
    assert reasons(record) == case.reasons
    error = record["error"]
    assert (error and (error["type"], error["line"])) == case.error
    assert ran.code == case.code
    assert record["disk_hits"] == (case.script == "found_on_disk")


def test_every_script_is_a_case() -> None:
    names = {path.stem for path in SCRIPTS.glob("*.py")} - {"__init__"}
    assert {case.script for case in CASES} <= names
