"""A hit is told with its signature and its result, whatever JAX did before."""

from jittutor.event import Called, Event, Waited
from jittutor.worker.watch import Watch

RAISES = """
import jax
@jax.jit
def f(x):
    return 1 if x > 0 else 2
f(1.0)
"""

EAGER_VMAP = """
import jax, jax.numpy as jnp
f = jax.jit(lambda x: x * 2)
jax.vmap(f)(jnp.ones((2, 3)))
x = jnp.ones(3)
f(x)
f(x)
f(x).block_until_ready()
"""

KEYS = """
import jax
g = jax.jit(lambda key: jax.random.uniform(key))
key = jax.random.key(0)
for _ in range(3):
    g(key).block_until_ready()
"""


def run(source: str) -> list[Event]:
    heard: list[Event] = []
    watch = Watch(heard.append, 1, live=False)
    watch.file = "watched.py"
    code = compile(source, "watched.py", "exec")
    watch.add(code)
    watch.start()
    try:
        exec(code, {})  # noqa: S102 - the watched program
    except Exception as error:  # noqa: BLE001 - what the program does
        assert "Tracer" in type(error).__name__  # noqa: PT017 - only this kind is meant
    finally:
        watch.stop()
    return heard


def hits(heard: list[Event]) -> list[Called]:
    return [event for event in heard if isinstance(event, Called) and event.hit]


def test_hits_after_a_run_that_raised_while_tracing_have_their_signature() -> None:
    run(RAISES)
    assert [call.signature for call in hits(run(KEYS))] == ["key: key<fry>[]"] * 2


def test_random_keys_are_arguments_like_others() -> None:
    heard = run(KEYS)
    assert len(hits(heard)) == 2
    assert len([event for event in heard if isinstance(event, Waited)]) == 3


def test_hits_after_a_vmap_outside_jit_have_their_signature_from_the_second_on() -> None:
    found = hits(run(EAGER_VMAP))
    assert [call.signature for call in found][-1] == "x: f32[3]"
