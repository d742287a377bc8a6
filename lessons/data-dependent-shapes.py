"""Shapes that depend on the data

Sometimes the length of the result depends on the numbers: all entries above
zero, all places of a word. Under `jit` such a shape cannot be known. Here
you give it a bound instead.
"""

import jax
import jax.numpy as jnp
import numpy as np

x = np.float32([3.0, -1.0, 4.0, -1.5, 5.0])

# %% How long would it be?  id="how-long", raises="NonConcreteBooleanIndexError", raises_at="x[x > 0]", prints=["without jit: [3. 4. 5.]"], traces={"positive": 1}, compiles={"positive": 0}
"""
`x[x > 0]` takes the entries that are above zero. Without `jit` it gives
three of the five. With `jit` it cannot work: how long is the result? That
depends on the values, and during tracing there are none.

Each type in a jaxpr has its shape written in it, so JAX must know all
shapes while it traces. The same holds for `jnp.nonzero`, `jnp.unique`, and
for a slice `x[:n]` with a traced `n`.

Often you do not need the shorter array. If the next step is a sum or a
mean, keep the full length and use a mask, as in the last lessons:
`jnp.where(x > 0, x, 0.0)`.
"""


def positive(x):
    return x[x > 0]


print("without jit:", positive(x))
print("with jit:", jax.jit(positive)(x))

# %% predict: With jit, what will `x[x > 0]` give?  answer="run.error.type.rpartition('.')[2] if run.error else 'three entries'"
"""
- `three entries`: nobody knows that it is three before the program runs.
- `five entries`: JAX does not fill up in silence. You have to say so
  yourself.
- `NonConcreteBooleanIndexError`: the shape of the result would depend on
  values that are not known.
"""

# %% A result with a bound  id="with-a-bound", traces={"places": 1}, compiles={"places": 1}, cache="miss hit", prints=["[0 2 4 9]", "[0 1 2 3]"], holds="places(x).shape == places(-x).shape == (4,)"
"""
When you do need the entries themselves, say how many there can be at most.
`jnp.nonzero(condition, size=4, fill_value=9)` gives the places where the
condition is true, always 4 of them: if there are fewer, the rest is filled
with 9; if there are more, the rest is *lost in silence*. So choose the size
with care, and carry the true number along: `jnp.sum(condition)`.

`size=` is also there for `jnp.unique`, `jnp.argwhere` and `jnp.where` with
one argument.

Below, three places fit into four. In the second call all five entries
count, and the last one is missing.
"""


@jax.jit
def places(x):
    return jnp.nonzero(x > 0, size=4, fill_value=9)[0]


print(places(x))
print(places(x + 9))

# %% predict: In the second call all five entries are above 0, and size is 4. What happens?  answer="'an error' if run.error else f'{len(places(x + 9))} places'"
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

# %% predict: x has 5 entries. What does `take(x, 10)` give under jit?  answer="str(float(take(x, np.int32(10))))"
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
