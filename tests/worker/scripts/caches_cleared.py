"""One function's cache is cleared, then all."""

import jax


@jax.jit
def low(x):
    return x - 1


@jax.jit
def high(x):
    return low(x) * 3


high(1.0)
low(1.0)
low.clear_cache()
high(1.0)
low(1.0)
jax.clear_caches()
high(1.0)

# mypy: ignore-errors
