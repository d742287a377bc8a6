"""Mistakes of learners: shapes that do not fit."""

from tests.worker.mistakes.mistake import Mistake

MISTAKES = (
    Mistake(
        "shape add",
        """
jnp.ones(3) + jnp.ones(4)  # here
""",
        "TypeError",
        traced=None,
        say="two shapes fit together when",
        fix="None] or x.reshape(…)",
        lesson=None,
    ),
    Mistake(
        "shape add jit",
        """
@jax.jit
def f(x, y):
    return x + y  # here
f(jnp.ones(3), jnp.ones(4))
""",
        "TypeError",
        traced="x: float32[3] and y: float32[4], arguments of f",
        say="two shapes fit together when",
        fix="None] or x.reshape(…)",
        lesson=None,
    ),
    Mistake(
        "shape where",
        """
jnp.where(jnp.ones(3) > 0, jnp.ones(4), 0)  # here
""",
        "ValueError",
        traced=None,
        say="two shapes fit together when",
        fix="None] or x.reshape(…)",
        lesson=None,
    ),
    Mistake(
        "shape at",
        """
jnp.ones(3).at[:].set(jnp.ones(4))  # here
""",
        "ValueError",
        traced=None,
        say="float32[4] cannot be spread to float32[3]",
        fix="give a value of the wanted shape",
        lesson=None,
    ),
    Mistake(
        "shape dot",
        """
jnp.ones((2, 3)) @ jnp.ones((2, 3))  # here
""",
        "TypeError",
        traced=None,
        say="(3,) and (2,)",
        fix="x.T",
        lesson=None,
    ),
    Mistake(
        "shape concat",
        """
jnp.concatenate([jnp.ones((2, 3)), jnp.ones((2, 4))])  # here
""",
        "TypeError",
        traced=None,
        say="arrays that are joined along axis 0 must have equal sizes in all other axes",
        fix="axis=…",
        lesson=None,
    ),
    Mistake(
        "shape stack",
        """
jnp.stack([jnp.ones(2), jnp.ones(3)])  # here
""",
        "ValueError",
        traced=None,
        say="arrays that are stacked must have the same shape",
        fix="or use jnp.concatenate",
        lesson=None,
    ),
    Mistake(
        "shape reshape",
        """
jnp.ones(5).reshape(2, 3)  # here
""",
        "TypeError",
        traced=None,
        say="a reshape keeps all elements",
        fix="give a shape with 5 elements",
        lesson=None,
    ),
    Mistake(
        "shape axis",
        """
jnp.sum(jnp.ones(3), axis=1)  # here
""",
        "ValueError",
        traced=None,
        say="and the array has no axis 1",
        fix="name an axis the array has",
        lesson=None,
    ),
    Mistake(
        "index many",
        """
x = jnp.ones(3)
x[0, 0]  # here
""",
        "IndexError",
        traced=None,
        say="the index has 2 parts",
        fix="use at most one index for each axis",
        lesson=None,
    ),
    Mistake(
        "nonarray sinnone",
        """
jnp.sin(None)  # here
""",
        "TypeError",
        traced=None,
        say="a function of jax.numpy takes arrays and numbers",
        fix="a function without `return` gives None",
        lesson=None,
    ),
    Mistake(
        "nonarray list op",
        """
jnp.sum([1, 2, 3])  # here
""",
        "TypeError",
        traced=None,
        say="and does not convert a list by itself",
        fix="convert it once with jnp.array(…)",
        lesson=None,
    ),
    Mistake(
        "iter 0d",
        """
@jax.jit
def f(x):
    for i in x:  # here
        pass
f(1.0)
""",
        "TypeError",
        traced="x: float32[], argument of f",
        say="a Python loop goes over the first axis of an array",
        fix="for a number of rounds use jax.lax.fori_loop(0",
        lesson="loops",
    ),
)
