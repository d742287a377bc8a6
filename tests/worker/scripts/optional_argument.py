"""None and an array are two structures."""

import jax
import jax.numpy as jnp


@jax.jit
def weigh(x, weights=None):
    return x if weights is None else x * weights


ones = jnp.ones(2)
for weights in (ones, None, ones):
    weigh(ones, weights)

# mypy: ignore-errors
