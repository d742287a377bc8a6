"""The same text makes another function; the same function jitted twice does not."""

import jax


def third(x):
    return x / 3


jax.jit(third)(1.0)
jax.jit(third)(1.0)


def third(x):
    return x / 3


jax.jit(third)(1.0)

# mypy: ignore-errors
