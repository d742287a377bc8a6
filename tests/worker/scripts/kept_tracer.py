"""A traced value is kept and used later."""

import jax

kept = {}


@jax.jit
def keep(x):
    kept["x"] = x * 2
    return x


keep(1.0)
keep(1.0)
kept["x"] * 3

# mypy: ignore-errors
