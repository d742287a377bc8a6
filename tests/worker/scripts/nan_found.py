"""debug_nans runs the body again, which is no trace."""

import jax
import jax.numpy as jnp


@jax.jit
def root(x):
    return jnp.log(x - 2)


x = jnp.array([3.0, 1.0])
root(x)
jax.config.update("jax_debug_nans", True)
root(x)

# mypy: ignore-errors
