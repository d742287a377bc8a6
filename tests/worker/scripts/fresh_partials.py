"""A new partial each time around the loop, jitted and not."""

from functools import partial

import jax
from jax.tree_util import Partial


def shift(by, x):
    return x + by


@jax.jit
def scaled(x, factor):
    return x * factor


for _ in range(4):
    jax.jit(partial(shift, 3))(1.0)
scaled(5, 2)
for _ in range(2):
    Partial(scaled, factor=2)(5)

# mypy: ignore-errors
