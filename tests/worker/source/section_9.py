"""Section 9: make_jaxpr shows what jit would trace."""

import jax
import jax.numpy as jnp


def f(x):
    return jnp.tanh(x) * jnp.sin(x) + jnp.log1p(x * x)


print(jax.make_jaxpr(f)(jnp.arange(4, dtype=jnp.float32)))

# mypy: ignore-errors
