"""What helps with an error: chosen from its type, its words, its line of code and what was traced."""

import re
from pathlib import Path
from string import Template

import pytest

from jittutor import advice, course
from jittutor.advice import RULES, advise
from jittutor.event import Done, Raised
from jittutor.record import Record
from jittutor.report import report

BOOL = "TracerBoolConversionError"
KNOWN = {"argument", "static"}


def of(type_: str, message: str = "", *, code: str = "", traced: str | None = None) -> advice.Advice:
    """The advice for an error, which there must be."""
    found = advise(Raised(1, type_, message, traced=traced, code=code))
    assert found is not None
    return found


@pytest.mark.parametrize("type_", ["KeyError", "MyError", "ValueError", "TypeError", "Exception", ""])
def test_an_unknown_error_gets_no_advice(type_: str) -> None:
    assert advise(Raised(1, type_, "something else went on")) is None


def test_the_line_of_code_decides_among_errors_of_one_type() -> None:
    assert "lax.while_loop" in of(BOOL, code="while x > 0:").fix
    assert "logical_and" in of(BOOL, code="ok = x and y").fix
    assert "checkify" in of(BOOL, code="assert x > 0").fix
    assert "jnp.where" in of(BOOL, code="a = f(x)").fix


def test_only_a_single_number_that_is_an_argument_is_advised_to_be_static() -> None:
    assert 'static_argnames="n"' in of(BOOL, code="if n:", traced="n: bool[], argument of f").fix
    behind = of(BOOL, code="if m:", traced="m: int32[], from the argument n of f")
    assert 'static_argnames="n"' in behind.fix
    for traced in ("x: float32[3], argument of f", "n: int32[], argument of f, traced for scan", None):
        assert "static" not in of(BOOL, code="if x:", traced=traced).fix


def test_several_arguments_are_made_static_together() -> None:
    shapes = "Shapes must be 1D sequences of concrete values of integer type, got (…)"
    found = of("TypeError", shapes, traced="h: int32[] and w: int32[], arguments of f")
    assert '`h` and `w` static, static_argnames=("h", "w")' in found.fix


def test_the_words_of_the_message_are_put_in_and_cut_when_long() -> None:
    message = "The input carry c has type {} but the corresponding output carry component has type f32[], so"
    assert "`c` goes in as int32[] and comes out as f32[]" in of("TypeError", message.format("int32[]")).say
    assert len(of("TypeError", message.format("x" * 3000)).say) < 400


def test_a_carry_with_several_wrong_parts_is_no_matter_of_its_structure() -> None:
    part = (
        "  * the input carry component c[{}] has type {} but the corresponding "
        "output carry component has type {}"
    )
    dtype = f"{part.format(0, 'int32[]', 'float32[]')}, so the dtypes do not match"
    shape = f"{part.format(1, 'float32[1]', 'float32[2]')}, so the shapes do not match"
    told = "scan body function carry input and carry output must have equal types, but they differ:"
    both = of("TypeError", f"{told}\n\n{dtype};\n{shape}.")
    assert "`c[0]` goes in as int32[] and comes out as float32[]" in both.say
    assert "`c[1]` goes in as float32[1]" in of("TypeError", f"{told}\n\n{shape}.").say


def test_branches_with_several_wrong_parts_are_told_by_one_of_them() -> None:
    part = (
        "  * the output of true_fun at path [{}] has type {} but the corresponding "
        "output of false_fun has type {}"
    )
    dtype = f"{part.format(0, 'int32[]', 'float32[]')}, so the dtypes do not match"
    shape = f"{part.format(1, 'float32[2]', 'float32[3]')}, so the shapes do not match"
    told = "cond branches must have equal output types but they differ."
    both = of("TypeError", f"{told}\n\n{dtype};\n{shape}.")
    assert "true_fun at path [0] gives int32[] and false_fun gives float32[]" in both.say


def test_a_message_that_nearly_fits_is_answered_at_once() -> None:
    message = "error calling callback" + '\n  File "a", line 1, in f\n    x' * 60 + "\n!" * 400
    assert advise(Raised(1, "JaxRuntimeError", message)) is None


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.say[:40])
def test_a_rule_is_sound_in_itself(rule: advice.Rule) -> None:
    groups = set(re.compile(rule.words).groupindex) | KNOWN
    for text in (rule.say, rule.fix):
        assert set(Template(text).get_identifiers()) <= groups
        assert text == text.strip()
        assert not text.endswith(".")
        assert text[0] == text[0].lower() or text.startswith(("Python", "JAX", "NumPy"))
        assert len(text) <= 240
        assert not re.search(r"\b(you|your|wrong|mistake|simply|just|please|must not|bad)\b|!(?!=)", text)


def test_every_lesson_that_is_named_exists(root: Path) -> None:
    lessons = {entry.slug for entry in course.load(root / "lessons").entries}
    assert {rule.lesson for rule in RULES if rule.lesson} - lessons == set()


def test_the_report_of_an_unknown_error_is_its_own_first_words() -> None:
    error = Raised(1, "OddError", "first\nsecond", line=3, code="odd()")
    record = Record(run=1).after(error).after(Done(1, "error", 0.1, 1))
    told = report(record, "script.py").partition("ended by ")[2].splitlines()
    assert told == ["OddError at script.py:3", "        odd()", "    first"]


def test_hostile_text_in_an_error_is_harmless_in_the_report() -> None:
    error = Raised(
        1, "Odd\x1b[2J", "\x1b]0;title\x07\x1b[31m" + "x" * 5000, code="\x1b[1mf()", place="a\x07b"
    )
    text = report(Record(run=1).after(error).after(Done(1, "error", 0.1, 1)), "script.py")
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 300
