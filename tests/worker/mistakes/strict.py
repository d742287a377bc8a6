"""Mistakes of those who asked JAX to be strict."""

from tests.worker.mistakes.mistake import Mistake

AHEAD = """
f = jax.jit(lambda x: 2 * x)
program = f.lower(jnp.ones(3)).compile()
"""

MISTAKES = (
    Mistake(
        "compiled for another type",
        AHEAD + "program(jnp.ones(4))  # here\n",
        "TypeError",
        traced=None,
        say="`x` was float32[3], and is float32[4]",
        fix="call the jitted function itself",
        lesson="ahead-of-time",
    ),
    Mistake(
        "compiled for another form",
        AHEAD + "program(jnp.ones(3), jnp.ones(3))  # here\n",
        "TypeError",
        traced=None,
        say="in one way only",
        fix="static arguments left out",
        lesson="ahead-of-time",
    ),
    Mistake(
        "compiled program inside jit",
        AHEAD + "jax.jit(lambda x: program(x) + 1)(jnp.ones(3))  # here\n",
        "TypeError",
        traced="x: float32[3], argument of a lambda",
        say="jit, grad and vmap cannot look into it",
        fix="call the jitted function itself",
        lesson="ahead-of-time",
    ),
    Mistake(
        "forbidden trace",
        """
f = jax.jit(lambda x: 2 * x)
with jax.no_tracing():
    f(3.0)  # here
""",
        "RuntimeError",
        traced=None,
        say="this call of <lambda> needs one",
        fix="call it once before",
        lesson="what-triggers-a-recompile",
    ),
    Mistake(
        "strict dtypes",
        """
with jax.numpy_dtype_promotion("strict"):
    jnp.ones(3) + jnp.ones(3, int)  # here
""",
        "TypePromotionError",
        traced=None,
        say="are not made equal",
        fix="x.astype(y.dtype)",
        lesson="dtypes-not-values",
    ),
    Mistake(
        "strict axes",
        """
with jax.numpy_rank_promotion("raise"):
    jnp.ones((2, 3)) + jnp.ones(3)  # here
""",
        "ValueError",
        traced=None,
        say="different numbers of axes",
        fix="x[None, :]",
        lesson=None,
    ),
    Mistake(
        "keys of a dict",
        """
f = jax.jit(lambda tree: tree["a"])
f({"a": 1.0, 1: 2.0})  # here
""",
        "ValueError",
        traced=None,
        say="cannot be compared with each other",
        fix="only strings",
        lesson="trees-and-calls",
    ),
    Mistake(
        "many random keys",
        """
keys = jax.random.split(jax.random.key(0), 3)
jax.random.normal(keys)  # here
""",
        "ValueError",
        traced=None,
        say="an array of keys with the shape (3,)",
        fix="jax.vmap(jax.random.normal)(keys)",
        lesson=None,
    ),
    Mistake(
        "random key as number",
        """
key = jax.random.key(0)
key + 1  # here
""",
        "TypeError",
        traced=None,
        say="a random key is no number",
        fix="jax.random.fold_in",
        lesson=None,
    ),
    Mistake(
        "unknown setting",
        """
jax.config.update("jax_enable_x46", True)  # here
""",
        "AttributeError",
        traced=None,
        say="no setting `jax_enable_x46`",
        fix="jax.config.values",
        lesson=None,
    ),
)
