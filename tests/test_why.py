"""A reason names what changed since the closest earlier call, in plain words, and one thing to do."""

import msgspec
import pytest

from jittutor.key import Argument, Key, Transformed
from jittutor.reason import PRIORITY, Kind
from jittutor.why import compiled_alone, explain
from tests.facts import key, leaf

X3, X4 = leaf("x", 3), leaf("x", 4)


def test_the_first_call_of_a_function_has_nothing_to_fix() -> None:
    reason = explain(key(X3), [])
    assert reason.kind == "first call"
    assert "nothing to fix" in reason.fix


@pytest.mark.parametrize(
    ("before", "now", "kind", "argument", "told"),
    [
        (key(X3), key(X4), "shape", "x", ("f32[3]", "f32[4]")),
        (key(X3), key(leaf("x", 3, dtype="i32")), "dtype", "x", ("f32[3]", "i32[3]")),
        (key(leaf("x", weak=True)), key(leaf("x")), "weak type", "x", ("~f32[]", "f32[]")),
        (key(static={"n": "2"}), key(static={"n": "3"}), "static value", "n", ("2", "3")),
        (key(X3, tree="[*]"), key(X3, tree="(*,)"), "pytree", "x", ("[*]", "(*,)")),
        (key(X3), key(X3, form="keyword"), "call form", "x", ("positional", "keyword")),
        (key(X3), key(X3, jax_enable_x64="True"), "context", "jax_enable_x64", (None, "True")),
        (key(X3), key(leaf("x", 3, placed="cpu:1")), "device or sharding", "x", ("not placed", "cpu:1")),
        (key(X3), key(X3, epoch=1), "cache cleared", None, (None, None)),
        (key(X3), key(X3), "unknown", None, (None, None)),
    ],
)
def test_what_changed_is_named_with_the_argument_and_both_values(
    before: Key, now: Key, kind: Kind, argument: str | None, told: tuple[str | None, str | None]
) -> None:
    reason = explain(now, [before])
    assert (reason.kind, reason.argument, (reason.before, reason.now)) == (kind, argument, told)
    assert reason.say.startswith("not reused")
    assert reason.fix


def test_a_new_object_from_the_same_code_is_a_new_function() -> None:
    reason = explain(key(X3, identity=2), [key(X3, identity=1)])
    assert reason.kind == "new function"


def test_a_function_that_was_written_again_is_a_new_function() -> None:
    reason = explain(key(X3, identity=2, code="f@file.py:9"), [key(X3, identity=1, code="f@file.py:1")])
    assert reason.kind == "new function"


def test_another_function_in_another_file_is_a_first_call() -> None:
    other = key(X3, identity=1, code="f@other.py:1")
    assert explain(key(X3, identity=2), [other]).kind == "first call"


def test_the_closest_earlier_call_is_compared_not_the_newest() -> None:
    far = key(leaf("x", 9, dtype="i32"), jax_enable_x64="True")
    reason = explain(key(X4), [key(X3), far])
    assert (reason.kind, reason.before) == ("shape", "f32[3]")


def test_of_two_equally_close_calls_the_newer_is_compared() -> None:
    assert explain(key(leaf("x", 5)), [key(X3), key(X4)]).before == "f32[4]"


def test_a_new_call_form_does_not_hide_a_new_shape() -> None:
    by_name, by_place = key(X3, form="keyword"), key(X3)
    reason = explain(key(leaf("x", 5)), [by_place, by_name])
    assert reason.kind == "shape"


def test_shape_and_dtype_that_change_together_are_both_told() -> None:
    reason = explain(key(leaf("x", 4, dtype="i32")), [key(X3)])
    assert [d.kind for d in reason.differences] == ["shape", "dtype"]
    assert "a new shape and dtype: f32[3] → i32[4]" in reason.say


def test_a_new_shape_is_told_before_a_weak_type() -> None:
    assert explain(key(leaf("x", 2)), [key(leaf("x", weak=True))]).kind == "shape"


