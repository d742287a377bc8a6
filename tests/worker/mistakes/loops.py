"""Mistakes of learners: loops and branches of jax.lax."""

from tests.worker.mistakes.mistake import Mistake

MISTAKES = (
    Mistake(
        "carry",
        """
def body(c, x):
    return c + x, c
jax.lax.scan(body, jnp.int32(0), jnp.ones(3))  # here
""",
        "TypeError",
        traced=None,
        say="`c` goes in as int32[] and comes out as float32[]",
        fix="such as 0.0 instead of 0",
        lesson="carry",
    ),
    Mistake(
        "while shape",
        """
jax.lax.while_loop(lambda c: c.sum() < 3, lambda c: jnp.concatenate([c, c]), jnp.ones(1))  # here
""",
        "TypeError",
        traced=None,
        say="`c` goes in as float32[1] and comes out as float32[2]",
        fix="start with an array of the final shape and fill it with .at[i].set(…)",
        lesson="carry",
    ),
    Mistake(
        "scan tree",
        """
def body(c, x):
    return (c, x), c
jax.lax.scan(body, 0., jnp.ones(3))  # here
""",
        "TypeError",
        traced=None,
        say="each round hands its carry to the next",
        fix="return the carry built in the same way as the start value",
        lesson="carry",
    ),
    Mistake(
        "scan notpair",
        """
def body(c, x):
    return c + x
jax.lax.scan(body, 0., jnp.ones(3))  # here
""",
        "TypeError",
        traced=None,
        say="it gave float32[]",
        fix="write return carry",
        lesson="loops",
    ),
    Mistake(
        "scan len",
        """
def body(c, x):
    return c, x[0]
jax.lax.scan(body, 0., (jnp.ones(3), jnp.ones(4)))  # here
""",
        "ValueError",
        traced=None,
        say="scan goes over the first axis of all its inputs together",
        fix="cut or pad the inputs to one length",
        lesson="loops",
    ),
    Mistake(
        "scan nolen",
        """
def body(c, x):
    return c, c
jax.lax.scan(body, 0., None)  # here
""",
        "ValueError",
        traced=None,
        say="scan does not know how many rounds to make",
        fix="write length=…",
        lesson="loops",
    ),
    Mistake(
        "scan scalar",
        """
def body(c, x):
    return c, c
jax.lax.scan(body, 0., 3.0)  # here
""",
        "ValueError",
        traced=None,
        say="scan goes over the first axis of its inputs",
        fix="such as jnp.arange(n)",
        lesson="loops",
    ),
    Mistake(
        "while cond",
        """
jax.lax.while_loop(lambda c: c, lambda c: c - 1, 3)  # here
""",
        "TypeError",
        traced=None,
        say="it gave [ShapedArray(int32[]",
        fix="jnp.any(x < limit)",
        lesson="loops",
    ),
    Mistake(
        "fori float",
        """
jax.lax.fori_loop(0, 3.0, lambda i, c: c + 0.5, 0.)  # here
""",
        "TypeError",
        traced=None,
        say="the two limits of fori_loop have different types",
        fix="make both whole numbers of one dtype",
        lesson="loops",
    ),
    Mistake(
        "cond type",
        """
@jax.jit
def f(x):
    return jax.lax.cond(x > 0, lambda x: x, lambda x: 0, x)  # here
f(1.0)
""",
        "TypeError",
        traced="x: float32[], argument of f",
        say="true_fun gives float32[] and false_fun gives int32[]",
        fix="such as 0.0 instead of 0",
        lesson="both-branches",
    ),
    Mistake(
        "cond shape",
        """
@jax.jit
def f(x):
    return jax.lax.cond(x.sum() > 0, lambda x: x, lambda x: x[:1], x)  # here
f(jnp.ones(3))
""",
        "TypeError",
        traced="x: float32[3], argument of f",
        say="true_fun gives float32[3] and false_fun gives float32[1]",
        fix="make the shapes equal",
        lesson="both-branches",
    ),
    Mistake(
        "cond tree",
        """
@jax.jit
def f(x):
    return jax.lax.cond(x > 0, lambda x: (x, x), lambda x: x, x)  # here
f(1.0)
""",
        "TypeError",
        traced="x: float32[], argument of f",
        say="both branches become one program",
        fix="return the same number of values",
        lesson="both-branches",
    ),
    Mistake(
        "cond pred",
        """
@jax.jit
def f(x):
    return jax.lax.cond(x > 0, lambda x: x, lambda x: -x, x)  # here
f(jnp.ones(3))
""",
        "TypeError",
        traced="x: float32[3], argument of f",
        say="this one has the shape (3,)",
        fix="choose for each element with jnp.where",
        lesson="both-branches",
    ),
    Mistake(
        "cond notcallable",
        """
@jax.jit
def f(x):
    return jax.lax.cond(x > 0, x, -x)  # here
f(1.0)
""",
        "TypeError",
        traced="x: float32[], argument of f",
        say="lax.cond takes two functions and runs one of them",
        fix="lax.cond(condition",
        lesson="both-branches",
    ),
    Mistake(
        "switch float",
        """
jax.lax.switch(1.0, [lambda x: x, lambda x: x], 1.0)  # here
""",
        "TypeError",
        traced=None,
        say="lax.switch counts its branches from 0",
        fix="convert it with .astype(int)",
        lesson="both-branches",
    ),
)
