"""sys.exit in the body of a jitted function."""

import sys

import jax
import jax.numpy as jnp


@jax.jit
def square(x):
    if x.shape[0] != x.shape[1]:
        print("not square")
        sys.exit(5)
    return x


square(jnp.ones((2, 2)))
square(jnp.ones((2, 3)))

# mypy: ignore-errors
