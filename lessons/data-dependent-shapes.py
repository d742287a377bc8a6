"""Shapes that depend on the data

Sometimes the length of the result depends on the numbers: all entries above
zero, all places of a word. Under `jit` such a shape cannot be known. Here
you give it a bound instead.
"""

import jax
import jax.numpy as jnp
import numpy as np

x = np.float32([3.0, -1.0, 4.0, -1.5, 5.0])

# %% A result with a bound  id="with-a-bound", traces={"places": 1, "positive": 1}, compiles={"places": 1, "positive": 0}, cache={"places": "miss hit"}, prints=["without jit: [3. 4. 5.]", "with jit: NonConcreteBooleanIndexError", "[0 2 4 9]", "[0 1 2 3]"], holds="places(x).shape == places(-x).shape == (4,)"
"""
You have met `x[x > 0]` in the chapter on branches: with `jit` it raises an
error, because the length of the result depends on values. The same holds
for `jnp.unique`, and for a slice with a traced end.

Often you do not need the shorter array: for a sum or a mean, keep the full
length and a mask, as in the last lessons. When you do need the entries, say
how many there can be at most. `jnp.nonzero(condition, size=4,
fill_value=9)` gives the places where the condition is true, always 4 of
them. If there are fewer, the rest is filled with 9. And if there are more?
So choose the size with care, and carry the true number along:
`jnp.sum(condition)`.
"""


@jax.jit
def positive(x):
    return x[x > 0]


@jax.jit
def places(x):
    return jnp.nonzero(x > 0, size=4, fill_value=9)[0]


print("without jit:", x[x > 0])
try:
    positive(x)
except Exception as error:
    print("with jit:", type(error).__name__)
print(places(x))
print(places(x + 9))

# %% predict: In the second call of places all five entries are above 0, and size is 4. What happens?  answer="'an error' if 'places' in str(run.error) else f'{len(places(x + 9))} places'"
"""
- `an error`: it would need to look at the values, and a compiled program
  has no way to raise a Python error.
- `5 places`: the shape is fixed at 4 while JAX traces.
- `4 places`: the first four, and nothing tells you that one is missing.
"""

# %% Out of range, and nobody tells you  id="out-of-range", traces={"take": 1, "put": 1}, prints=["take(10): 5.0", "put(10): [ 3.  -1.   4.  -1.5  5. ]", "IndexError"], holds=["float(take(x, np.int32(10))) == 5.0", "put(x, np.int32(10)).tolist() == x.tolist()"]
"""
For the same reason an index out of range raises no error. A program on the
device cannot stop in the middle and raise one. JAX chooses something
instead:

- reading, `x[10]`: the index is *clamped*, moved to the nearest entry there
  is. With 5 entries you get the last one.
- writing, `x.at[i].set(0.0)` with an `i` of 10: nothing is written.

NumPy raises an IndexError in both cases. So a wrong index shows as a wrong
number, not as an error. You can ask for something else:
`x.at[10].get(mode="fill", fill_value=jnp.nan)` makes such mistakes visible.
"""


@jax.jit
def take(x, i):
    return x[i]


@jax.jit
def put(x, i):
    return x.at[i].set(0.0)


print("take(10):", take(x, np.int32(10)))
print("put(10):", put(x, np.int32(10)))
try:
    x[10]
except IndexError as error:
    print("NumPy:", type(error).__name__)

# %% predict: x has 5 entries. The last is 5. What does `take(x, 10)` give under jit?  answer="str(float(take(x, np.int32(10))))"
"""
- `IndexError`: NumPy does so. A program on the device cannot raise a
  Python error.
- `5.0`: the index is moved to the last entry there is.
- `nan`: only if you ask for it, with mode="fill".
- `3.0`: counting does not start again from the front.
"""

# %% Your turn: keep the good ones  id="keep-the-good-ones", raises="NonConcreteBooleanIndexError", raises_at="scores[scores > 0.5]", traces={"good": 1}
"""
`good` should return the scores above 0.5, in their order, and say how many
there are. Repair it for `jit`:

- it returns two things: an array of 6 entries, the good scores first and
  then zeros; and their true number;
- no batch has more than 6 good scores, but each has 8 scores;
- it is traced once for all batches, and works for a batch without any.

Look out for the clamped index when you fetch the scores.
"""

batches = np.float32(
    [
        [0.9, 0.1, 0.6, 0.4, 0.7, 0.2, 0.3, 0.8],
        [0.1, 0.2, 0.3, 0.4, 0.1, 0.2, 0.3, 0.4],
        [0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.1, 0.1],
    ]
)


@jax.jit
def good(scores):
    kept = scores[scores > 0.5]
    return kept, len(kept)


results = [good(scores) for scores in batches]

# %% hint
"""
`places = jnp.nonzero(scores > 0.5, size=6, fill_value=8)[0]`: 8 is a place
that does not exist, so the missing ones can be told apart.
"""

# %% hint
"""
`kept = scores.at[places].get(mode="fill", fill_value=0.0)`
"""

# %% hint
"""
The true number is `jnp.sum(scores > 0.5)`. Return both.
"""

# %% check
assert run.traces("good") == 1, (
    "expected: good is jitted and traced once for three batches; "
    f"actual: traced {run.traces('good')} times"
)
for scores, (kept, number) in zip(batches, results, strict=True):
    shown = [round(float(score), 1) for score in scores]
    real = [score for score in shown if score > 0.5]
    wanted = real + [0.0] * (6 - len(real))
    assert kept.shape == (6,), (
        f"expected: 6 entries; actual: shape {kept.shape}"
    )
    found = [round(float(score), 1) for score in kept]
    assert found == wanted, (
        f"scores: {shown}; expected: {wanted}; actual: {found}"
    )
    assert int(number) == len(real), (
        f"scores: {shown}; expected number: {len(real)}; "
        f"actual: {int(number)}"
    )


