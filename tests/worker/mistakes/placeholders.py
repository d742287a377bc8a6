"""Mistakes of learners: traced values that are kept, or taken for what they are not."""

from tests.worker.mistakes.mistake import Mistake

MISTAKES = (
    Mistake(
        "leak list",
        """
saved = []
@jax.jit
def f(x):
    y = x * 2
    saved.append(y)
    return y
f(1.0)
print(saved[0] + 1)  # here
""",
        "UnexpectedTracerError",
        traced="saved[0]: float32[], kept from the trace of f, made in f at line 4",
        say="a traced value was kept after its trace was over (in a list",
        fix="return the value from the traced function instead of storing it",
        lesson="leaks",
    ),
    Mistake(
        "leak attr",
        """
class M:
    pass
m = M()
@jax.jit
def f(x):
    m.y = x
    return x
f(1.0)
jnp.sin(m.y)  # here
""",
        "UnexpectedTracerError",
        traced="m.y: float32[], kept from the trace of f",
        say="a traced value was kept after its trace was over (in a list",
        fix="return the value from the traced function instead of storing it",
        lesson="leaks",
    ),
    Mistake(
        "leak closure",
        """
def f(x):
    t = None
    def g(c, y):
        nonlocal t
        t = y
        return c, y
    jax.lax.scan(g, 0., x)
    return t + 1
print(jax.jit(f)(jnp.ones(3)))  # here
""",
        "UnexpectedTracerError",
        traced="float32[], kept from the trace of g",
        say="a traced value was kept after its trace was over (in a list",
        fix="return the value from the traced function instead of storing it",
        lesson="leaks",
    ),
    Mistake(
        "leak check",
        """
saved = []
@jax.jit
def f(x):
    y = x * 2
    saved.append(y)
    return y
with jax.checking_leaks():
    f(1.0)  # here
""",
        "Exception",
        traced="float32[], kept from the trace of f",
        say="the check for leaks is on",
        fix="return the value from the traced function instead of storing it (in a list",
        lesson="leaks",
    ),
    Mistake(
        "tile",
        """
@jax.jit
def f(x, n):
    return jnp.tile(x, n)  # here
f(jnp.ones(4), 2)
""",
        "TypeError",
        traced="n: int32[], argument of f",
        say="this parameter is part of the program itself",
        fix="mark `n` static",
        lesson="static-arguments",
    ),
    Mistake(
        "iota",
        """
@jax.jit
def f(x, n):
    return jax.lax.expand_dims(x, (n,))   # here
f(jnp.ones((2,2)), 1)
""",
        "TypeError",
        traced="x: float32[2,2] and n: int32[], arguments of f",
        say="this parameter is part of the program itself",
        fix="mark `n` static",
        lesson="static-arguments",
    ),
    Mistake(
        "int",
        """
@jax.jit
def f(n):
    return jnp.array([0.0] * n)  # here
f(3)
""",
        "TypeError",
        traced="n: int32[], argument of f",
        say="a Python list",
        fix="jnp.array(…)",
        lesson="branches",
    ),
    Mistake(
        "hash tracer",
        """
@jax.jit
def f(x):
    return {x: 1}  # here
f(1.0)
""",
        "TypeError",
        traced="x: float32[], argument of f",
        say="a traced value cannot be a key of a dict or a member of a set",
        fix="or choose with jnp.where or jax.lax.switch",
        lesson="branches",
    ),
    Mistake(
        "attr tracer",
        """
@jax.jit
def f(x):
    return x.numpy()  # here
f(1.0)
""",
        "AttributeError",
        traced="x: float32[], argument of f",
        say="while JAX traces",
        fix="do this outside",
        lesson="what-the-function-got",
    ),
)
