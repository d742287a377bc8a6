"""Stable shapes: pad and mask

Each new shape costs a compile. Real data comes in many lengths. The usual
way out: fill up to one fixed length, and say which entries are real.
"""

import jax
import jax.numpy as jnp
import numpy as np

MAX_LEN = 16
rows = [[1.0, 2.0, 3.0], [10.0] * 8, [5.0, -2.0]]

# %% What lengths cost  id="what-lengths-cost", cache="miss miss miss", traces={"mean": 3}, compiles={"mean": 3}, reasons="shape, shape", prints=["len= 3 mean=2.000", "len= 8 mean=10.000", "len= 2 mean=1.500"]
"""
Three lists of numbers, three lengths, one simple function. Each length is
a new shape for `mean`, so JAX compiles it three times.

Here that is cheap. But think of sentences with 1 to 500 words and of a
large model: up to 500 compiles of several seconds each. The last batch of
an epoch, which is nearly always smaller, does the same to you once more.

Look at the reasons. For all but the first call they say the same: a new
shape.
"""


@jax.jit
def mean(x):
    return jnp.sum(x) / x.shape[0]


for row in rows:
    x = np.array(row, dtype=np.float32)
    print(f"len={len(row):2d} mean={mean(x):.3f}")

# %% One shape for all  id="one-shape-for-all", cache={"masked_mean": "miss hit hit"}, traces={"masked_mean": 1}, compiles={"masked_mean": 1}, reasons="", prints=["len= 3 mean=2.000", "len= 8 mean=10.000", "len= 2 mean=1.500"], holds="len(run.eager) == 0"
"""
Now each row is filled up with zeros to `MAX_LEN` entries. Zeros would pull
the mean down, so a second array goes with it: the *mask* has 1 for each
real entry and 0 for each filled one. The function multiplies by the mask
and divides by the number of real entries.

The shapes never change. Only the values do, and values are not in the
cache key. The same pattern is used everywhere, up to attention masks in
large language models.

A row that is too long must not be cut in silence, so `pad` raises an
error.
"""


@jax.jit
def masked_mean(x, mask):
    return jnp.sum(x * mask) / jnp.maximum(jnp.sum(mask), 1.0)


def pad(row):
    n = len(row)
    if n > MAX_LEN:
        raise ValueError(f"{n} entries are more than {MAX_LEN}")
    x, mask = np.zeros((2, MAX_LEN), dtype=np.float32)
    x[:n], mask[:n] = row, 1.0
    return x, mask


for row in rows:
    x, mask = pad(row)
    print(f"len={len(row):2d} mean={masked_mean(x, mask):.3f}")

# %% predict: Three lengths, padded to one. How many compiles of masked_mean?  answer="run.compiles('masked_mean')"
"""
- `1`: each call has two arrays of shape (16,). Only their values differ.
- `2`: the mask changes from call to call, but only in its values.
- `3`: so it was before padding. Now JAX never sees the real length.
"""

# %% The padder that compiles  id="the-padder-that-compiles", cache={"masked_mean": "miss hit hit"}, compiles={"masked_mean": 1}, holds=["len(run.eager) >= 6", "len(run.eager) > 3 * run.compiles('masked_mean')"]
"""
This version of `pad` looks just as good. It is made of `jnp` functions:
ones, zeros, `concatenate`. `masked_mean` is still compiled only once.

But look at the *eager* compiles, which are counted apart. A `jnp`
operation outside of `jit` is a small program too, with a cache of its own,
and its key also has the shapes. `pad` works on the real lengths, so each
new length compiles new small programs: we moved the recompiles from
`masked_mean` into the helper.
"""


@jax.jit
def masked_mean(x, mask):
    return jnp.sum(x * mask) / jnp.maximum(jnp.sum(mask), 1.0)


def pad(row):
    n = len(row)
    if n > MAX_LEN:
        raise ValueError(f"{n} entries are more than {MAX_LEN}")
    values = jnp.asarray(row, dtype=jnp.float32)
    rest = jnp.zeros(MAX_LEN - n, dtype=jnp.float32)
    x = jnp.concatenate([values, rest])
    mask = jnp.concatenate([jnp.ones(n, dtype=jnp.float32), rest])
    return x, mask


for row in rows:
    x, mask = pad(row)
    print(f"len={len(row):2d} mean={masked_mean(x, mask):.3f}")

# %% predict: How many programs are compiled for these three rows, all together?  answer="'1' if not run.eager else 'about 4' if len(run.eager) < 5 else 'more than 6'"
"""
- `1`: that is true for `masked_mean`. The `jnp` operations in `pad` are
  compiled too.
- `about 4`: it would be so if `pad` compiled once a row. It has several
  operations, and nearly all of them see the real length.
- `more than 6`: `masked_mean` once, and several small programs for each
  new length.
"""

