"""Only the dtype is new, although another setting was used in between."""

import jax
import numpy as np


@jax.jit
def negate(x, more=0.0):
    return -x + more


negate(np.float32(2))
with jax.enable_x64(True):
    negate(np.float32(2))
negate(np.int32(2))
negate(np.float32(2), more=1.0)
negate(np.int8(2))

# mypy: ignore-errors
