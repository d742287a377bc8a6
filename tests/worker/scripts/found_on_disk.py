"""A compile that is found in the cache on disk."""

import tempfile

import jax

jax.config.update("jax_compilation_cache_dir", tempfile.mkdtemp())
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)


@jax.jit
def cube(x):
    return x**3


cube(2.0)
jax.clear_caches()
cube(2.0)

# mypy: ignore-errors
