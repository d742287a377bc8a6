"""A format needs a number."""

import jax


@jax.jit
def tell(x):
    print(f"{x:>8.3e}")
    return x


tell(2.5)

# mypy: ignore-errors
