"""Section 6: Python's if on a traced value, after the ways that work."""

import jax
import jax.numpy as jnp


@jax.jit
def relu(x):
    return jnp.where(x > 0, x, 0.0)


@jax.jit
def either(x, sharp):
    return jax.lax.cond(sharp, lambda v: jnp.where(v > 0, v, 0.0), jax.nn.softplus, x)


@jax.jit
def relu_bad(x):
    if x > 0:
        return x
    return jnp.zeros_like(x)


x = jnp.array([-1.0, 0.5, 2.0])
print(relu(x))
print(either(x, jnp.array(True)), either(x, jnp.array(False)))
print(relu_bad(jnp.array(1.0)))

# mypy: ignore-errors
