"""Section 7: a loop that is unrolled and a loop that stays one."""

import jax
import jax.numpy as jnp

STEPS = 200


@jax.jit
def unrolled(x):
    for _ in range(STEPS):
        x = jnp.sin(x) + 0.01 * x
    return x


@jax.jit
def scanned(x):
    return jax.lax.scan(lambda y, _: (jnp.sin(y) + 0.01 * y, None), x, None, length=STEPS)[0]


x = jnp.ones(64, jnp.float32)
print(bool(jnp.allclose(unrolled(x), scanned(x), atol=1e-5)))

# mypy: ignore-errors
