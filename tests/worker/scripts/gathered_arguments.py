"""Arrays that stars gather, one by one of another kind."""

import jax
import jax.numpy as jnp


@jax.jit
def total(*parts, **more):
    return sum(jnp.sum(leaf) for leaf in jax.tree.leaves((parts, more)))


total(jnp.ones(2), {"a": jnp.ones(2)})
total(jnp.ones(3), {"a": jnp.ones(2)})
total(jnp.ones(3), {"a": jnp.ones(2, dtype=int)})
total(jnp.ones(3), {"a": jnp.ones(2, dtype=int)})
total(jnp.ones(3), more=jnp.ones(2))
total(jnp.ones(3), more=jnp.ones(3))

# mypy: ignore-errors
