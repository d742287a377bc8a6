"""A NumPy array that is changed after it was handed over."""

import jax
import numpy as np


@jax.jit
def largest(x):
    return x.max()


numbers = np.zeros(8, np.float32)
copy = jax.numpy.array(numbers)
numbers[:] = 4
print(float(largest(copy)))

# mypy: ignore-errors
