"""Section 4: the first call against the calls after it."""

import time

import jax
import jax.numpy as jnp


@jax.jit
def heavy(x):
    for _ in range(20):
        x = jnp.sin(x) * jnp.cos(x) + jnp.tanh(x)
    return x


x = jnp.arange(100_000, dtype=jnp.float32)
jax.clear_caches()
for _ in range(6):
    started = time.perf_counter()
    heavy(x).block_until_ready()
    print(f"{(time.perf_counter() - started) * 1e3:.2f} ms")

# mypy: ignore-errors
