"""Position, name and order of arguments."""

import jax


@jax.jit
def join(left, right):
    return left - right


join(1, 2)
join(3, right=4)
join(right=5, left=6)
join(left=7, right=8)
join(9, 10)

# mypy: ignore-errors
