"""range needs a whole number."""

import jax


@jax.jit
def repeat(x, times):
    for _ in range(times):
        x = x + x
    return x


repeat(1.0, 3)

# mypy: ignore-errors
