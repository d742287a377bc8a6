"""The process with the device: imports JAX, never the screen."""
