"""Mistakes of learners: static arguments."""

from tests.worker.mistakes.mistake import Mistake

MISTAKES = (
    Mistake(
        "static list",
        """
@partial(jax.jit, static_argnames='shape')
def f(x, shape):
    return jnp.reshape(x, shape)
f(jnp.ones(4), shape=[2, 2])  # here
""",
        "ValueError",
        traced=None,
        say="a list has none",
        fix="tuple(…)",
        lesson="hash-and-self",
    ),
    Mistake(
        "static dict",
        """
@partial(jax.jit, static_argnames='o')
def f(x, o):
    return x
f(jnp.ones(4), o={'a': 1})  # here
""",
        "ValueError",
        traced=None,
        say="a static argument is part of the cache key and must have a hash",
        fix="tuple(sorted(options.items()))",
        lesson="hash-and-self",
    ),
    Mistake(
        "static array",
        """
@partial(jax.jit, static_argnames='o')
def f(x, o):
    return x
f(jnp.ones(4), o=jnp.arange(3))  # here
""",
        "ValueError",
        traced=None,
        say="a static argument is part of the cache key and must have a hash",
        fix="hand the array over as a normal argument",
        lesson="hash-and-self",
    ),
    Mistake(
        "static tracer",
        """
@partial(jax.jit, static_argnames='n')
def g(x, n):
    return x * n
@jax.jit
def f(x, n):
    return g(x, n)  # here
f(1.0, 2)
""",
        "ValueError",
        traced="n: int32[], argument of f",
        say="a static argument needs a value now",
        fix="mark `n` static in the outer function too",
        lesson="static-arguments",
    ),
    Mistake(
        "static object with a list in it",
        """
import dataclasses
@dataclasses.dataclass(frozen=True)
class Layers:
    sizes: list
@partial(jax.jit, static_argnames='layers')
def f(x, layers):
    return x
f(jnp.ones(4), layers=Layers([1, 2]))  # here
""",
        "ValueError",
        traced=None,
        say="this Layers holds a list, which has none",
        fix="a tuple in place of the list",
        lesson="hash-and-self",
    ),
    Mistake(
        "static tuple with a dict in it",
        """
@partial(jax.jit, static_argnames='o')
def f(x, o):
    return x
f(jnp.ones(4), o=(1, {'a': 1}))  # here
""",
        "ValueError",
        traced=None,
        say="this tuple holds a dict, which has none",
        fix="tuple(sorted(options.items()))",
        lesson="hash-and-self",
    ),
    Mistake(
        "static object with an array in it",
        """
import typing
class Start(typing.NamedTuple):
    at: jax.Array
@partial(jax.jit, static_argnames='start')
def f(x, start):
    return x
f(jnp.ones(4), start=Start(jnp.ones(2)))  # here
""",
        "ValueError",
        traced=None,
        say="this Start holds an array, which has none",
        fix="hand the array over as a normal argument of its own",
        lesson="hash-and-self",
    ),
    Mistake(
        "static hash raises",
        """
class O:
    __hash__ = None
@partial(jax.jit, static_argnames='o')
def f(x, o):
    return x
f(jnp.ones(4), o=O())  # here
""",
        "ValueError",
        traced=None,
        say="an object of O has none",
        fix="@dataclasses.dataclass(frozen=True)",
        lesson="hash-and-self",
    ),
    Mistake(
        "static eq",
        """
class O:
    def __hash__(self): return 1
    def __eq__(self, o): return np.ones(2) == 1
@partial(jax.jit, static_argnames='o')
def f(x, o):
    return x
f(jnp.ones(4), o=O())
f(jnp.ones(4), o=O())  # here
""",
        "ValueError",
        traced=None,
        say="and its == gives no single True or False",
        fix="give its class an __eq__ that returns True or False",
        lesson="hash-and-self",
    ),
    Mistake(
        "aux eq",
        """
@jax.tree_util.register_pytree_node_class
class Grid:
    def __init__(self, v, w): self.v, self.w = v, w
    def tree_flatten(self): return (self.v,), (self.w,)
    @classmethod
    def tree_unflatten(cls, aux, c): return cls(c[0], aux[0])
@jax.jit
def f(g):
    return g.v.sum()
f(Grid(jnp.ones(3), np.ones(3)))
f(Grid(jnp.ones(3), np.ones(3)))  # here
""",
        "ValueError",
        traced=None,
        say="the fixed part (metadata) of the pytree Grid holds an array",
        fix="move the array to the data fields (the children)",
        lesson="trees-and-calls",
    ),
    Mistake(
        "nonarray self",
        """
class M:
    def __init__(self): self.w = jnp.ones(3)
    @jax.jit
    def f(self, x):
        return self.w * x
M().f(1.0)  # here
""",
        "TypeError",
        traced=None,
        say="`self` is an object of M",
        fix="register the class as a pytree (jax.tree_util.register_dataclass)",
        lesson="hash-and-self",
    ),
    Mistake(
        "nonarray npstr",
        """
@jax.jit
def f(x):
    return x
f(np.array(['a']))  # here
""",
        "TypeError",
        traced=None,
        say="`x` is a NumPy array of text or objects",
        fix="turn it into numbers first",
        lesson="static-arguments",
    ),
    Mistake(
        "nonarray str",
        """
@jax.jit
def f(x, mode):
    return x
f(1.0, 'fast')  # here
""",
        "TypeError",
        traced=None,
        say="`mode` is a value of type str",
        fix='static_argnames="mode"',
        lesson="static-arguments",
    ),
    Mistake(
        "nested",
        """
@jax.jit
def f(params):
    return params['w']
f({'w': 1.0, 'name': 'layer'})  # here
""",
        "TypeError",
        traced=None,
        say="`params['name']` is a value of type str",
        fix="leave it out of the pytree",
        lesson="trees-and-calls",
    ),
    Mistake(
        "argnums range",
        """
@partial(jax.jit, static_argnums=2)  # here
def f(x, y):
    return x
f(1.0, 2.0)
""",
        "ValueError",
        traced=None,
        say="static_argnums counts the arguments from 0",
        fix='static_argnames="…" or donate_argnames="…"',
        lesson="static-arguments",
    ),
    Mistake(
        "argnames wrong",
        """
@partial(jax.jit, static_argnames='n')  # here
def f(x, m):
    return x
f(1.0, 2.0)
""",
        "ValueError",
        traced=None,
        say="static_argnames names an argument that the function does not have",
        fix="write the name as it stands in the function's `def`",
        lesson="static-arguments",
    ),
    Mistake(
        "argnums type",
        """
@partial(jax.jit, static_argnums='n')  # here
def f(x, n):
    return x
f(1.0, 2)
""",
        "TypeError",
        traced=None,
        say="static_argnums and donate_argnums take positions",
        fix='for names write static_argnames="…" or donate_argnames="…"',
        lesson="static-arguments",
    ),
    Mistake(
        "argnames type",
        """
@partial(jax.jit, static_argnames=1)  # here
def f(x, n):
    return x
f(1.0, 2)
""",
        "TypeError",
        traced=None,
        say="static_argnames and donate_argnames take names",
        fix="for positions write static_argnums=… or donate_argnums=…",
        lesson="static-arguments",
    ),
    Mistake(
        "donate static",
        """
@partial(jax.jit, static_argnums=0, donate_argnums=0)  # here
def f(x, n):
    return x
f(1.0, 2)
""",
        "ValueError",
        traced=None,
        say="an argument is marked both static and donated",
        fix="take it out of one of the two",
        lesson="static-arguments",
    ),
)
