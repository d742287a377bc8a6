"""A jitted function that calls itself for ever."""

import jax


@jax.jit
def down(n):
    return jax.lax.cond(n > 0, lambda: down(n - 1), lambda: n)


down(3)

# mypy: ignore-errors
