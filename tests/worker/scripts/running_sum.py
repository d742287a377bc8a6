"""A running sum starts as a Python float: the second step sees an array."""

import jax
import numpy as np


@jax.jit
def add(acc, item):
    return acc + item * np.float32(2)


acc = 1.0
for item in np.arange(4, dtype=np.float32):
    acc = add(acc, item)
print(float(acc))

# mypy: ignore-errors
