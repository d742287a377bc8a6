"""Mistakes of learners: values that are no arrays, and arrays that are no Python values."""

from tests.worker.mistakes.mistake import Mistake

MISTAKES = (
    Mistake(
        "shape einsum",
        """
jnp.einsum('ij,jk->ik', jnp.ones((2, 3)), jnp.ones((2, 3)))  # here
""",
        "ValueError",
        traced=None,
        say="and `j` has two different ones",
        fix="use another letter",
        lesson=None,
    ),
    Mistake(
        "dtype lax",
        """
jax.lax.add(jnp.ones(3), jnp.arange(3))  # here
""",
        "TypeError",
        traced=None,
        say="lax.add does not convert",
        fix="use the function of jax.numpy",
        lesson=None,
    ),
    Mistake(
        "index list",
        """
x = jnp.ones(3)
x[[0, 1]]  # here
""",
        "TypeError",
        traced=None,
        say="JAX does not take a list as an index",
        fix="x[jnp.array([0",
        lesson=None,
    ),
    Mistake(
        "index float",
        """
x = jnp.ones(3)
x[1.0]  # here
""",
        "TypeError",
        traced=None,
        say="and this one is float64",
        fix="convert it with .astype(int)",
        lesson=None,
    ),
    Mistake(
        "nonarray asarray",
        """
jnp.asarray('abc')  # here
""",
        "TypeError",
        traced=None,
        say="JAX arrays hold only numbers and True or False",
        fix="turn text into numbers first",
        lesson=None,
    ),
    Mistake(
        "nonarray none",
        """
jnp.asarray([None, 1])  # here
""",
        "ValueError",
        traced=None,
        say="JAX arrays hold only numbers and True or False",
        fix="such as jnp.nan",
        lesson="data-dependent-shapes",
    ),
    Mistake(
        "grad str",
        """
jax.grad(lambda p: p['w'] * 2.)({'w': 1.0, 'n': 'a'})  # here
""",
        "TypeError",
        traced=None,
        say="and here it was given a value of type str",
        fix="take this value out of the pytree",
        lesson=None,
    ),
    Mistake(
        "bool vec",
        """
@jax.jit
def f(x):
    if x > 0:  # here
        return x
    return -x
f(jnp.ones(3))
""",
        "ValueError",
        traced="x: float32[3], argument of f",
        say="Python needs one True or False",
        fix=".any() or .all()",
        lesson="branches",
    ),
    Mistake(
        "concrete2",
        """
@jax.jit
def f(x, n):
    return complex(x).real  # here
f(jnp.ones(4), 2)
""",
        "TypeError",
        traced="x: float32[4], argument of f",
        say="only an array of one element can become a Python number",
        fix="jnp.sum(x)",
        lesson=None,
    ),
    Mistake(
        "nojit np",
        """
x = jnp.ones(3)
np.asarray(x)[0] = 1  # here
""",
        "ValueError",
        traced=None,
        say="a NumPy view of a JAX array cannot be changed",
        fix="np.array(x)",
        lesson=None,
    ),
    Mistake(
        "tree map",
        """
jax.tree.map(lambda a, b: a + b, {'a': 1}, {'b': 1})  # here
""",
        "ValueError",
        traced=None,
        say="trees that are used together must have one structure",
        fix="jax.tree.structure(x) shows the structure of x",
        lesson="trees-and-calls",
    ),
    Mistake(
        "setitem",
        """
x = jnp.ones(3)
x[0] = 1  # here
""",
        "TypeError",
        traced=None,
        say="a JAX array never changes",
        fix="x = x.at[i].set(value)",
        lesson=None,
    ),
    Mistake(
        "hash array",
        """
{jnp.ones(3): 1}  # here
""",
        "TypeError",
        traced=None,
        say="an array cannot be a key of a dict or a member of a set",
        fix="int(x) or x.item()",
        lesson=None,
    ),
)
