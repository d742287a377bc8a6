"""The helper that recompiles

You pad everything to one shape, and the program is still slow. The
recompiles have not gone: they have moved into your helper. Here you find
them, and learn how to pad without waste.
"""

import jax
import jax.numpy as jnp
import numpy as np

MAX_LEN = 16
rows = [[1.0, 2.0, 3.0], [10.0] * 8, [5.0, -2.0]]


@jax.jit
def masked_mean(x, mask):
    return jnp.sum(x * mask) / jnp.maximum(jnp.sum(mask), 1.0)


# %% A helper made of jnp  id="the-padder-that-compiles", cache={"masked_mean": "miss hit hit"}, compiles={"masked_mean": 1}, holds=["len(run.eager) >= 6", "len(run.eager) > 3 * run.compiles('masked_mean')"]
"""
This version of `pad` looks just as good as the one with NumPy. It is made
of `jnp` functions: ones, zeros, `concatenate`. Its results have one shape,
so `masked_mean` is compiled once, as before.

But a `jnp` operation outside of `jit` is a small program too, an *eager*
one. It has a cache of its own, and in its key are the shapes of its inputs
and of its result. And `pad` works on the real lengths.

Eager compiles are counted apart from those of jitted functions: in the
line *outside jit* of the pane Calls.
"""


def pad(row):
    n = len(row)
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
This `pad` fills in the values: `.at[:n].set(jnp.array(row))` gives a copy
of a JAX array in which the first `n` entries are new. Each such copy is
made by a small program.

Repair `pad` so that nothing but `masked_mean` is compiled. The work of
`pad` is small and needs no device: NumPy can do it on the host, and
nothing is compiled there.

What must hold:

- `masked_mean` is compiled once, and there is no eager compile;
- the means are right: 2, 10 and 1.5;
- a row with more than `MAX_LEN` entries raises `ValueError`.
"""


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


def pad(row):
    x = np.array(row, dtype=np.float32)
    return x, np.ones_like(x)


means = [float(masked_mean(*pad(row))) for row in rows]

# %% wrong
"""
17 entries; expected: ValueError; actual: no error
"""


def pad(row):
    row = row[:MAX_LEN]
    x, mask = np.zeros((2, MAX_LEN), dtype=np.float32)
    x[: len(row)], mask[: len(row)] = row, 1.0
    return x, mask


means = [float(masked_mean(*pad(row))) for row in rows]

# %% A length for each, or buckets  id="buckets", traces={"masked_mean": 7}, compiles={"masked_mean": 7}, reasons={"masked_mean": "shape, shape, shape, shape, shape, shape"}, prints=["64 lengths, 7 shapes, waste 24%"], holds="len(run.eager) == 0"
"""
One fixed length wastes work when most rows are short: a row of 3 entries
padded to 64 computes 61 times for nothing. A shape for each length compiles
64 times. Between the two are *buckets*: a few fixed lengths, and each row
goes into the smallest one that holds it.

Powers of two are the usual choice: 1, 2, 4, 8 and so on. Fewer than half of
the entries are padding, in whatever way the lengths are spread.

Each bucket is compiled once, when its first row comes. A program that
should never wait can call each bucket once at the start.
"""


def bucket(n):
    size = 1
    while size < n:
        size = 2 * size
    return size


def pad(row):
    n = len(row)
    x, mask = np.zeros((2, bucket(n)), dtype=np.float32)
    x[:n], mask[:n] = row, 1.0
    return x, mask


real = padded = 0
sizes = set()
for n in range(1, 65):
    x, mask = pad(np.arange(n))
    masked_mean(x, mask)
    real, padded = real + n, padded + len(x)
    sizes.add(len(x))
waste = 1 - real / padded
print(f"64 lengths, {len(sizes)} shapes, waste {100 * waste:.0f}%")

# %% predict: 64 calls with lengths 1 to 64, in buckets that are powers of two. How many traces?  answer="run.traces('masked_mean')"
"""
- `64`: that is one for each length. The buckets hide the real length.
- `32`: each bucket is twice as long as the one before it, so there are far
  fewer.
