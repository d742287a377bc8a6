"""A long chain of operations."""

import jax
import jax.numpy as jnp


@jax.jit
def chain(x):
    for _ in range(500):
        x = jnp.sin(x)
    return x


print(chain(1.0) < 0.2)

# mypy: ignore-errors
