"""What triggers a recompile: shapes

Before JAX compiles anything, it asks its cache. The question is never
"have I seen these numbers?" but "have I seen this kind of input?". In this
chapter you learn what belongs to the *kind*. Shapes come first.
"""

import jax
import jax.numpy as jnp
import numpy as np

# %% A new shape  id="new-shape", cache="miss miss hit hit miss", traces={"f": 3}, compiles={"f": 3}, reasons="shape, shape", slower=["1 > 3 * 3", "2 > 3 * 4", "5 > 3 * 4"], prints=["shape=(100,)", "shape=(200,)", "shape=(100,)", "shape=(200,)", "shape=(300,)"]
"""
The cache key holds the *shape* of each array argument. A compiled program
has its sizes built in, and JAX cannot use it for other sizes.

Five calls follow, and the shape 100 and the shape 200 come twice. Look at
the strip of hits and misses, the first line of the pane Calls (`c`). The
arrow keys choose a call there, and the pane Why (`w`) gives the reason for
its miss.

In real work new shapes come unasked: sentences of different lengths, the
last batch of an epoch, tables with a few rows more. Each new shape costs
one compile. In nearly all cases the answer is: do not let the shape
change. A later chapter shows how.
"""


@jax.jit
def f(x):
    return jnp.sum(x**2)


sizes = (100, 200, 100, 200, 300)
inputs = [np.ones(size, np.float32) for size in sizes]
for x in inputs:
    print(f"shape={x.shape}  sum={float(f(x)):.0f}")

# %% predict: How many of these five calls compile?  answer="run.compiles('f')"
"""
- `1`: one program serves one shape only. A new shape needs a new program.
- `2`: count the third shape as well: 300 comes last and is new.
- `3`: three different shapes arrive; the two repeated ones are hits.
- `5`: JAX keeps all programs, not only the newest. The second 100 still
  finds the first one.
"""

# %% The last batch is smaller  id="last-batch", cache="miss hit miss hit hit hit", traces={"train": 2}, compiles={"train": 2}, reasons="shape", holds="[len(batch) for batch in batches(10)] == [10, 10, 4]"
"""
Here a program goes through 24 rows of data in batches of 10, and does this
twice. 24 is not a multiple of 10, so the last batch of each round has only
4 rows.

This is a popular puzzle: "My training is fast, then one step is slow, then
it is fast for ever. Why just once?" The small batch has a shape of its own
and is compiled when it comes for the first time. In the second round both
programs are there already.

A shape counts in full, by the way: (4,), (4, 1) and (1, 4) are three
different shapes, and a single number has the shape ().
"""

data = np.arange(24, dtype=np.float32)


def batches(size):
    starts = range(0, len(data), size)
    return [data[at : at + size] for at in starts]


@jax.jit
def train(batch):
    return jnp.mean(batch)


for _ in range(2):
    for batch in batches(10):
        print(len(batch), "rows:", train(batch))

# %% predict: Two rounds with batches of 10, 10 and 4 rows. Which calls are hits, which are misses?  answer="' '.join(run.cache('train'))"
"""
- `miss hit miss miss hit miss`: programs are kept. The second round finds
  both of them.
- `miss hit miss hit hit hit`: a program for 10 rows, a program for 4 rows,
  and from then on only hits.
- `miss hit hit hit hit hit`: 4 rows are another shape than 10 rows, so the
  third call needs a program of its own.
"""

# %% Your turn: batches of one shape  id="batches-of-one-shape", cache="miss hit miss hit hit hit", traces={"train": 2}, compiles={"train": 2}
"""
Change `size`, so that `train` is compiled only **once** for both rounds.

What must hold:

- each round still uses all 24 rows;
- a batch has at most 10 rows, because more do not fit into memory (let us
  pretend).

Dropping the small batch would be another common answer, but then these
rows are never seen. Filling it up to full size is the best answer for real
data, and has a chapter of its own.
"""

data = np.arange(24, dtype=np.float32)
size = 10
seen = []


@jax.jit
def train(batch):
    return jnp.mean(batch)


for _ in range(2):
    for at in range(0, len(data), size):
        batch = data[at : at + size]
        seen.append(len(batch))
        train(batch)
print("rows in each batch:", seen)

# %% hint
"""
All batches have the same shape when 24 can be divided by `size` without a
rest.
"""

# %% hint
"""
`size = 8` gives three batches of 8 rows. 6, 4, 3, 2 and 1 work as well.
"""

# %% check
assert sum(seen) == 48, (
    "expected: 24 rows in each of the two rounds, 48 in all; "
    f"actual: {sum(seen)}, in batches of {seen}"
)
assert max(seen) <= 10, (
    f"expected: at most 10 rows in a batch; actual: batches of {seen}"
)
assert run.compiles("train") == 1, (
    "expected: train is compiled once; "
    f"actual: {run.compiles('train')} times, for batches of {seen}"
)

# %% solution
data = np.arange(24, dtype=np.float32)
size = 8
seen = []


@jax.jit
def train(batch):
    return jnp.mean(batch)


for _ in range(2):
    for at in range(0, len(data), size):
        batch = data[at : at + size]
        seen.append(len(batch))
        train(batch)
print("rows in each batch:", seen)

# %% wrong
"""
expected: at most 10 rows in a batch; actual: batches of [24, 24]
"""

data = np.arange(24, dtype=np.float32)
size = 24
seen = []


@jax.jit
def train(batch):
    return jnp.mean(batch)


for _ in range(2):
    for at in range(0, len(data), size):
        batch = data[at : at + size]
        seen.append(len(batch))
        train(batch)

# %% wrong
"""
48 in all; actual: 40, in batches of [10, 10, 10, 10]
"""

data = np.arange(24, dtype=np.float32)
size = 10
seen = []


@jax.jit
def train(batch):
    return jnp.mean(batch)


for _ in range(2):
    for at in range(0, len(data) - size, size):
        batch = data[at : at + size]
        seen.append(len(batch))
        train(batch)

# %% wrong
"""
train is compiled once; actual: 2 times, for batches of [5, 5, 5, 5, 4
"""

data = np.arange(24, dtype=np.float32)
size = 5
seen = []


@jax.jit
def train(batch):
    return jnp.mean(batch)


for _ in range(2):
    for at in range(0, len(data), size):
        batch = data[at : at + size]
        seen.append(len(batch))
        train(batch)
