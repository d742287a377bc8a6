"""What modules held before the first run: a replaced `print`, `time.time` or `jnp.sum` is put back."""

import builtins
import contextlib
import functools
import io
import json
import math
import operator
import os
import random
import threading
import time
import types

import jax
import jax.numpy as jnp
import numpy as np

_OURS = (builtins, time, os, os.path, io, threading)
"""What this process itself cannot do without."""
_LEARNERS = (math, random, json, functools, contextlib, np, jax, jnp, jax.lax, jax.random, jax.nn, jax.tree)


class Originals:
    """The names of these modules, and what they meant."""

    def __init__(self, modules: tuple[types.ModuleType, ...]) -> None:
        """Remember."""
        self._kept = [(vars(module), dict(vars(module))) for module in modules]
        self._builtins = set(vars(builtins))

    def put_back(self) -> None:
        """Make every name mean again what it meant; names that were added may stay, except built-in ones."""
        missing = object()
        for now, before in self._kept:
            if all(map(operator.is_, map(now.get, before), before.values())):
                continue
            for name, value in before.items():
                if now.get(name, missing) is not value:
                    now[name] = value
        added = vars(builtins).keys() - self._builtins
        for name in added:
            del vars(builtins)[name]


@functools.cache
def ours() -> Originals:
    """Of the modules that the worker needs."""
    return Originals(_OURS)


@functools.cache
def all_of_them() -> Originals:
    """And of those that lessons are about."""
    return Originals((*_OURS, *_LEARNERS))
