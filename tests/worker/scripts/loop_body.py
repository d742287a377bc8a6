"""The body of a loop is traced, but not by jit."""

import jax


def body(i, total):
    return total + i


print(int(jax.lax.fori_loop(0, 5, body, 0)))

# mypy: ignore-errors
