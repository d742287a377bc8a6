"""Tests of the process with the device, on real JAX."""
