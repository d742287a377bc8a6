"""Threads call the same function for the first time."""

import threading

import jax

together = threading.Barrier(3)


@jax.jit
def once(x):
    return x * 7


def work():
    together.wait()
    once(2.0)


threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
once(2.0)

# mypy: ignore-errors
