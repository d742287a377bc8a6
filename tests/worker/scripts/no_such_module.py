"""A module that is not installed."""

import jax


@jax.jit
def curve(t):
    return t * t


curve(2.0)
import no_such_plotting_module

# mypy: ignore-errors
