"""What each kind of claim holds, on records made by hand."""

import msgspec
import pytest

from jittutor.claims import _HOLD, Verdict, asks, ended, hold
from jittutor.event import (
    Answered,
    Called,
    Compiled,
    Done,
    Event,
    Printed,
    Program,
    Raised,
    Traced,
    Waited,
)
from jittutor.key import Argument, Key, Leaf
from jittutor.lesson import CLAIMS, Claim, Step
from jittutor.record import Record


def key(name: str = "f", shape: int = 4, dtype: str = "f32", code: str = "f@lesson.py:2") -> Key:
    leaf = Leaf("x", (shape,), dtype)
    return Key(name, 1, code, (Argument("x", "positional", tree="*"),), (leaf,))


def miss(n: int, asked: Key, ms: float = 30.0) -> list[Event]:
    name = asked.function
    return [
        Traced(1, n, asked, line=9),
        Compiled(1, name, ms),
        Program(1, n, name, asked.signature, equations=3, jaxpr="{ lambda ; }"),
        Called(1, n, name, 9, asked.signature, hit=False, trace=n, compile_ms=ms, dispatch_ms=1.0),
    ]


def hit(n: int, name: str = "f") -> list[Event]:
    return [Called(1, n, name, 9, hit=True, dispatch_ms=0.5), Waited(1, n, 1.0)]


RUN: list[Event] = [
    Printed(1, "start\n"),
    Printed(1, "tracing f\n", during="trace", function="f"),
    *miss(1, key()),
    *hit(2),
    Compiled(1, "iota", 2.0, eager=True),
    Traced(1, 90, key("_where", code="_where@/x/site-packages/jax/numpy.py:3"), within="f"),
    *miss(3, key(shape=5)),
    *miss(4, key("g", code="g@lesson.py:7")),
    Printed(1, "end\n"),
    Printed(1, "Array([1.", stream="value"),
    Printed(1, " 2.])\n", stream="value"),
]
STEP = Step("one", "One", "", "a = 1\nif x > 0:\n    pass\n", 5)


def record(*more: Event, outcome: str = "ok") -> Record:
    folded = Record(run=1)
    for event in (*RUN, *more, Done(1, outcome, 0.1)):  # type: ignore[arg-type]
        folded = folded.after(event)
    return folded


def held(name: str, expected: object, *more: Event) -> Verdict:
    return hold(Claim(name, expected, 12), record(*more), STEP)


def test_every_kind_of_claim_that_a_lesson_may_make_can_be_held() -> None:
    assert set(_HOLD) | {"raises_at"} == set(CLAIMS)


RIGHT: list[tuple[str, object]] = [
    ("traces", 3),
    ("traces", {"f": 2, "g": 1, "_where": 1}),
    ("compiles", 3),
    ("compiles", {"f": 2}),
    ("cache", "miss hit miss miss"),
    ("cache", {"f": "miss hit miss", "g": "miss", "h": ""}),
    ("reasons", "shape"),
    ("reasons", {"f": "shape", "g": ""}),
    ("prints", "start"),
    ("prints", ["start", "tracing f", "end"]),
    ("trace_prints", 1),
    ("equations", {"f": 3}),
    ("shows", "Array([1. 2"),
    ("slower", "1 > 5 * 2"),
    ("slower", "f > 2"),
    ("slower", ["1 > 2", "3 > 10 * 2"]),
]
WRONG: list[tuple[str, object, str, str]] = [
    ("traces", 4, "4", "3"),
    ("traces", {"f": 3, "g": 1}, "f: 3; g: 1", "f: 2; g: 1"),
    ("compiles", 4, "4", "3"),
    ("compiles", {"iota": 1}, "iota: 1", "iota: 0"),
    ("cache", "miss miss hit", "miss miss hit", "miss hit miss miss"),
    ("cache", {"f": "miss hit"}, "f: miss hit", "f: miss hit miss"),
    ("reasons", "dtype", "dtype", "shape"),
    ("reasons", "", "none", "shape"),
    ("prints", ["end", "start"], "end | start", "'start' is not there in this order"),
    ("trace_prints", 2, "2", "1 | tracing f"),
    ("equations", {"f": 4}, "f: 4", "f: 3"),
    ("shows", "Array([2.", "Array([2.", "Array([1. 2.])"),
    ("slower", "2 > 1", "2 > 1", "2 took 0.03 times 1"),
    ("slower", ["1 > 2", "1 > 50 * 2"], "1 > 2 and 1 > 50 * 2", "1 took 31.00 times 2"),
    ("raises", "ValueError", "ValueError", "no exception"),
    ("raises_at", "if x", "if x", "no exception"),
    ("holds", "1 > 2", "1 > 2", "no answer"),
]


