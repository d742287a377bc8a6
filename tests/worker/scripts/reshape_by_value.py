"""A shape needs whole numbers known while tracing."""

import jax
import jax.numpy as jnp


def fold(x, width):
    return x.reshape(width, -1)


x = jnp.arange(4)
fold(x, 2)
jax.jit(fold)(x, 2)

# mypy: ignore-errors
