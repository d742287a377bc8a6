"""A static self that is hashed by a field, and the field changes."""

from functools import partial

import jax


class Scale:
    def __init__(self, factor):
        self.factor = factor

    def __hash__(self):
        return self.factor

    def __eq__(self, other):
        return self.factor == other.factor

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return x * self.factor


scale = Scale(3)
for factor in (3, 5, 5):
    scale.factor = factor
    print(scale.apply(2))

# mypy: ignore-errors
