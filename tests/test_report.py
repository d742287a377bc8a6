"""A report says what was compiled and why again, in sentences to paste; nothing that is not so."""

from jittutor.event import Called, Compiled, Done, Event, Raised, Traced
from jittutor.record import Record
from jittutor.report import report
from jittutor.xray import to_object
from tests.facts import hit, key, leaf, miss

K3, K4, K5 = key(leaf("x", 3)), key(leaf("x", 4)), key(leaf("x", 5))


def fold(*events: Event) -> Record:
    record = Record(run=1)
    for event in events:
        record = record.after(event)
    return record


def lines(*events: Event) -> list[str]:
    return report(fold(*events, Done(1, "ok", 2.0)), "train.py").splitlines()


def test_a_function_that_is_compiled_once_is_told_in_one_line() -> None:
    found = lines(*miss(1, K3), Compiled(1, "f", 500.0), hit(2, K3))
    assert found[2:] == [
        "compiling took 500 ms of 2.0 s: 1 jitted function compiled once",
        "2 calls of jitted functions, 1 answered from the cache",
    ]


def test_what_is_compiled_again_is_told_with_line_reason_and_change() -> None:
    compiled = Compiled(1, "f", 10.0)
    found = lines(*miss(1, K3), compiled, *miss(2, K4), compiled, *miss(3, K5), compiled)
    assert found[2] == "compiling took 30 ms of 2.0 s: 1 jitted function compiled 3 times (2 again)"
    assert found[5] == " 1  f (train.py:2): traced or compiled again 2 times, 20 ms"
    assert found[6].endswith("f32[3] → f32[4] (and 1 more like it)")
    assert found[7].startswith("    fix: ")


def test_a_trace_that_a_library_asked_for_is_told_with_its_reason() -> None:
    record = fold(Traced(1, 1, K3, line=7), Traced(1, 2, K4, line=8))
    found = report(record, "train.py")
    assert "f (train.py:8): traced or compiled again once\n" in found
    assert "f32[3] → f32[4]" in found
    reasons = [traced["reason"]["kind"] for traced in to_object(record)["traces"]]
    assert reasons == ["first call", "shape"]


def test_a_script_that_raises_before_anything_is_compiled_has_no_counts_of_nothing() -> None:
    called = Called(1, 1, "f", 5, hit=False, raised=True)
    found = lines(called, Raised(1, "TypeError", "f() takes 1 positional argument but 2 were given", 5))
    assert found[2:4] == ["nothing was compiled", "1 call of a jitted function, 0 answered from the cache"]
    assert "0.0 ms" not in "\n".join(found)


def test_a_script_without_jax_is_told_as_such() -> None:
    assert lines()[2:] == ["nothing was compiled: no jitted function was called, and no array operation"]


def test_operations_outside_jit_stand_apart() -> None:
    found = lines(Compiled(1, "add", 5.0, eager=True), Compiled(1, "sin", 5.0, eager=True, line=3))
    assert found[2] == "compiling took 10 ms of 2.0 s: 2 operations outside jit"
    assert found[-1] == "outside jit: 2 operations compiled, 10 ms (add 1, sin 1), mostly from line 3"


def test_programs_found_on_disk_are_told() -> None:
    traced, called = miss(1, K3)
    found = lines(traced, Compiled(1, "f", 5.0, from_disk=True), called)
    assert found[2].endswith("compiled once, 1 of all found in the compilation cache on disk")
