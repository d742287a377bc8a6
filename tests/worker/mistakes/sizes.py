"""Mistakes of learners: sizes and numbers that must be known while JAX traces."""

from tests.worker.mistakes.mistake import Mistake

MISTAKES = (
    Mistake(
        "format percentf",
        """
@jax.jit
def f(x):
    print('%.2f' % x)  # here
    return x
f(1.0)
""",
        "ConcretizationTypeError",
        traced="x: float32[], argument of f",
        say="a text needs the number itself",
        fix='print with jax.debug.print("{x}"',
        lesson="printing-at-run-time",
    ),
    Mistake(
        "math sin",
        """
import math
@jax.jit
def f(x):
    return math.sin(x)  # here
f(1.0)
""",
        "ConcretizationTypeError",
        traced="x: float32[], argument of f",
        say="the functions of `math` need the number itself",
        fix="use the jax.numpy function of the same name",
        lesson="branches",
    ),
    Mistake(
        "concrete float",
        """
@jax.jit
def f(x):
    return float(x)  # here
f(1.0)
""",
        "ConcretizationTypeError",
        traced="x: float32[], argument of f",
        say="float() needs the number itself",
        fix="change the dtype inside JAX with x.astype(float)",
        lesson="branches",
    ),
    Mistake(
        "multi",
        """
@jax.jit
def f(x):
    return jnp.where(
        x > 0,
        float(x),  # here
        0.0,
    )
f(1.)
""",
        "ConcretizationTypeError",
        traced="x: float32[], argument of f",
        say="float() needs the number itself",
        fix="change the dtype inside JAX with x.astype(float)",
        lesson="branches",
    ),
    Mistake(
        "concrete item",
        """
@jax.jit
def f(x):
    return x.item()  # here
f(1.0)
""",
        "ConcretizationTypeError",
        traced="x: float32[], argument of f",
        say=".item() gives Python numbers",
        fix="and call .item() outside",
        lesson="branches",
    ),
    Mistake(
        "concrete repeat",
        """
@jax.jit
def f(x, n):
    return jnp.repeat(x, n)  # here
f(jnp.ones(3), 2)
""",
        "ConcretizationTypeError",
        traced="n: int32[], argument of f",
        say="how many elements come out depends on a value",
        fix="total_repeat_length=…",
        lesson="data-dependent-shapes",
    ),
    Mistake(
        "concrete nonzero",
        """
@jax.jit
def f(x):
    return jnp.nonzero(x)  # here
f(jnp.ones(3))
""",
        "ConcretizationTypeError",
        traced="x: float32[3], argument of f",
        say="how many elements come out depends on the values",
        fix="fix the number with size=…",
        lesson="data-dependent-shapes",
    ),
    Mistake(
        "concrete axis",
        """
@jax.jit
def f(x, n):
    return jnp.sum(x, axis=n)  # here
f(jnp.ones(3), 0)
""",
        "ConcretizationTypeError",
        traced="n: int32[], argument of f",
        say="an axis is part of the program itself",
        fix="mark `n` static",
        lesson="static-arguments",
    ),
    Mistake(
        "concrete arange",
        """
@jax.jit
def f(n):
    return jnp.arange(n)  # here
f(3)
""",
        "ConcretizationTypeError",
        traced="n: int32[], argument of f",
        say="a size must be a Python number",
        fix="mark `n` static",
        lesson="static-arguments",
    ),
    Mistake(
        "scanlen",
        """
@jax.jit
def f(x, n):
    return jax.lax.scan(lambda c, _: (c, None), x, None, length=n)  # here
f(1., 3)
""",
        "ConcretizationTypeError",
        traced="n: int32[], argument of f",
        say="the number of rounds of scan is part of the program itself",
        fix="mark `n` static",
        lesson="loops",
    ),
    Mistake(
        "concrete4",
        """
@jax.jit
def f(x, n):
    return jnp.histogram(x, n)  # here
f(jnp.ones(4), 2)
""",
        "ConcretizationTypeError",
        traced="n: int32[], argument of f",
        say="this operation needs a Python value",
        fix="mark `n` static",
        lesson="static-arguments",
    ),
    Mistake(
        "binc",
        """
@jax.jit
def f(x):
    return jnp.bincount(x)  # here
f(jnp.arange(4))
""",
        "ConcretizationTypeError",
        traced="x: int32[4], argument of f",
        say="this operation needs the numbers themselves",
        fix="see whether it takes a fixed size (size=… or length=…)",
        lesson="data-dependent-shapes",
    ),
    Mistake(
        "reshape shape mul",
        """
@jax.jit
def f(x):
    return x.reshape(jnp.prod(jnp.array(x.shape)))  # here
f(jnp.ones((2, 3)))
""",
        "TypeError",
        traced="int32[], computed in f at line 3",
        say="jax.numpy makes a traced value even from a shape",
        fix="math.prod(x.shape)",
        lesson="what-the-function-got",
    ),
    Mistake(
        "concrete zeros",
        """
@jax.jit
def f(n):
    return jnp.zeros(n)  # here
f(3)
""",
        "TypeError",
        traced="n: int32[], argument of f",
        say="a shape must be made of Python numbers",
        fix="mark `n` static",
        lesson="static-arguments",
    ),
    Mistake(
        "reshape traced",
        """
@jax.jit
def f(x, h, w):
    return x.reshape(h, w)  # here
f(jnp.arange(6), 2, 3)
""",
        "TypeError",
        traced="h: int32[] and w: int32[], arguments of f",
        say="a shape must be made of Python numbers",
        fix="mark `h` and `w` static",
        lesson="static-arguments",
    ),
    Mistake(
        "slice traced",
        """
@jax.jit
def f(x, i):
    return x[i:i + 2]  # here
f(jnp.arange(6), 2)
""",
        "IndexError",
        traced="i: int32[], argument of f",
        say="the length of a slice must be known while JAX traces",
        fix="for a fixed length use jax.lax.dynamic_slice_in_dim(x",
        lesson="data-dependent-shapes",
    ),
)
