"""Mistakes of learners: arguments and results that jit does not take."""

from tests.worker.mistakes.mistake import Mistake

MISTAKES = (
    Mistake(
        "nonarray return",
        """
@jax.jit
def f(x):
    return 'done'
f(1.0)  # here
""",
        "TypeError",
        traced=None,
        say="and it returned a value of type str",
        fix="return the arrays",
        lesson="tracing-once",
    ),
    Mistake(
        "jit notcallable",
        """
jax.jit(3)  # here
""",
        "TypeError",
        traced=None,
        say="jit takes the function itself",
        fix="write jax.jit(f)(x) instead of jax.jit(f(x))",
        lesson="tracing-once",
    ),
    Mistake(
        "gen",
        """
@jax.jit  # here
def f(x):
    yield x
f(1.0)
""",
        "TypeError",
        traced=None,
        say="jit cannot trace a function that contains `yield`",
        fix="for example with jax.lax.scan",
        lesson="loops",
    ),
    Mistake(
        "recursive",
        """
@jax.jit
def fact(n):
    return jax.lax.cond(n > 1, lambda n: n * fact(n - 1), lambda n: 1, n)  # here
fact(3)
""",
        "RecursionError",
        traced="n: int32[], argument of a lambda",
        say="the function calls itself while it is traced",
        fix="jax.lax.while_loop or jax.lax.fori_loop",
        lesson="both-branches",
    ),
    Mistake(
        "function handed over",
        """
@jax.jit
def apply(g, x):
    return g(x)
apply(jnp.sin, jnp.ones(3))  # here
""",
        "TypeError",
        traced=None,
        say="`g` is a function",
        fix='static_argnames="g"',
        lesson="static-arguments",
    ),
)
