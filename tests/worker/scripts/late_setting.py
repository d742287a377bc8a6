"""An environment variable that comes after JAX."""

import os

import jax

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"


@jax.jit
def next_one(x):
    return x + 1


print(next_one(1), jax.devices()[0].platform)

# mypy: ignore-errors
