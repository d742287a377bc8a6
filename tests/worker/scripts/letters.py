"""Names in any alphabet."""

import jax
import jax.numpy as jnp


@jax.jit
def größte_zahl(θ, β=2.0):
    print("🔎 größte_zahl", θ)
    jax.debug.print("θ = {θ} → 数", θ=θ)
    return θ * β


größte_zahl(3.0)
größte_zahl(jnp.zeros(2))
jax.effects_barrier()

# mypy: ignore-errors
