"""The screen: imports Textual, never JAX or NumPy."""
