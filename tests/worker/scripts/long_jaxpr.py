"""make_jaxpr traces to look at it; jit has no part in it."""

import jax
import jax.numpy as jnp


def unrolled(x):
    for _ in range(400):
        x = jnp.cos(x) + 1
    return x


print(jax.make_jaxpr(unrolled)(0.5))

# mypy: ignore-errors
