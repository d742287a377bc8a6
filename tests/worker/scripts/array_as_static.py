"""An array cannot be a static argument."""

import jax
import jax.numpy as jnp


def pick(table, at):
    return table[at]


picked = jax.jit(pick, static_argnums=0)
picked(jnp.zeros(2), 1)

# mypy: ignore-errors
