"""Mistakes of learners: printing, and numbers that are too large or none."""

from tests.worker.mistakes.mistake import Mistake

MISTAKES = (
    Mistake(
        "debug nans",
        """
jax.config.update('jax_debug_nans', True)
@jax.jit
def f(x):
    return jnp.sqrt(x)  # here
f(-1.0)
""",
        "FloatingPointError",
        traced=None,
        say="and `sqrt` gave a value that is not a number (nan)",
        fix="jnp.where(x > 0",
        lesson="nan-never-taken",
    ),
    Mistake(
        "debug infs",
        """
jax.config.update('jax_debug_infs', True)
1.0 / jnp.zeros(3)  # here
""",
        "FloatingPointError",
        traced=None,
        say="and `div` gave an infinite value",
        fix="jnp.where(x != 0",
        lesson="nan-never-taken",
    ),
    Mistake(
        "overflow arg",
        """
@jax.jit
def f(x):
    return x
f(3_000_000_000)  # here
""",
        "OverflowError",
        traced=None,
        say="and 3000000000 is too large for it",
        fix="write it as a float",
        lesson="dtypes-not-values",
    ),
    Mistake(
        "overflow asarray",
        """
jnp.asarray(3_000_000_000)  # here
""",
        "OverflowError",
        traced=None,
        say="3000000000 does not fit into int32",
        fix="use a wider dtype or a float",
        lesson="dtypes-not-values",
    ),
    Mistake(
        "breakpoint",
        """
@jax.jit
def f(x):
    jax.debug.breakpoint()
    return x
print(f(1.0))  # here
""",
        "JaxRuntimeError",
        traced=None,
        say="jax.debug.breakpoint() waits for commands",
        fix="or print with jax.debug.print instead",
        lesson="printing-at-run-time",
    ),
    Mistake(
        "format",
        """
@jax.jit
def f(x):
    print(f'{x:.2f}')  # here
    return x
f(1.0)
""",
        "TypeError",
        traced="x: float32[], argument of f",
        say="a text needs the number itself",
        fix='print with jax.debug.print("{x:.2f}"',
        lesson="printing-at-run-time",
    ),
    Mistake(
        "format array",
        """
x = jnp.ones(3)
print(f'{x:.2f}')  # here
""",
        "TypeError",
        traced=None,
        say="a format such as .2f is for one number",
        fix="jnp.round(x",
        lesson=None,
    ),
    Mistake(
        "debug fstring",
        """
@jax.jit
def f(x):
    jax.debug.print(f'x is {x}', x=x)  # here
    return x
f(1.0)
""",
        "ValueError",
        traced="x: float32[], argument of f",
        say="so jax.debug.print finds no {…} left to fill",
        fix='jax.debug.print("x is {x}"',
        lesson="printing-at-run-time",
    ),
    Mistake(
        "debug fstring pos",
        """
@jax.jit
def f(x):
    jax.debug.print(f'x is {x}', x)  # here
    return x
f(1.0)
""",
        "ValueError",
        traced="x: float32[], argument of f",
        say="jax.debug.print was given more values than its text has {}",
        fix='jax.debug.print("x is {}"',
        lesson="printing-at-run-time",
    ),
    Mistake(
        "debug missing",
        """
@jax.jit
def f(x):
    jax.debug.print('x is {y}', x=x)  # here
    return x
f(1.0)
""",
        "KeyError",
        traced="x: float32[], argument of f",
        say="the text of jax.debug.print asks in {…} for a value that was not handed over",
        fix='jax.debug.print("x is {x}"',
        lesson="printing-at-run-time",
    ),
)
