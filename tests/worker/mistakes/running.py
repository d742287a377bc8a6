"""Mistakes of learners: while a program runs."""

from tests.worker.mistakes.mistake import Mistake

MISTAKES = (
    Mistake(
        "donated",
        """
@partial(jax.jit, donate_argnums=0)
def f(x):
    return x + 1
x = jnp.ones(3)
y = f(x)
print(x)  # here
""",
        "RuntimeError",
        traced=None,
        say="the memory of this array is gone",
        fix="x = f(x)",
        lesson=None,
    ),
    Mistake(
        "donated call",
        """
@partial(jax.jit, donate_argnums=0)
def f(x):
    return x + 1
x = jnp.ones(3)
y = f(x)
f(x)  # here
""",
        "RuntimeError",
        traced=None,
        say="the memory of this array is gone",
        fix="x = f(x)",
        lesson=None,
    ),
    Mistake(
        "donated twice",
        """
@partial(jax.jit, donate_argnums=(0, 1))
def f(x, y):
    return x + 1, y
x = jnp.ones(3)
f(x, x)  # here
""",
        "JaxRuntimeError",
        traced=None,
        say="one array is donated through two arguments",
        fix="jnp.array(x",
        lesson=None,
    ),
    Mistake(
        "resource",
        """
x = jnp.ones((1 << 22, 1 << 22))  # here
""",
        "JaxRuntimeError",
        traced=None,
        say="the device has not enough free memory for this program or array",
        fix="make arrays or batches smaller",
        lesson=None,
    ),
    Mistake(
        "keyreuse",
        """
jax.config.update('jax_debug_key_reuse', True)
key = jax.random.key(0)
a = jax.random.normal(key)
b = jax.random.normal(key)  # here
""",
        "KeyReuseError",
        traced=None,
        say="a random key was used a second time",
        fix="subkey = jax.random.split(key)",
        lesson=None,
    ),
    Mistake(
        "callback shape",
        """
def host(x):
    return np.ones(3, np.float32)
@jax.jit
def f(x):
    return jax.pure_callback(host, jax.ShapeDtypeStruct((), jnp.float32), x)
print(f(1.0))  # here
""",
        "JaxRuntimeError",
        traced=None,
        say="the Python function that JAX calls back must give the shape it was announced with",
        fix="change the announced jax.ShapeDtypeStruct",
        lesson=None,
    ),
    Mistake(
        "callback",
        """
def host(x):
    raise KeyError('no such row')
@jax.jit
def f(x):
    return jax.pure_callback(host, jax.ShapeDtypeStruct((), jnp.float32), x)
print(f(1.0))  # here
""",
        "JaxRuntimeError",
        traced=None,
        say="a Python function that the running program calls back stopped with KeyError",
        fix="catch the error in that function",
        lesson=None,
        place="line 2, in host",
    ),
    Mistake(
        "callback second",
        """
def host(x):
    if x > 2:
        raise KeyError('no such row')
    return np.float32(x)
@jax.jit
def f(x):
    return jax.pure_callback(host, jax.ShapeDtypeStruct((), jnp.float32), x)
print(f(1.0))
print(f(5.0))  # here
""",
        "ValueError",
        traced=None,
        say="a Python function that the running program calls back stopped with KeyError",
        fix="catch the error in that function",
        lesson=None,
        place="line 3, in host",
    ),
    Mistake(
        "random none",
        """
jax.random.normal(None)  # here
""",
        "TypeError",
        traced=None,
        say="jax.random needs a key first",
        fix="make a key with jax.random.key(0)",
        lesson=None,
    ),
    Mistake(
        "checkify",
        """
from jax.experimental import checkify
def f(x):
    checkify.check(x > 0, 'neg')
    return x
jax.jit(f)(1.0)  # here
""",
        "ValueError",
        traced=None,
        say="checkify.check works only in a function that was wrapped with checkify.checkify",
        fix="result = jax.jit(checkify.checkify(f))(x)",
        lesson=None,
    ),
    Mistake(
        "device",
        """
jax.devices('gpu')  # here
""",
        "RuntimeError",
        traced=None,
        say="JAX finds no device of the kind `gpu` here",
        fix="see what there is with jax.devices()",
        lesson="device",
    ),
)
