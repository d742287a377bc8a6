"""jax.debug.print wants a format, not an f-string."""

import jax


@jax.jit
def show(v):
    jax.debug.print(f"v = {v}", v=v)
    return v


show(0.5)

# mypy: ignore-errors
