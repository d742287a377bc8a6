"""An error in a callback, at the first and at a later call."""

import jax


def check(x):
    if x < 0:
        raise LookupError("below zero")
    return x


def make():
    return jax.jit(lambda x: jax.pure_callback(check, x, x))


for values in ((-1.0, 1.0), (1.0, -1.0)):
    checked = make()
    for value in values:
        try:
            print(float(checked(value)))
        except Exception as error:
            print(type(error).__name__)

# mypy: ignore-errors
