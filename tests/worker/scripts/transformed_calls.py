"""One jitted function, called plainly and under grad and vmap: each way is a program of its own."""

import jax
import jax.numpy as jnp


@jax.jit
def wave(x):
    return 2 * jnp.sin(x)


x = jnp.ones(3)
wave(x)
for _ in range(2):
    jax.grad(lambda v: wave(v).sum())(x)
for length in (2, 4, 2):
    jax.vmap(lambda v: wave(v))(jnp.ones((length, 3)))
wave(x)

# mypy: ignore-errors