def test_an_argument_that_is_left_out_is_another_call_form() -> None:
    given = Key(
        "f", 1, "f@f.py:1", (Argument("x", "positional", tree="*"), Argument("y", "keyword", tree="*"))
    )
    left_out = Key("f", 1, "f@f.py:1", (Argument("x", "positional", tree="*"), Argument("y", "left out")))
    reason = explain(given, [left_out])
    assert (reason.kind, reason.argument, reason.before, reason.now) == (
        "call form",
        "y",
        "left out",
        "keyword",
    )


def test_jax_own_words_are_passed_through() -> None:
    assert explain(key(X4), [key(X3)], "TRACING CACHE MISS …").raw == "TRACING CACHE MISS …"


def test_a_call_that_only_compiles_is_told_by_where_its_arrays_are() -> None:
    moved = key(leaf("x", 3, placed="gpu:1"))
    assert compiled_alone(moved, [key(X3)]).kind == "device or sharding"


def test_a_first_compile_under_a_transformation_is_told_as_such() -> None:
    way = (Transformed("x", "grad", "f32[3]"),)
    under = msgspec.structs.replace(key(X3), transformed=way)
    reason = compiled_alone(under, [key(X3)])
    assert reason.kind == "first call"
    assert "first call of f under grad (x)" in reason.say
    assert compiled_alone(key(X3), [under]).kind == "first call", "and the other way round"


def test_another_program_of_one_transformation_is_told_as_such() -> None:
    under = msgspec.structs.replace(key(X3), transformed=(Transformed("x", "grad", "f32[3]"),))
    reason = compiled_alone(under, [under])
    assert reason.kind == "first call"
    assert "grad (x) made another program from the trace of f" in reason.say


def test_another_length_under_vmap_is_a_new_shape() -> None:
    two, four = (
        msgspec.structs.replace(key(X3), transformed=(Transformed("x", "vmap", f"f32[{length},3]"),))
        for length in (2, 4)
    )
    reason = compiled_alone(four, [two])
    assert (reason.kind, reason.before, reason.now) == ("shape", "f32[2,3]", "f32[4,3]")


def test_a_static_nan_is_told_to_be_equal_to_nothing() -> None:
    nan = key(static={"n": "nan"})
    reason = explain(nan, [nan])
    assert (reason.kind, reason.argument) == ("static value", "n")
    assert "never equal to itself" in reason.say


def test_a_long_row_of_arrays_is_told_by_its_number() -> None:
    before, now = (key(X3, tree=f"[{', '.join(['*'] * length)}]") for length in (50, 51))
    reason = explain(now, [before])
    assert (reason.before, reason.now) == ("[* 50 times]", "[* 51 times]")


def test_what_changed_as_well_is_told_once() -> None:
    before, now = (
        key(X3, static={"n": "1"}),
        key(leaf("x", 4, dtype="i32"), static={"n": "2"}),
    )
    assert explain(now, [before]).say.endswith("; changed as well: x: f32[3] → i32[4]")


def test_a_first_compile_after_a_trace_inside_another_function_is_told_as_such() -> None:
    reason = compiled_alone(key(X3), [])
    assert reason.kind == "first call"
    assert "on its own" in reason.say


def test_every_kind_that_can_be_compared_has_its_place_in_the_order() -> None:
    kinds = set(Kind.__value__.__args__)
    assert set(PRIORITY) == kinds - {"first call"}


def test_thousands_of_earlier_calls_are_no_trouble() -> None:
    earlier = [key(leaf("x", n)) for n in range(5000)]
    assert explain(key(leaf("x", 5000)), earlier).before == "f32[4999]"


def test_static_objects_that_look_alike_and_are_unequal_are_told_as_a_new_static_value() -> None:
    def config(number: int) -> Key:
        return Key("f", 1, "f@f.py:1", (Argument("config", "positional", "Config(n=3)", number),))

    reason = explain(config(2), [config(1)])
    assert (reason.kind, reason.argument, reason.before) == ("static value", "config", "Config(n=3)")
    assert reason.now is not None
    assert "not equal" in reason.now


def test_a_call_after_one_that_raised_while_it_was_traced_is_a_first_call() -> None:
    reason = explain(key(X3), [], failed=[key(X3)])
    assert reason.kind == "first call"
    assert "raised before its trace was complete" in reason.say


def test_another_lambda_of_the_same_file_is_a_first_call() -> None:
    one, other = (key(X3, identity=n, code=f"<lambda>@file.py:{n}") for n in (1, 2))
    assert explain(other, [one]).kind == "first call"


