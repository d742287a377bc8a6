"""A trace is what a counter in the function's body would count, whoever asked for it."""

import pytest

from jittutor.record import Counts
from tests.worker.tools import Tutor, watched


@pytest.mark.parametrize(
    "call",
    ["f(1.0, 2.0)", "jax.grad(f)(1.0, 2.0)", "jax.jit(jax.grad(f))(1)", "jax.jit(jax.vmap(f))(1.0)"],
)
def test_what_raises_before_the_body_runs_is_no_trace(tutor: Tutor, call: str) -> None:
    source = f"""
        @jax.jit
        def f(x):
            print("body")
            return x * x

        try:
            {call}
        except (TypeError, ValueError) as error:
            print(type(error).__name__)
        f(2.0)
        """
    record = watched(tutor, source)
    assert record.lines()[1:] == ["body"]
    assert record.traces("f") == 1


def test_a_body_that_a_rule_stands_for_is_traced_all_the_same(tutor: Tutor) -> None:
    source = """
        @jax.custom_vjp
        def wave(x):
            return jnp.sin(x)

        wave.defvjp(lambda x: (jnp.sin(x), x), lambda x, change: (change * jnp.cos(x),))
        slope = jax.jit(jax.grad(wave))
        slope(1.0), slope(2.0)
        """
    record = watched(tutor, source)
    assert record.cache("wave") == ["miss", "hit"]
    assert [row.reason.kind for row in record.rows if row.reason] == ["first call"]


def test_a_function_under_pmap_is_told_by_its_own_name(tutor: Tutor) -> None:
    source = """
        ran = []

        def f(x):
            ran.append(x)
            return x + 1

        many = jax.pmap(f)
        for length in (3, 3, 4):
            many(jnp.ones((1, length)))
        print(len(ran))
        """
    record = watched(tutor, source)
    assert record.lines() == ["2"]
    assert record.functions["f"] == Counts(calls=3, traces=2, compiles=2, hits=1)
    reason = list(record.reasons.values())[-1]
    assert (reason.kind, reason.argument, reason.now) == ("shape", "array 1", "f32[1,4]")


def test_a_call_that_raises_in_a_thread_is_told_though_the_thread_calls_nothing_more(tutor: Tutor) -> None:
    source = """
        import threading

        @jax.jit
        def f(x):
            return x if x > 0 else -x

        def work():
            try:
                f(1.0)
            except jax.errors.TracerBoolConversionError:
                print("caught")

        for _ in range(3):
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
        """
    record = watched(tutor, source)
    assert record.lines() == ["caught"] * 3
    assert record.functions["f"] == Counts(calls=3, traces=3)
    assert [row.call.raised for row in record.calls] == [True] * 3


def test_an_object_that_can_be_called_is_told_by_its_class(tutor: Tutor) -> None:
    source = """
        class Layer:
            def __call__(self, x):
                return 2 * x

        layer = jax.jit(Layer())
        layer(1.0), layer(2.0), layer.lower(jnp.ones(3)).compile()
        """
    record = watched(tutor, source)
    assert record.functions == {"Layer": Counts(calls=2, traces=2, compiles=2, hits=1)}
    assert [program.function for program in record.programs] == ["Layer", "Layer"]
