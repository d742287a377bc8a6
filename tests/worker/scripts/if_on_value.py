"""Python's if needs a value."""

import jax


@jax.jit
def steps(start):
    for step in range(3):
        start = start * 2
        if start > 10:
            return step
    return -1


steps(4.0)

# mypy: ignore-errors
