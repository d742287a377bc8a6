"""Mistakes of learners: grad and vmap."""

from tests.worker.mistakes.mistake import Mistake

MISTAKES = (
    Mistake(
        "grad while",
        """
def f(x):
    return jax.lax.while_loop(lambda c: c < 10, lambda c: c * 2, x)
jax.grad(f)(1.0)  # here
""",
        "ValueError",
        traced=None,
        say="grad goes through a loop backwards and must keep the values of every round",
        fix="use jax.lax.scan",
        lesson="loops-and-gradients",
    ),
    Mistake(
        "grad vector",
        """
jax.grad(lambda x: x * 2)(jnp.ones(3))  # here
""",
        "TypeError",
        traced=None,
        say="and the function gives an array of the shape (3,)",
        fix="such as jnp.sum(…) or jnp.mean(…)",
        lesson="grad-and-vmap",
    ),
    Mistake(
        "grad none",
        """
def f(x):
    x * 2
jax.grad(f)(1.0)  # here
""",
        "TypeError",
        traced=None,
        say="grad answers how one number changes",
        fix="write a `return` with the number",
        lesson="grad-and-vmap",
    ),
    Mistake(
        "grad tuple",
        """
jax.grad(lambda x: (x, x))(1.0)  # here
""",
        "TypeError",
        traced=None,
        say="grad answers how one number changes",
        fix="and write jax.grad(f",
        lesson="grad-and-vmap",
    ),
    Mistake(
        "grad intout",
        """
jax.grad(lambda x: x.astype(int).sum())(jnp.ones(3))  # here
""",
        "TypeError",
        traced=None,
        say="and int32 moves in steps",
        fix="no .astype(int)",
        lesson="grad-and-vmap",
    ),
    Mistake(
        "grad complex",
        """
jax.grad(lambda x: x * 1j)(1.0)  # here
""",
        "TypeError",
        traced=None,
        say="grad answers how one real number changes",
        fix="such as jnp.abs(…) or jnp.real(…)",
        lesson="grad-and-vmap",
    ),
    Mistake(
        "grad intin",
        """
jax.grad(lambda x: x * 2)(3)  # here
""",
        "TypeError",
        traced=None,
        say="and int32 moves in steps",
        fix="3.0 instead of 3",
        lesson="grad-and-vmap",
    ),
    Mistake(
        "grad callback",
        """
def f(x):
    return jax.pure_callback(np.sin, jax.ShapeDtypeStruct((), jnp.float32), x)  # here
jax.grad(f)(1.0)
""",
        "ValueError",
        traced="x: float32[], argument of f",
        say="JAX cannot differentiate a Python function that it only calls back",
        fix="write it with jax.numpy",
        lesson="grad-and-vmap",
    ),
    Mistake(
        "grad argnums",
        """
jax.grad(lambda x: x, argnums=1)(1.0)  # here
""",
        "TypeError",
        traced=None,
        say="and the call has fewer than 2",
        fix="count from 0",
        lesson="grad-and-vmap",
    ),
    Mistake(
        "custom vjp none",
        """
@jax.custom_vjp
def f(x): return x
jax.grad(f)(1.0)  # here
""",
        "AttributeError",
        traced=None,
        say="f says it has a derivative of its own",
        fix="f.defvjp(forward",
        lesson="grad-and-vmap",
    ),
    Mistake(
        "custom vjp",
        """
@jax.custom_vjp
def f(x): return x
f.defvjp(lambda x: (x, None), lambda r, g: (g, g))
jax.grad(f)(1.0)  # here
""",
        "TypeError",
        traced=None,
        say="must give one derivative for each argument of the function",
        fix="return a tuple with one entry for each argument",
        lesson="grad-and-vmap",
    ),
    Mistake(
        "shape vmap",
        """
jax.vmap(lambda x, y: x + y)(jnp.ones(3), jnp.ones(4))  # here
""",
        "ValueError",
        traced=None,
        say="vmap goes over one axis of all its inputs together",
        fix="or say with in_axes=None which input is the same for all",
        lesson="grad-and-vmap",
    ),
    Mistake(
        "shape vmap in axes",
        """
jax.vmap(lambda x, y: x + y, in_axes=(0, 0))(jnp.ones(3), 1.0)  # here
""",
        "ValueError",
        traced=None,
        say="vmap goes over axis 0 of its inputs",
        fix="in_axes=(0",
        lesson="grad-and-vmap",
    ),
    Mistake(
        "vmap in axes",
        """
jax.vmap(lambda x, y: x, in_axes=(0,))(jnp.ones(3), 1.0)  # here
""",
        "ValueError",
        traced=None,
        say="in_axes must have one entry for each argument of the call",
        fix="write one entry for each argument",
        lesson="grad-and-vmap",
    ),
)
