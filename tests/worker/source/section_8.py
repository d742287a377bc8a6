"""Section 8: padding keeps one shape, a static argument asks for a program per value."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

LONGEST = 16


@jax.jit
def masked_mean(x, mask):
    return jnp.sum(x * mask) / jnp.maximum(jnp.sum(mask), 1.0)


for numbers in ([1.0, 2.0, 3.0], [10.0] * 8, [5.0, -2.0]):
    x, mask = np.zeros((2, LONGEST), np.float32)
    x[: len(numbers)], mask[: len(numbers)] = numbers, 1
    print(f"{masked_mean(x, mask):.3f}")


@partial(jax.jit, static_argnums=0)
def power(n, x):
    for _ in range(n):
        x = x * x
    return x


for n in (2, 3, 2):
    power(n, jnp.arange(4, dtype=jnp.float32))

# mypy: ignore-errors
