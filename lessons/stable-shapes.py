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
cache key. The attention masks of language models are the same pattern.

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

# %% Your turn: the highest of the real ones  id="masked-highest", traces={"highest": 1}, cache={"highest": "miss hit hit hit hit hit hit hit"}, holds=["found != wanted", "found[0] == 0.0"]
"""
Padding changes the meaning of an operation, each time in another way. This
`highest` should give the largest entry of each row. It is traced once for
eight lengths, and some answers are wrong: run it and compare the two lines.

In the first rows all entries are below zero, so the zeros of the padding
win.

Repair `highest`, so that

- all eight answers are right;
- it is still compiled once;
- `pad` stays as it is. Use the mask: what should stand at the places that
  are not real?
"""


def pad(row):
    x, mask = np.zeros((2, MAX_LEN), dtype=np.float32)
    x[: len(row)], mask[: len(row)] = row, 1.0
    return x, mask


@jax.jit
def highest(x, mask):
    return jnp.max(x * mask)


rows = [[float(k) - 6 for k in range(n)] for n in range(1, 9)]
found = [float(highest(*pad(row))) for row in rows]
wanted = [max(row) for row in rows]
print("found: ", found)
print("wanted:", wanted)

# %% hint
"""
`jnp.where(mask > 0, x, …)` keeps the real entries. The third number must be
so low that it never wins: which one is it?
"""

# %% hint
"""
No number is lower than minus infinity:
`return jnp.max(jnp.where(mask > 0, x, -jnp.inf))`.
"""

# %% check
assert len(run.cache("highest")) == 8, (
    "expected: highest is jitted and called eight times; "
    f"actual: {len(run.cache('highest'))} calls"
)
assert run.compiles("highest") == 1, (
    "expected: highest is compiled once for eight lengths; "
    f"actual: compiled {run.compiles('highest')} times"
)
for row, value in zip(rows, found, strict=True):
    assert value == max(row), (
        f"row: {row}; expected: {max(row)}; actual: {value}"
    )
x, mask = pad([-1e6, -2e6])
value = float(highest(x, mask))
assert value == -1e6, (
    f"row: [-1e6, -2e6]; expected: -1000000.0; actual: {value}"
)


# %% solution
def pad(row):
    x, mask = np.zeros((2, MAX_LEN), dtype=np.float32)
    x[: len(row)], mask[: len(row)] = row, 1.0
    return x, mask


@jax.jit
def highest(x, mask):
    return jnp.max(jnp.where(mask > 0, x, -jnp.inf))


rows = [[float(k) - 6 for k in range(n)] for n in range(1, 9)]
found = [float(highest(*pad(row))) for row in rows]
wanted = [max(row) for row in rows]
print("found: ", found)
print("wanted:", wanted)

# %% wrong
"""
highest is compiled once for eight lengths; actual: compiled 8 times
"""


@jax.jit
def highest(x):
    return jnp.max(x)


rows = [[float(k) - 6 for k in range(n)] for n in range(1, 9)]
found = [float(highest(np.float32(row))) for row in rows]

# %% wrong
"""
row: [-1e6, -2e6]; expected: -1000000.0; actual: -1000.0
"""


def pad(row):
    x, mask = np.zeros((2, MAX_LEN), dtype=np.float32)
    x[: len(row)], mask[: len(row)] = row, 1.0
    return x, mask


@jax.jit
def highest(x, mask):
    return jnp.max(jnp.where(mask > 0, x, -1000.0))


rows = [[float(k) - 6 for k in range(n)] for n in range(1, 9)]
found = [float(highest(*pad(row))) for row in rows]

# %% wrong
"""
NonConcreteBooleanIndexError
"""


def pad(row):
    x, mask = np.zeros((2, MAX_LEN), dtype=np.float32)
    x[: len(row)], mask[: len(row)] = row, 1.0
    return x, mask


@jax.jit
def highest(x, mask):
    return jnp.max(x[mask > 0])


rows = [[float(k) - 6 for k in range(n)] for n in range(1, 9)]
found = [float(highest(*pad(row))) for row in rows]
