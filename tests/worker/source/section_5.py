"""Section 5: five arrays of three shapes."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    return jnp.sum(x**2)


jax.clear_caches()
for size in (100, 200, 100, 200, 300):
    f(jnp.ones(size, jnp.float32)).block_until_ready()

# mypy: ignore-errors
