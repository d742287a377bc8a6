"""Section 3: a print in the body shows when the body runs."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    print("body runs for", x.shape, x.dtype)
    return x**2 + 1


for size in (4, 4, 5):
    print("a call with", size)
    f(jnp.arange(size, dtype=jnp.float32)).block_until_ready()

# mypy: ignore-errors