- `7`: 1, 2, 4, 8, 16, 32 and 64.
- `1`: that is one fixed length for all, with the most waste.
"""

# %% Your turn: choose the buckets  id="choose-the-buckets", traces={"masked_mean": 12}, compiles={"masked_mean": 12}
"""
This program gets rows with 33 to 60 entries, 12 lengths in all, and has a
shape for each. Write `bucket`: it gets the length of a row and returns the
length to pad to.

What must hold for the 12 rows together:

- `masked_mean` is compiled at most 3 times;
- less than 15% of the padded entries are padding;
- no row is cut, and the means are right.

Powers of two would put all rows into 64, with 30% of padding. Multiples of
some number fit better here.
"""

lengths = [33, 35, 36, 38, 40, 41, 44, 47, 50, 53, 57, 60]


def bucket(n):
    return n


def pad(row):
    n, size = len(row), bucket(len(row))
    x, mask = np.zeros((2, size), dtype=np.float32)
    x[:n], mask[:n] = row, 1.0
    return x, mask


means = [float(masked_mean(*pad(np.arange(n)))) for n in lengths]
waste = 1 - sum(lengths) / sum(bucket(n) for n in lengths)
print(f"waste: {100 * waste:.0f}%")

# %% hint
"""
Round up to a multiple of 10: 33 becomes 40, 40 stays 40, 41 becomes 50.
"""

# %% hint
"""
`-(-n // 10)` is `n / 10` rounded up, so `return -(-n // 10) * 10`.
"""

# %% check
sizes = [bucket(n) for n in lengths]
for n, size in zip(lengths, sizes, strict=True):
    assert size >= n, (
        f"a row of {n}; expected: a bucket that holds it; "
        f"actual: {size}"
    )
assert run.compiles("masked_mean") <= 3, (
    "expected: at most 3 compiles of masked_mean; "
    f"actual: {run.compiles('masked_mean')}"
)
waste = 1 - sum(lengths) / sum(sizes)
assert waste < 0.15, (
    f"expected: less than 15% padding; actual: {100 * waste:.0f}%"
)
wanted = [(n - 1) / 2 for n in lengths]
assert np.allclose(means, wanted, atol=1e-3), (
    f"lengths: {lengths}; expected means: {wanted}; actual: {means}"
)

# %% solution
lengths = [33, 35, 36, 38, 40, 41, 44, 47, 50, 53, 57, 60]


def bucket(n):
    return -(-n // 10) * 10


def pad(row):
    n, size = len(row), bucket(len(row))
    x, mask = np.zeros((2, size), dtype=np.float32)
    x[:n], mask[:n] = row, 1.0
    return x, mask


means = [float(masked_mean(*pad(np.arange(n)))) for n in lengths]
waste = 1 - sum(lengths) / sum(bucket(n) for n in lengths)
print(f"waste: {100 * waste:.0f}%")

# %% wrong
"""
expected: less than 15% padding; actual: 30%
"""

lengths = [33, 35, 36, 38, 40, 41, 44, 47, 50, 53, 57, 60]


def bucket(n):
    return 64


def pad(row):
    n, size = len(row), bucket(len(row))
    x, mask = np.zeros((2, size), dtype=np.float32)
    x[:n], mask[:n] = row, 1.0
    return x, mask


means = [float(masked_mean(*pad(np.arange(n)))) for n in lengths]

# %% wrong
"""
a row of 33; expected: a bucket that holds it; actual: 30
"""

lengths = [33, 35, 36, 38, 40, 41, 44, 47, 50, 53, 57, 60]


def bucket(n):
    return n // 10 * 10


def pad(row):
    n = bucket(len(row))
    x, mask = np.zeros((2, n), dtype=np.float32)
    x[:n], mask[:n] = row[:n], 1.0
    return x, mask


means = [float(masked_mean(*pad(np.arange(n)))) for n in lengths]

# %% wrong
"""
at most 3 compiles of masked_mean; actual: 6
"""

lengths = [33, 35, 36, 38, 40, 41, 44, 47, 50, 53, 57, 60]


def bucket(n):
    return -(-n // 5) * 5


def pad(row):
    n, size = len(row), bucket(len(row))
    x, mask = np.zeros((2, size), dtype=np.float32)
    x[:n], mask[:n] = row, 1.0
    return x, mask


means = [float(masked_mean(*pad(np.arange(n)))) for n in lengths]