@pytest.mark.parametrize(("name", "expected"), RIGHT)
def test_a_claim_that_is_true_is_kept(name: str, expected: object) -> None:
    verdict = held(name, expected)
    assert verdict.ok, verdict
    assert verdict.line == 12


@pytest.mark.parametrize(("name", "expected", "told", "actual"), WRONG)
def test_a_claim_that_is_false_tells_what_was_expected_and_what_came(
    name: str, expected: object, told: str, actual: str
) -> None:
    verdict = held(name, expected)
    assert not verdict.ok
    assert verdict.claim == name
    assert verdict.expected == told
    assert actual in verdict.actual


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("traces", "two"),
        ("traces", True),
        ("traces", {"f": "2"}),
        ("cache", 3),
        ("cache", {"f": 1}),
        ("prints", 3),
        ("prints", []),
        ("trace_prints", {"f": 1}),
        ("equations", 3),
        ("slower", "1 is slower than 2"),
        ("slower", "1 > 99"),
        ("slower", "0 > 1"),
        ("slower", "1 > nosuch"),
        ("holds", 3),
    ],
)
def test_a_claim_that_makes_no_sense_is_not_kept_and_says_so(name: str, expected: object) -> None:
    verdict = held(name, expected)
    assert not verdict.ok
    assert verdict.actual.startswith("not understood: ")


def test_an_exception_is_known_by_its_type_and_by_the_text_of_its_line() -> None:
    error = Raised(1, "jax.errors.TracerBoolConversionError", "no bool\nmore", line=2)
    assert held("raises", "TracerBoolConversionError", error).ok
    assert held("raises_at", "if x > 0", error).ok
    assert not held("raises_at", "while", error).ok
    assert held("raises_at", "while", error).actual == "line 2: if x > 0:"
    assert not held("raises", "ValueError", error).ok
    assert "no bool" in held("raises", "ValueError", error).actual


def test_a_step_must_end_well_unless_it_claims_an_exception() -> None:
    error = Raised(1, "ValueError", "bad", line=2)
    raising = msgspec.structs.replace(STEP, claims=(Claim("raises", "ValueError", 3),))
    assert ended(record(), STEP).ok
    assert ended(record(error, outcome="error"), raising).ok
    assert not ended(record(), raising).ok
    verdict = ended(record(error, outcome="error"), STEP)
    assert not verdict.ok
    assert verdict.actual == "error: ValueError: bad"


def test_a_run_that_lost_its_worker_did_not_end_well() -> None:
    lost = msgspec.structs.replace(Record(run=1), lost="the worker was killed")
    assert "the worker was killed" in ended(lost, STEP).actual
    assert not ended(lost, STEP).ok


def test_holds_asks_the_worker_and_believes_only_true() -> None:
    claim = Claim("holds", ["run.traces('f') == 2", "all_well"], 12)
    questions = asks(msgspec.structs.replace(STEP, claims=(claim,)))
    assert [ask.id for ask in questions] == ["holds0", "holds0.sides", "holds1"]
    assert questions[0].code == "bool(run.traces('f') == 2)"
    assert questions[1].code == "(run.traces('f'), 2)"

    def answered(first: str, second: str) -> Verdict:
        answers = (
            Answered(1, "holds0", ok=True, text=first),
            Answered(1, "holds0.sides", ok=True, text="(1, 2)"),
            Answered(1, "holds1", ok=second == "True", text=second),
        )
        return hold(claim, record(*answers), STEP)

    assert answered("True", "True").ok
    assert answered("False", "True").expected == "run.traces('f') == 2"
    assert answered("False", "True").actual == "False: (1, 2)"
    assert answered("True", "NameError: all_well").actual == "NameError: all_well"


def test_a_holds_claim_that_is_no_text_asks_nothing() -> None:
    assert asks(msgspec.structs.replace(STEP, claims=(Claim("holds", 3, 12),))) == ()


def test_hits_told_as_one_count_as_many() -> None:
    many = Called(1, 5, "f", 9, hit=True, dispatch_ms=0.5, repeats=3)
    assert held("cache", {"f": "miss hit miss hit hit hit"}, many).ok
    assert held("slower", "1 > 7", many).ok
