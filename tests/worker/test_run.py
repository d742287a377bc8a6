"""What the source of this tutor promises, section by section, through `jittutor run --json`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.worker.tools import Ahead

SOURCE = Path(__file__).with_name("source")


@pytest.fixture(scope="module")
def sections(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ahead]:
    runs = Ahead(tmp_path_factory.mktemp("sections"))
    for path in sorted(SOURCE.glob("section_*.py")):
        runs.begin(path.stem, path.read_text())
    yield runs
    runs.close()


def calls(record: dict[str, Any], function: str) -> list[dict[str, Any]]:
    return [call for call in record["calls"] if call["function"] == function]


def cache(record: dict[str, Any], function: str) -> list[str]:
    return [call["cache"] for call in calls(record, function)]


def test_section_3_the_body_runs_for_a_new_shape_only(sections: Ahead) -> None:
    record = sections.result("section_3").record
    assert record["functions"]["f"]["traces"] == 2
    assert cache(record, "f") == ["miss", "hit", "miss"]
    assert [(line["text"], line["during"], line["function"]) for line in record["output"]] == [
        ("a call with 4", "run", None),
        ("body runs for (4,) float32", "trace", "f"),
        ("a call with 4", "run", None),
        ("a call with 5", "run", None),
        ("body runs for (5,) float32", "trace", "f"),
    ]


def test_section_4_the_first_call_pays_for_tracing_and_compiling(sections: Ahead) -> None:
    record = sections.result("section_4").record
    first, *rest = calls(record, "heavy")
    assert first["cache"] == "miss"
    assert all(first[phase] > 0 for phase in ("trace_ms", "lower_ms", "compile_ms", "execute_ms"))
    assert [call["cache"] for call in rest] == ["hit"] * 5
    assert all(call[phase] is None for call in rest for phase in ("trace_ms", "lower_ms", "compile_ms"))
    assert all(call["execute_ms"] > 0 for call in rest)
    paid = first["trace_ms"] + first["lower_ms"] + first["compile_ms"]
    assert paid > 2 * min(call["execute_ms"] for call in rest)


def test_section_5_three_shapes_miss_and_two_calls_hit(sections: Ahead) -> None:
    record = sections.result("section_5").record
    assert cache(record, "f") == ["miss", "miss", "hit", "hit", "miss"]
    reasons = [call["reason"] for call in calls(record, "f")]
    assert [reason and reason["kind"] for reason in reasons] == ["first call", "shape", None, None, "shape"]
    assert (reasons[1]["argument"], reasons[1]["before"], reasons[1]["now"]) == ("x", "f32[100]", "f32[200]")


def test_section_6_an_if_on_a_traced_value_fails_at_its_line(sections: Ahead) -> None:
    ran = sections.result("section_6")
    error = ran.record["error"]
    text = (SOURCE / "section_6.py").read_text().splitlines()
    assert (ran.code, ran.record["outcome"]) == (1, "error")
    assert (error["type"], error["function"]) == ("TracerBoolConversionError", "relu_bad")
    assert text[error["line"] - 1].strip() == "if x > 0:"
    assert error["say"]
    assert error["fix"]
    assert {name: counts["traces"] for name, counts in ran.record["functions"].items()} == {
        "relu": 1,
        "either": 1,
        "relu_bad": 1,
    }


def test_section_7_the_unrolled_program_is_a_hundred_times_longer(sections: Ahead) -> None:
    record = sections.result("section_7").record
    equations = {program["function"]: program["equations"] for program in record["programs"]}
    assert equations["unrolled"] >= 100 * equations["scanned"]
    jaxprs = {program["function"]: program["jaxpr"] for program in record["programs"]}
    assert "scan[" in jaxprs["scanned"]
    assert jaxprs["unrolled"].count("sin") == 200


def test_section_8_padding_keeps_one_program_and_static_values_make_more(sections: Ahead) -> None:
    record = sections.result("section_8").record
    assert record["functions"]["masked_mean"] == {"calls": 3, "traces": 1, "compiles": 1, "hits": 2}
    assert record["functions"]["power"]["traces"] == 2
    assert cache(record, "power") == ["miss", "miss", "hit"]
    reason = calls(record, "power")[1]["reason"]
    assert (reason["kind"], reason["argument"], reason["before"], reason["now"]) == (
        "static value",
        "n",
        "2",
        "3",
    )


def test_section_9_looking_at_a_jaxpr_is_no_call(sections: Ahead) -> None:
    record = sections.result("section_9").record
    assert (record["calls"], record["functions"]) == ([], {})
    assert "log1p" in "\n".join(line["text"] for line in record["output"])


def test_the_record_holds_every_field_of_the_contract(sections: Ahead) -> None:
    record = sections.result("section_5").record
    assert record["schema"] == 1
    assert {*record} >= {
        "outcome", "exit_code", "seconds", "versions", "device", "calls", "functions", "compiles", "eager",
        "programs", "output", "error",
    }  # fmt: skip
    assert {*record["calls"][0]} >= {
        "n", "function", "line", "signature", "cache", "trace_ms", "lower_ms", "compile_ms", "execute_ms",
        "program", "reason",
    }  # fmt: skip
    assert {*record["calls"][0]["reason"]} >= {"kind", "argument", "before", "now", "say", "fix", "raw"}
    assert {*record["programs"][0]} >= {
        "id",
        "function",
        "signature",
        "equations",
        "jaxpr",
        "stablehlo",
        "hlo",
    }
    assert record["device"] == {"platform": "cpu", "kind": "cpu", "count": 1}
    assert {*record["versions"]} == {"jittutor", "jax", "jaxlib", "python"}
    for call in record["calls"]:
        program = next(p for p in record["programs"] if p["id"] == call["program"])
        assert (program["function"], program["signature"]) == ("f", call["signature"])
