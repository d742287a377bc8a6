"""A trace that never ends, until the script interrupts itself."""

import os
import signal
import threading

import jax

over = threading.Event()


def interrupt():
    # Again and again: one that arrives while JAX's garbage collection runs is lost.
    while not over.wait(0.2):
        os.kill(os.getpid(), signal.SIGINT)


@jax.jit
def grow(x):
    print("begins", flush=True)
    threading.Thread(target=interrupt, daemon=True).start()
    try:
        while True:
            x = x + 1
    finally:
        over.set()


grow(1.0)

# mypy: ignore-errors
