"""The result carries a mesh that the first input did not have."""

import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"
import jax
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

mesh = jax.make_mesh((2,), ("part",))


@jax.jit
def halve(x):
    return jax.lax.with_sharding_constraint(x / 2, NamedSharding(mesh, PartitionSpec()))


x = np.full(6, 8.0, np.float32)
for _ in range(3):
    x = halve(x)

# mypy: ignore-errors
