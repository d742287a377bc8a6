"""A recursive function with a static number: each number is traced once."""

from functools import partial

import jax


@partial(jax.jit, static_argnums=1)
def steps(x, n):
    return x + 1 if n < 2 else steps(x, n - 1) + steps(x, n - 2)


print(int(steps(1, 6)))

# mypy: ignore-errors