def test_a_difference_that_is_told_is_not_told_again() -> None:
    reason = explain(key(leaf("x", 2, dtype="i32")), [key(leaf("x"))])
    assert "changed as well" not in reason.say


def test_the_two_kinds_of_random_keys_differ_in_their_dtype() -> None:
    reason = explain(key(leaf("x", 2, dtype="u32")), [key(leaf("x", dtype="key<fry>"))])
    assert (reason.kind, reason.before, reason.now) == ("dtype", "key<fry>[]", "u32[2]")
    assert "jax.random.key" in reason.fix


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        ("2", "3", "pass it as an array"),
        ("'relu'", "'tanh'", "few values"),
        ("None", "True", "few values"),
        ("Config(n=1)", "Config(n=2)", "few values"),
    ],
)
def test_what_helps_with_a_static_value_fits_the_value(before: str, now: str, told: str) -> None:
    assert told in explain(key(static={"n": now}), [key(static={"n": before})]).fix


def test_a_setting_that_no_earlier_key_tells_had_its_usual_value() -> None:
    changed = msgspec.structs.replace(key(X3, jax_scan3="True"), usual=(("jax_scan3", "False"),))
    assert explain(changed, [key(X3)]).before == "False"
    assert explain(key(X3), [changed]).now == "False"


def test_a_mesh_around_the_call_is_the_reason_why_its_arguments_are_elsewhere() -> None:
    inside = msgspec.structs.replace(
        key(leaf("x", 3, placed="on the mesh")), context=(("jax.set_mesh", "mesh {'x': 4}"),)
    )
    reason = explain(inside, [key(X3)])
    assert (reason.kind, reason.argument) == ("context", "jax.set_mesh")


@pytest.mark.parametrize(
    ("text", "told"), [("Config(n=1)", "__eq__ and a __hash__"), ("<lambda>", "the same function object")]
)
def test_what_helps_with_a_static_object_fits_the_object(text: str, told: str) -> None:
    old, new = (Key("f", 1, "f@f.py:1", (Argument("n", "positional", text, number),)) for number in (1, 2))
    assert told in explain(new, [old]).fix


def test_what_helps_with_a_weak_type_names_the_dtype_of_the_argument() -> None:
    reason = explain(key(leaf("n", dtype="i32")), [key(leaf("n", dtype="i32", weak=True))])
    assert "jnp.int32(…)" in reason.fix


def test_what_helps_with_a_default_is_to_give_it_always_or_never() -> None:
    given, left = key(X3, leaf("eps")), key(X3)
    assert "in every call, or in none" in explain(given, [left]).fix


def test_what_helps_with_a_gathered_argument_is_a_fixed_number_of_them() -> None:
    assert "as many arguments" in explain(key(X3, leaf("rest[0]")), [key(X3)]).fix


def test_of_a_big_tree_only_the_part_that_differs_is_told() -> None:
    def tree(bias: str) -> str:
        layers = [f"'layer_{n}': {{'bias': {bias if n == 9 else '*'}, 'kernel': *}}" for n in range(30)]
        return f"{{{', '.join(layers)}}}"

    reason = explain(key(X3, tree=tree("None")), [key(X3, tree=tree("*"))])
    assert reason.kind == "pytree"
    assert reason.now is not None
    assert "'layer_9': {'bias': None" in reason.now
    assert len(reason.say) < 400


def test_equal_trees_with_unequal_fixed_parts_are_told_as_a_pytree() -> None:
    old, new = (
        Key("f", 1, "f@f.py:1", (Argument("b", "positional", None, n, "Box[Aux()](*)"),)) for n in (1, 2)
    )
    reason = explain(new, [old])
    assert (reason.kind, reason.argument) == ("pytree", "b")
    assert "not equal" in reason.say
    assert "__eq__" in reason.fix


def test_a_function_that_is_jitted_with_other_options_is_told_with_them() -> None:
    donating = msgspec.structs.replace(key(X3), options=(("donate_argnums", "(0,)"),))
    reason = compiled_alone(donating, [key(X3)])
    assert reason.kind == "new function"
    assert "no options → donate_argnums=(0,)" in reason.say
