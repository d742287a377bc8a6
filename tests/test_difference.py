"""Two jaxprs are compared by equations; names and order of letters do not matter."""

from jittutor import difference
from jittutor.difference import Pair

SIN_TWICE = """\
{ lambda ; a:f32[3]. let
    b:f32[3] = sin a
    c:f32[3] = mul b 2.0:f32[]
    d:f32[3] = cos a
    e:f32[3] = add c d
  in (e,) }"""

WITH_TANH = """\
{ lambda ; a:f32[3]. let
    b:f32[3] = sin a
    c:f32[3] = tanh b
    d:f32[3] = mul c 2.0:f32[]
    e:f32[3] = cos a
    f:f32[3] = add d e
  in (f,) }"""


def marks(before: str, now: str) -> str:
    return "".join(pair.mark for pair in difference.jaxprs(before, now))


def test_a_program_does_not_differ_from_itself() -> None:
    pairs = difference.jaxprs(SIN_TWICE, SIN_TWICE)
    assert difference.is_same(pairs)
    assert [pair.now for pair in pairs] == SIN_TWICE.splitlines()


def test_renamed_variables_are_no_difference() -> None:
    renamed = SIN_TWICE.replace("e:", "z:").replace("(e,)", "(z,)").replace("d:", "y:").replace("c d", "c y")
    assert renamed != SIN_TWICE
    assert difference.is_same(difference.jaxprs(SIN_TWICE, renamed))


def test_one_new_equation_is_told_with_the_one_that_uses_it_and_nothing_more() -> None:
    assert marks(SIN_TWICE, WITH_TANH) == "  +~   "
    assert Pair("+", "", "    c:f32[3] = tanh b") in difference.jaxprs(SIN_TWICE, WITH_TANH)


def test_an_equation_that_is_gone_is_told() -> None:
    assert marks(WITH_TANH, SIN_TWICE) == "  -~   "


def test_a_new_shape_changes_every_line_that_shows_it() -> None:
    pairs = difference.jaxprs(SIN_TWICE, SIN_TWICE.replace("[3]", "[4]"))
    assert [pair.mark for pair in pairs] == ["~", "~", "~", "~", "~", " "]


def test_swapped_inputs_are_a_difference() -> None:
    assert marks(SIN_TWICE, SIN_TWICE.replace("add c d", "add d c")) == "    ~ "


def test_a_thousand_lines_are_compared_quickly_and_whole() -> None:
    body = "\n".join(f"    v:f32[] = op{n} v" for n in range(1000))
    pairs = difference.jaxprs(body, body + "\n    w:f32[] = last v")
    assert [pair.mark for pair in pairs] == [" "] * 1000 + ["+"]