# %% solution
@jax.jit
def good(scores):
    is_good = scores > 0.5
    places = jnp.nonzero(is_good, size=6, fill_value=8)[0]
    kept = scores.at[places].get(mode="fill", fill_value=0.0)
    return kept, jnp.sum(is_good)


batches = np.float32(
    [
        [0.9, 0.1, 0.6, 0.4, 0.7, 0.2, 0.3, 0.8],
        [0.1, 0.2, 0.3, 0.4, 0.1, 0.2, 0.3, 0.4],
        [0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.1, 0.1],
    ]
)
results = [good(scores) for scores in batches]

# %% wrong
"""
expected: [0.9, 0.6, 0.7, 0.8, 0.0, 0.0]; actual: [0.9, 0.6, 0.7, 0.8, 0.9, 0.9]
"""


@jax.jit
def good(scores):
    is_good = scores > 0.5
    places = jnp.nonzero(is_good, size=6)[0]
    return scores[places], jnp.sum(is_good)


batches = np.float32(
    [
        [0.9, 0.1, 0.6, 0.4, 0.7, 0.2, 0.3, 0.8],
        [0.1, 0.2, 0.3, 0.4, 0.1, 0.2, 0.3, 0.4],
        [0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.1, 0.1],
    ]
)
results = [good(scores) for scores in batches]

# %% wrong
"""
expected: 6 entries; actual: shape (8,)
"""


@jax.jit
def good(scores):
    is_good = scores > 0.5
    return jnp.where(is_good, scores, 0.0), jnp.sum(is_good)


batches = np.float32(
    [
        [0.9, 0.1, 0.6, 0.4, 0.7, 0.2, 0.3, 0.8],
        [0.1, 0.2, 0.3, 0.4, 0.1, 0.2, 0.3, 0.4],
        [0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.1, 0.1],
    ]
)
results = [good(scores) for scores in batches]

# %% wrong
"""
expected: [0.9, 0.6, 0.7, 0.8, 0.0, 0.0]; actual: [0.9, 0.8, 0.7, 0.6, 0.0, 0.0]
"""


@jax.jit
def good(scores):
    is_good = scores > 0.5
    high_first = -jnp.sort(-jnp.where(is_good, scores, 0.0))
    return high_first[:6], jnp.sum(is_good)


batches = np.float32(
    [
        [0.9, 0.1, 0.6, 0.4, 0.7, 0.2, 0.3, 0.8],
        [0.1, 0.2, 0.3, 0.4, 0.1, 0.2, 0.3, 0.4],
        [0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.1, 0.1],
    ]
)
results = [good(scores) for scores in batches]

# %% What you know about shapes  id="mixed-shapes", traces={"total": 2, "lowest": 1, "entry": 1}, compiles={"total": 2}, cache={"total": "miss miss hit hit"}, holds="not run.eager", prints=["lowest: 0.0", "entry: 6.0"]
"""
The end of the chapter: four questions about one short program. Rows of four
lengths are padded to one of two fixed lengths, and three functions use
them:

- `total` adds up the real entries;
- `lowest` looks for the lowest one, in a careless way;
- `entry` takes one entry by its index.

The padding is done on the host, with NumPy. Answer first, then run and see.
If an answer surprises you, look at the strip, at the pane Why, and at the
count of eager compiles.
"""


def pad(row):
    size = 4 if len(row) <= 4 else 16
    x, mask = np.zeros((2, size), dtype=np.float32)
    x[: len(row)], mask[: len(row)] = row, 1.0
    return x, mask


@jax.jit
def total(x, mask):
    return jnp.sum(x * mask)


@jax.jit
def lowest(x, mask):
    return jnp.min(x * mask)


@jax.jit
def entry(x, i):
    return x[i]


rows = [[5.0, 7.0, 6.0], [4.0] * 6, [3.0] * 9, [2.0] * 4]
for row in rows:
    total(*pad(row))
print("lowest:", lowest(*pad(rows[0])))
print("entry:", entry(np.float32(rows[0]), np.int32(3)))

# %% predict: total gets rows with 3, 6, 9 and 4 entries. What does the strip show?  answer="' '.join(run.cache('total'))"
"""
- `miss miss miss miss`: the real lengths differ, but JAX sees only 4 and
  16.
- `miss miss hit hit`: the first row goes into 4, the second into 16, and
  both programs are used again.
- `miss hit hit hit`: there are two padded lengths, so there are two
  programs.
"""

# %% predict: What is the lowest of 5, 7 and 6 for `lowest`?  answer="str(float(lowest(*pad(rows[0]))))"
"""
- `5.0`: the row is padded to 4 entries, and the padding takes part.
- `0.0`: the padding is 0, and nothing keeps it from winning.
- `inf`: that would be a good number for the places that are not real, with
  `where`.
"""

# %% predict: The row has 3 entries. What does `entry` give for the index 3?  answer="str(float(entry(np.float32(rows[0]), np.int32(3))))"
"""
- `IndexError`: a program on the device cannot raise a Python error.
- `6.0`: the index is clamped to the last entry.
- `0.0`: this row was not padded, so there is no zero in it.
"""

# %% predict: How many programs are compiled outside of jit?  answer="len(run.eager)"
"""
- `0`: `pad` uses NumPy only, and NumPy compiles nothing.
- `4`: that would be one for each length, with a `pad` made of `jnp`
  functions.
- `2`: there are two padded lengths, but they are made on the host.
"""