# %% Your turn: pad without compiling  id="pad-without-compiling", traces={"masked_mean": 1}, holds="len(run.eager) >= 1"
"""
Repair `pad` so that nothing but `masked_mean` is compiled. The work of
`pad` is small and needs no device: NumPy can do it on the host, and
nothing is compiled there.

What must hold:

- `masked_mean` is compiled once, and there is no eager compile;
- the means are right: 2, 10 and 1.5;
- a row with more than `MAX_LEN` entries raises `ValueError`.

Leave `masked_mean` as it is.
"""


@jax.jit
def masked_mean(x, mask):
    return jnp.sum(x * mask) / jnp.maximum(jnp.sum(mask), 1.0)


def pad(row):
    n = len(row)
    if n > MAX_LEN:
        raise ValueError(f"{n} entries are more than {MAX_LEN}")
    x = jnp.zeros(MAX_LEN).at[:n].set(jnp.array(row))
    mask = jnp.zeros(MAX_LEN).at[:n].set(1.0)
    return x, mask


means = [float(masked_mean(*pad(row))) for row in rows]
print(means)

# %% hint
"""
Make two NumPy arrays of zeros with `MAX_LEN` entries and dtype
`np.float32`. A NumPy array can be changed in place.
"""

# %% hint
"""
`x = np.zeros(MAX_LEN, np.float32)`, then `x[:n] = row`. For the mask:
the same zeros, then `mask[:n] = 1.0`.
"""

# %% check
compiled = sorted({event.function for event in run.eager})
assert [round(value, 4) for value in means] == [2.0, 10.0, 1.5], (
    f"rows: {rows}; expected means: [2.0, 10.0, 1.5]; actual: {means}"
)
assert run.compiles("masked_mean") == 1, (
    "expected: masked_mean is compiled once; "
    f"actual: {run.compiles('masked_mean')} times"
)
assert not compiled, (
    "expected: no compile outside of jit; "
    f"actual: {len(run.eager)}, of {', '.join(compiled)}"
)
try:
    pad([1.0] * (MAX_LEN + 1))
except ValueError:
    pass
else:
    raise AssertionError(
        f"input: {MAX_LEN + 1} entries; expected: ValueError; "
        "actual: no error, so entries would be lost"
    )


# %% solution
@jax.jit
def masked_mean(x, mask):
    return jnp.sum(x * mask) / jnp.maximum(jnp.sum(mask), 1.0)


def pad(row):
    n = len(row)
    if n > MAX_LEN:
        raise ValueError(f"{n} entries are more than {MAX_LEN}")
    x = np.zeros(MAX_LEN, dtype=np.float32)
    mask = np.zeros(MAX_LEN, dtype=np.float32)
    x[:n] = row
    mask[:n] = 1.0
    return x, mask


means = [float(masked_mean(*pad(row))) for row in rows]
print(means)

# %% wrong
"""
expected: no compile outside of jit; actual:
"""


@jax.jit
def masked_mean(x, mask):
    return jnp.sum(x * mask) / jnp.maximum(jnp.sum(mask), 1.0)


def pad(row):
    n = len(row)
    if n > MAX_LEN:
        raise ValueError(f"{n} entries are more than {MAX_LEN}")
    x = jnp.pad(jnp.array(row), (0, MAX_LEN - n))
    mask = jnp.pad(jnp.ones(n), (0, MAX_LEN - n))
    return x, mask


means = [float(masked_mean(*pad(row))) for row in rows]

# %% wrong
"""
expected means: [2.0, 10.0, 1.5]; actual: [0.375,
"""


@jax.jit
def masked_mean(x, mask):
    return jnp.sum(x * mask) / jnp.maximum(jnp.sum(mask), 1.0)


def pad(row):
    n = len(row)
    if n > MAX_LEN:
        raise ValueError(f"{n} entries are more than {MAX_LEN}")
    x = np.zeros(MAX_LEN, dtype=np.float32)
    x[:n] = row
    return x, np.ones(MAX_LEN, dtype=np.float32)


means = [float(masked_mean(*pad(row))) for row in rows]

# %% wrong
"""
masked_mean is compiled once; actual: 3 times
"""


@jax.jit
def masked_mean(x, mask):
    return jnp.sum(x * mask) / jnp.maximum(jnp.sum(mask), 1.0)


def pad(row):
    x = np.array(row, dtype=np.float32)
    return x, np.ones_like(x)


means = [float(masked_mean(*pad(row))) for row in rows]

# %% wrong
"""
17 entries; expected: ValueError; actual: no error
"""


@jax.jit
def masked_mean(x, mask):
    return jnp.sum(x * mask) / jnp.maximum(jnp.sum(mask), 1.0)


def pad(row):
    row = row[:MAX_LEN]
    x, mask = np.zeros((2, MAX_LEN), dtype=np.float32)
    x[: len(row)], mask[: len(row)] = row, 1.0
    return x, mask


means = [float(masked_mean(*pad(row))) for row in rows]
