"""Mistakes of learners: Python asks a traced value for True or False."""

from tests.worker.mistakes.mistake import Mistake

MISTAKES = (
    Mistake(
        "leak bool",
        """
saved = []
@jax.jit
def f(x):
    saved.append(x)
    return x
f(1.0)
if saved[0]:  # here
    pass
""",
        "TracerBoolConversionError",
        traced="saved[0]: float32[], kept from the trace of f",
        say="this value was kept after its trace was over",
        fix="return the value from the jitted function instead of storing it (in a list",
        lesson="leaks",
    ),
    Mistake(
        "bool grad",
        """
def f(x):
    if x > 0:  # here
        return x
    return -x
jax.vmap(f)(jnp.ones(3))
""",
        "TracerBoolConversionError",
        traced="x: float32[], argument of f",
        say="under vmap this value stands for all elements of the batch at once",
        fix="choose for each element with jnp.where(condition",
        lesson="cond-under-vmap",
    ),
    Mistake(
        "bool while",
        """
@jax.jit
def f(x, n):
    while n > 0:  # here
        n = n - 1
    return x
f(1.0, 3)
""",
        "TracerBoolConversionError",
        traced="n: int32[], argument of f",
        say="Python's `while` needs True or False before each round",
        fix="use jax.lax.while_loop(condition",
        lesson="loops",
    ),
    Mistake(
        "assert",
        """
@jax.jit
def f(x):
    assert x > 0  # here
    return x
f(1.0)
""",
        "TracerBoolConversionError",
        traced="x: float32[], argument of f",
        say="`assert` needs True or False",
        fix="or inside it with jax.experimental.checkify",
        lesson="branches",
    ),
    Mistake(
        "bool",
        """
@jax.jit
def f(x):
    if x > 0:  # here
        return x
    return -x
f(1.0)
""",
        "TracerBoolConversionError",
        traced="x: float32[], argument of f",
        say="Python's `if` needs True or False",
        fix="if `x` is a setting that rarely changes",
        lesson="branches",
    ),
    Mistake(
        "grad if",
        """
@jax.jit
def f(x):
    def loss(w):
        if w > 0:  # here
            return w
        return -w
    return jax.grad(loss)(x)
f(1.)
""",
        "TracerBoolConversionError",
        traced="w: float32[], from the argument x of f",
        say="Python's `if` needs True or False",
        fix="if `x` is a setting that rarely changes",
        lesson="branches",
    ),
    Mistake(
        "lambda",
        """
f = jax.jit(lambda x: x if x else 0)  # here
f(1)
""",
        "TracerBoolConversionError",
        traced="x: int32[], argument of a lambda",
        say="Python's `if` needs True or False",
        fix="if `x` is a setting that rarely changes",
        lesson="branches",
    ),
    Mistake(
        "helper",
        """
def h(v):
    return v if v > 0 else -v  # here
@jax.jit
def f(x, p):
    y = x * p['w']
    return h(y)
f(1.0, {'w': 2.0})
""",
        "TracerBoolConversionError",
        traced="v: float32[], from the arguments x and p['w'] of f",
        say="Python's `if` needs True or False",
        fix="choose with jnp.where(condition",
        lesson="branches",
    ),
    Mistake(
        "local",
        """
@jax.jit
def f():
    y = jnp.ones(3) * 2
    z = y.sum()
    if z > 0:  # here
        return y
f()
""",
        "TracerBoolConversionError",
        traced="z: float32[], computed in f",
        say="Python's `if` needs True or False",
        fix="choose with jnp.where(condition",
        lesson="branches",
    ),
    Mistake(
        "self",
        """
class M:
    def f(self, x):
        self.h = x * 2
        if self.h > 0:  # here
            return x
m = M()
jax.jit(m.f)(1.0)
""",
        "TracerBoolConversionError",
        traced="self.h: float32[], from the argument x of f",
        say="Python's `if` needs True or False",
        fix="choose with jnp.where(condition",
        lesson="branches",
    ),
    Mistake(
        "vec if",
        """
@jax.jit
def f(x):
    if x.sum() > 0:  # here
        return x
f(jnp.ones(3))
""",
        "TracerBoolConversionError",
        traced="x: float32[3], argument of f",
        say="Python's `if` needs True or False",
        fix="choose with jnp.where(condition",
        lesson="branches",
    ),
    Mistake(
        "args",
        """
@jax.jit
def f(*xs):
    if xs[1]:  # here
        return xs[0]
f(1., 2.)
""",
        "TracerBoolConversionError",
        traced="xs[1]: float32[], argument of f",
        say="Python's `if` needs True or False",
        fix="choose with jnp.where(condition",
        lesson="branches",
    ),
    Mistake(
        "comp",
        """
@jax.jit
def f(xs):
    return [x for x in xs if x > 0]  # here
f([1., 2.])
""",
        "TracerBoolConversionError",
        traced="bool[], from the argument xs[0] of f",
        say="Python's `if` needs True or False",
        fix="choose with jnp.where(condition",
        lesson="branches",
    ),
    Mistake(
        "bool max",
        """
@jax.jit
def f(x):
    return max(x, 0.0)  # here
f(1.0)
""",
        "TracerBoolConversionError",
        traced="x: float32[], argument of f",
        say="Python's max",
        fix="jnp.maximum",
        lesson="branches",
    ),
    Mistake(
        "bool and",
        """
@jax.jit
def f(x, y):
    return x and y  # here
f(1.0, 2.0)
""",
        "TracerBoolConversionError",
        traced="x: float32[], argument of f",
        say="Python's `and`",
        fix="use jnp.logical_and",
        lesson="branches",
    ),
    Mistake(
        "bool in",
        """
@jax.jit
def f(x):
    return x in [1, 2]  # here
f(1.0)
""",
        "TracerBoolConversionError",
        traced="x: float32[], argument of f",
        say="Python's `in` compares one by one and needs True or False each time",
        fix="use jnp.isin(value",
        lesson="branches",
    ),
    Mistake(
        "topk",
        """
@jax.jit
def f(x, n):
    return jax.lax.top_k(x, n)  # here
f(jnp.ones(4), 2)
""",
        "TracerBoolConversionError",
        traced="n: int32[], argument of f",
        say="this function of JAX needs a Python value here",
        fix="if `n` is a setting",
        lesson="static-arguments",
    ),
    Mistake(
        "bool of an argument",
        """
@jax.jit
def f(x):
    flag = bool(x)  # here
    return flag
f(1.0)
""",
        "TracerBoolConversionError",
        traced="x: float32[], argument of f",
        say="Python needs True or False here",
        fix="choose with jnp.where(condition",
        lesson="branches",
    ),
    Mistake(
        "mask",
        """
@jax.jit
def f(x):
    return x[x > 0]  # here
f(jnp.ones(3))
""",
        "NonConcreteBooleanIndexError",
        traced="x: float32[3], argument of f",
        say="how many elements a boolean mask selects depends on the values",
        fix="keep the full shape with jnp.where(mask",
        lesson="data-dependent-shapes",
    ),
)
