"""Weak types: Python numbers are different

`2.0` and `np.float32(2.0)` are the same number. To JAX they are two kinds
of input. This lesson is about a recompile that is hard to understand: it
happens in the second step of a loop, with "the same" input.
"""

import jax
import jax.numpy as jnp
import numpy as np

# %% A Python number adapts  id="a-python-number-adapts", cache="miss hit miss", traces={"times": 2}, reasons="weak type", compiles={"times": 2}, prints=["float16", "float16", "float32"]
"""
What is the dtype of `half * 2.0`, when `half` is an array of `float16`?
JAX says `float16`: a plain Python number has no real dtype, so it adapts
to the array. That is practical: an array of 16 bits does not become one of
32 bits by accident. But `np.float32(2.0)` is float32 because you said so,
and the result is `float32`.

So the two need different programs, and JAX must keep them apart in the
cache. It marks the type of a Python number as **weak**. You see it
as `~` in front of the type: `~f32[]` is weak, `f32[]` is not.

The value does not count here either: `times(half, 3.0)` is a hit.
"""


@jax.jit
def times(x, factor):
    return x * factor


half = np.ones(3, np.float16)
print(times(half, 2.0).dtype)
print(times(half, 3.0).dtype)
print(times(half, np.float32(2.0)).dtype)

# %% predict: The three factors are 2.0, 3.0 and np.float32(2.0). Hits and misses?  answer="' '.join(run.cache('times'))"
"""
- `miss hit hit`: the third result has another dtype than the first two, so
  it cannot come from the same program.
- `miss miss hit`: 3.0 is another value, but the same kind of input. And
  np.float32(2.0) is not a Python number.
- `miss hit miss`: a Python number has a weak type, np.float32(2.0) has
  not.
"""

# %% The second step compiles again  id="the-second-step", cache="miss miss hit hit", traces={"add": 2}, compiles={"add": 2}, reasons="weak type", prints=["2.0", "4.0", "6.0", "8.0"]
"""
A running total starts at `0.0`, and each result goes in again as the next
input. Thousands of programs do this.

The start is a Python number: weak. The result of `add` is an array of
float32: not weak. So the first call and the second call bring different
kinds of input, and both are misses. From the third call on, the total is
an array each time, and all is well.

It costs one compile too many. With a large model that is a minute, and a
riddle: "the second step is as slow as the first, and nothing changed". The
printed jaxprs are the same, too. Only the reason tells.
"""


@jax.jit
def add(total, x):
    return total + jnp.sum(x)


total = 0.0
for _ in range(4):
    total = add(total, np.ones(2, np.float32))
    print(total)

# %% predict: total starts at 0.0, a Python number. Hits and misses of the four calls?  answer="' '.join(run.cache('add'))"
"""
- `miss hit hit hit`: the first total is a Python number, the second one is
  a result of JAX. These are two kinds of input.
- `miss miss hit hit`: weak first, then not weak, and from then on always
  the same.
- `miss miss miss miss`: only the value of the total changes from call 2 on,
  and values do not count.
"""

# %% Your turn: start as you go on  id="start-as-you-go-on", cache="miss miss hit hit", traces={"higher": 2}, reasons="weak type"
"""
`higher` keeps the highest value that was seen so far. It is traced twice
for four calls.

Change the program, so that `higher` is traced only once, with the same
result. Do not turn the result back into a Python number in each round:
that would wait for the device each time.

Think of what goes in. From the second call on, `best` is a float32 array
with the shape (). How can the very first `best` be of the same kind?
"""

rows = [
    np.array(row, np.float32)
    for row in ([3, 1], [2, 7], [5, 4], [6, 0])
]


@jax.jit
def higher(best, row):
    return jnp.maximum(best, jnp.max(row))


best = 0.0
for row in rows:
    best = higher(best, row)
print(best)

# %% hint
"""
Give the start a dtype of its own. NumPy and JAX both can make a single
float32 number.
"""

# %% hint
"""
Write `best = np.float32(0.0)`, or `best = jnp.float32(0.0)`.
"""

# %% check
assert run.traces("higher") > 0, (
    "expected: higher is jitted; actual: jit never traced it"
)
assert float(best) == 7.0, (
    f"rows: {[row.tolist() for row in rows]}; expected: 7.0; "
    f"actual: {float(best)}"
)
assert len(run.cache("higher")) == 4, (
    "expected: four calls of higher; "
    f"actual: {len(run.cache('higher'))} calls"
)
starts = [r.call.signature for r in run.calls if not r.call.hit]
assert run.traces("higher") == 1, (
    "expected: higher is traced once; "
    f"actual: {run.traces('higher')} times, for {' and '.join(starts)}"
)
assert isinstance(best, jax.Array), (
    "expected: best stays a JAX array; "
    f"actual: it was turned back into a Python {type(best).__name__}"
)

# %% solution
rows = [
    np.array(row, np.float32)
    for row in ([3, 1], [2, 7], [5, 4], [6, 0])
]


@jax.jit
def higher(best, row):
    return jnp.maximum(best, jnp.max(row))


best = np.float32(0.0)
for row in rows:
    best = higher(best, row)
print(best)

# %% wrong
"""
it was turned back into a Python float
"""

rows = [
    np.array(row, np.float32)
    for row in ([3, 1], [2, 7], [5, 4], [6, 0])
]


@jax.jit
def higher(best, row):
    return jnp.maximum(best, jnp.max(row))


best = 0.0
for row in rows:
    best = float(higher(best, row))
print(best)

# %% wrong
"""
2 times, for best: ~f32[], row: f32[2] and best: f32[], row: f32[2]
"""

rows = [
    np.array(row, np.float32)
    for row in ([3, 1], [2, 7], [5, 4], [6, 0])
]


@jax.jit
def higher(best, row):
    best = jnp.float32(best)
    return jnp.maximum(best, jnp.max(row))


best = 0.0
for row in rows:
    best = higher(best, row)
print(best)

# %% wrong
"""
2 times, for best: ~i32[], row: f32[2] and best: f32[], row: f32[2]
"""

rows = [
    np.array(row, np.float32)
    for row in ([3, 1], [2, 7], [5, 4], [6, 0])
]


@jax.jit
def higher(best, row):
    return jnp.maximum(best, jnp.max(row))


best = 0
for row in rows:
    best = higher(best, row)
print(best)
