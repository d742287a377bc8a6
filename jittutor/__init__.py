"""Jittutor shows, while you learn, how jax.jit traces, lowers, compiles, caches and executes."""

__version__ = "0.1.0"
