"""A breakpoint while nobody can type."""

import jax


@jax.jit
def stop(x):
    jax.debug.breakpoint()
    return x + 1


stop(1.0)
print("not reached")

# mypy: ignore-errors
