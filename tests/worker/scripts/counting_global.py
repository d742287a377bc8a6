"""A global that the body changes is changed while tracing only."""

import jax

seen = 0


@jax.jit
def tick():
    global seen
    seen += 1
    return seen


print([int(tick()) for _ in range(3)], seen)

# mypy: ignore-errors
