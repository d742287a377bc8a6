"""A jitted function that is defined again in every call of another."""

import jax


def outer(x):
    @jax.jit
    def inner(y):
        return y * 0.25

    return inner(x)


for _ in range(4):
    outer(2.0)

# mypy: ignore-errors
