"""Without jit the body runs each time, and that is no trace."""

import jax


@jax.jit
def double(x):
    return x * 2


with jax.disable_jit():
    double(1.0)
    double(1.0)
double(1.0)

# mypy: ignore-errors
