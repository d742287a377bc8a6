"""A large array taken from outside, and the same passed in."""

import jax
import jax.numpy as jnp

table = jnp.ones((300, 300))


@jax.jit
def taken(x):
    return x @ table


@jax.jit
def given(x, table):
    return x @ table


x = jnp.ones(300)
given(x, table)
taken(x)

# mypy: ignore-errors
