"""Two jits of two gradients."""

import jax
import jax.numpy as jnp


def risky(x):
    return jnp.where(x > 1, jnp.sqrt(x - 1), 0.0)


def safe(x):
    return jnp.where(x > 1, jnp.sqrt(jnp.where(x > 1, x - 1, 1.0)), 0.0)


print(jax.jit(jax.grad(risky))(1.0), jax.jit(jax.grad(safe))(1.0))

# mypy: ignore-errors
