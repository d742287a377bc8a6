"""A process started by the spawn method, from a script without a guard."""

import multiprocessing

import jax


@jax.jit
def triple(x):
    return x * 3


def job():
    triple(1.0)


child = multiprocessing.get_context("spawn").Process(target=job)
child.start()
child.join()
print("ended with", child.exitcode)

# mypy: ignore-errors
