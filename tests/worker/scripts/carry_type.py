"""The carry of a scan changes its type."""

import jax
import jax.numpy as jnp


def body(count, x):
    return count + x, x


jax.lax.scan(body, jnp.int32(0), jnp.ones(3))

# mypy: ignore-errors
