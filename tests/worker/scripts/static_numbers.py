"""A static number that varies."""

import jax


def tower(x, height):
    for _ in range(height):
        x = x * x
    return x


tower = jax.jit(tower, static_argnames="height")
for height in (1, 4, 1, 2):
    tower(2.0, height=height)

# mypy: ignore-errors
