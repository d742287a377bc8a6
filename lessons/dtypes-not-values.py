"""Dtypes count, values do not

The second part of the kind is the dtype. And one thing is not a part of
it, however much it changes: the values.
"""

import jax
import jax.numpy as jnp
import numpy as np

# %% A new dtype, but not new values  id="new-dtype", cache="miss hit hit miss miss", traces={"f": 3}, compiles={"f": 3}, reasons="dtype, dtype"
"""
The key holds the *dtype* of each array argument too: adding integers and
adding floats are different programs.

It does not hold the *values*. Two arrays with the same shape and dtype
share one program, even when one of them is full of NaN. During tracing
there are no values, so nothing could depend on them.

Below, the first three calls have different values, the last two have
different dtypes. Such a change is easy to make by accident: NumPy counts
in `int64`, and a file may hold half precision numbers.
"""


@jax.jit
def f(x):
    return jnp.sum(x**2)


f(np.zeros((32, 128), dtype=np.float32))
f(np.ones((32, 128), dtype=np.float32))
f(np.full((32, 128), np.nan, dtype=np.float32))
f(np.ones((32, 128), dtype=np.float16))
f(np.ones((32, 128), dtype=np.int32))

# %% predict: Which calls are misses?  answer="', '.join(str(n) for n, what in enumerate(run.cache('f'), 1) if what == 'miss')"
"""
- `1, 2, 3, 4, 5`: values are not in the key, so calls 2 and 3 are hits.
- `1, 3, 4, 5`: NaN is a value like any other. It is not in the key.
- `1, 4, 5`: float32, float16 and int32: one program for each dtype.
- `1`: the shape is the same in all calls, but the dtype counts too.
"""

# %% Where dtypes come from  id="where-dtypes-come-from", cache="miss hit hit miss miss", traces={"f": 3}, reasons="dtype, dtype", compiles={"f": 3}
"""
You seldom write a dtype. Mostly it comes from somewhere, so it pays to
know the habits:

- NumPy makes `float64` of `1.0` and `int64` of `1`.
- JAX works with 32 bits, as long as you do not ask for 64
  (`jax.enable_x64`). So `float64` becomes `float32` on the way in, and
  `int64` becomes `int32`. To the cache, NumPy's `float64` and `float32`
  are then the same!
- It does not matter whether an array was made by NumPy or by JAX.

But a list of whole numbers makes integers, and a comparison makes
truth values (`bool`). Those are other dtypes, and other programs.
"""


@jax.jit
def f(x):
    return jnp.sum(x)


f(np.ones(3, np.float32))
f(np.array([1.0, 2.0, 3.0]))
f(jnp.array([1.0, 2.0, 3.0]))
f(np.array([1, 2, 3]))
f(np.array([1.0, 2.0, 3.0]) > 1)

# %% predict: Which calls are misses?  answer="', '.join(str(n) for n, what in enumerate(run.cache('f'), 1) if what == 'miss')"
"""
- `1, 2, 4, 5`: NumPy made float64 in call 2. But JAX turns it into float32
  before it asks the cache.
- `1, 3, 4, 5`: a JAX array of float32 is the same kind of input as a NumPy
  array of float32.
- `1, 4, 5`: float32, then int32, then bool.
- `1, 2, 3, 4, 5`: the first three end up as float32, whoever made them.
"""

# %% Your turn: one dtype at the door  id="one-dtype-at-the-door", cache="miss miss miss hit miss hit", traces={"energy": 4}, compiles={"energy": 4}, reasons="dtype, dtype, dtype"
"""
Six readings come from six sources. All have four entries, but not all have
the same dtype, so `energy` is compiled four times.

Change the loop, so that `energy` is compiled only **once** for all six
readings. The results must stay the same. Convert before the call: inside
the jitted function it is too late, because the cache is asked before the
function begins.
"""

readings = [
    np.array([0.5, 1.5, 2.5, 3.5], np.float32),
    np.array([1, 2, 3, 4]),
    np.array([1, 2, 3, 4], np.float16),
    np.array([0.0, 1.0, 0.0, 1.0]),
    np.array([True, False, True, True]),
    np.array([4, 3, 2, 1]),
]


@jax.jit
def energy(x):
    return jnp.sum(x * x)


results = []
for reading in readings:
    results.append(energy(reading))
print([float(result) for result in results])

# %% hint
"""
Each NumPy array has the method `astype`, which gives the same values with
another dtype. Which dtype can hold all these values?
"""

# %% hint
"""
In the loop: `results.append(energy(reading.astype(np.float32)))`
"""

# %% check
values = [round(float(result), 3) for result in results]
wanted = [21.0, 30.0, 30.0, 2.0, 3.0, 30.0]
assert values == wanted, f"expected: {wanted}; actual: {values}"
assert run.traces("energy") > 0, (
    "expected: energy is jitted; actual: jit never traced it"
)
kinds = [r.call.signature for r in run.calls if not r.call.hit]
assert run.compiles("energy") == 1, (
    "expected: energy is compiled once; "
    f"actual: {run.compiles('energy')} times, for {', '.join(kinds)}"
)

# %% solution
readings = [
    np.array([0.5, 1.5, 2.5, 3.5], np.float32),
    np.array([1, 2, 3, 4]),
    np.array([1, 2, 3, 4], np.float16),
    np.array([0.0, 1.0, 0.0, 1.0]),
    np.array([True, False, True, True]),
    np.array([4, 3, 2, 1]),
]


@jax.jit
def energy(x):
    return jnp.sum(x * x)


results = []
for reading in readings:
    results.append(energy(reading.astype(np.float32)))
print([float(result) for result in results])

# %% wrong
"""
energy is compiled once; actual: 4 times, for x: f32[4], x: i32[4]
"""

readings = [
    np.array([0.5, 1.5, 2.5, 3.5], np.float32),
    np.array([1, 2, 3, 4]),
    np.array([1, 2, 3, 4], np.float16),
    np.array([0.0, 1.0, 0.0, 1.0]),
    np.array([True, False, True, True]),
    np.array([4, 3, 2, 1]),
]


@jax.jit
def energy(x):
    x = x.astype(np.float32)
    return jnp.sum(x * x)


results = []
for reading in readings:
    results.append(energy(reading))

# %% wrong
"""
expected: [21.0, 30.0, 30.0, 2.0, 3.0, 30.0]; actual: [14.0,
"""

readings = [
    np.array([0.5, 1.5, 2.5, 3.5], np.float32),
    np.array([1, 2, 3, 4]),
    np.array([1, 2, 3, 4], np.float16),
    np.array([0.0, 1.0, 0.0, 1.0]),
    np.array([True, False, True, True]),
    np.array([4, 3, 2, 1]),
]


@jax.jit
def energy(x):
    return jnp.sum(x * x)


results = []
for reading in readings:
    results.append(energy(reading.astype(np.int32)))

# %% wrong
"""
energy is compiled once; actual: 4 times
"""

readings = [
    np.array([0.5, 1.5, 2.5, 3.5], np.float32),
    np.array([1, 2, 3, 4]),
    np.array([1, 2, 3, 4], np.float16),
    np.array([0.0, 1.0, 0.0, 1.0]),
    np.array([True, False, True, True]),
    np.array([4, 3, 2, 1]),
]


@jax.jit
def energy(x):
    x = x * jnp.ones(1)
    return jnp.sum(x * x)


results = []
for reading in readings:
    results.append(energy(jnp.asarray(reading)))
