"""Mistakes of learners: Python or NumPy asks a traced value for its number."""

from tests.worker.mistakes.mistake import Mistake

MISTAKES = (
    Mistake(
        "scan range",
        """
def body(c, i):
    for _ in range(i):  # here
        c = c + 1
    return c, c
jax.lax.scan(body, 0., jnp.arange(3))
""",
        "TracerIntegerConversionError",
        traced="i: int32[], argument of body, traced for scan",
        say="this value belongs to the body of a loop",
        fix="jnp.where with a mask",
        lesson="loops",
    ),
    Mistake(
        "integer range",
        """
@jax.jit
def f(x, n):
    for i in range(n):  # here
        x = x * 2
    return x
f(1.0, 3)
""",
        "TracerIntegerConversionError",
        traced="n: int32[], argument of f",
        say="range() needs a whole number",
        fix="mark `n` static",
        lesson="loops",
    ),
    Mistake(
        "integer index",
        """
xs = [1, 2, 3]
@jax.jit
def f(i):
    return xs[i]  # here
f(1)
""",
        "TracerIntegerConversionError",
        traced="i: int32[], argument of f",
        say="a Python list or tuple needs a whole number as its index",
        fix="jnp.array(…)[…]",
        lesson="branches",
    ),
    Mistake(
        "hex",
        """
@jax.jit
def f(n):
    print(hex(n))  # here
    return n
f(3)
""",
        "TracerIntegerConversionError",
        traced="n: int32[], argument of f",
        say="Python needs a whole number here",
        fix="mark `n` static",
        lesson="branches",
    ),
    Mistake(
        "np random",
        """
@jax.jit
def f(x):
    return np.random.normal(x)  # here
f(1.0)
""",
        "TracerArrayConversionError",
        traced="x: float32[], argument of f",
        say="NumPy's random functions need the numbers themselves",
        fix="use jax.random with a key",
        lesson="frozen-at-trace",
    ),
    Mistake(
        "array np",
        """
@jax.jit
def f(x):
    return np.sin(x)  # here
f(jnp.ones(3))
""",
        "TracerArrayConversionError",
        traced="x: float32[3], argument of f",
        say="NumPy needs the numbers themselves",
        fix="use the jax.numpy function of the same name",
        lesson="branches",
    ),
    Mistake(
        "array npindex",
        """
table = np.arange(5)
@jax.jit
def f(i):
    return table[i]  # here
f(1)
""",
        "TracerArrayConversionError",
        traced="i: int32[], argument of f",
        say="a NumPy array needs a number as its index",
        fix="jnp.asarray(table)[…]",
        lesson="branches",
    ),
    Mistake(
        "arr",
        """
from numpy import sin
@jax.jit
def f(x):
    return sin(x)  # here
f(1.0)
""",
        "TracerArrayConversionError",
        traced="x: float32[], argument of f",
        say="a library that works on NumPy arrays needs the numbers themselves",
        fix="use a jax.numpy function",
        lesson="branches",
    ),
)
