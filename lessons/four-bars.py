"""Four bars, four knobs

A first call has four parts: trace, lower, compile, run. Each of them grows
for a reason of its own. When you know which part is long, you know what to
change.
"""

import jax
import jax.numpy as jnp
import numpy as np

x = jnp.arange(1_000, dtype=jnp.float32)
table = jnp.arange(64, dtype=jnp.float32).reshape(16, 4)

# %% Four parts of a first call  id="four-parts", traces={"heavy": 1}, compiles={"heavy": 1}, cache="miss hit", equations={"heavy": 101}, holds=["min(run.calls[0].call.trace_ms, run.calls[0].call.lower_ms, run.calls[0].call.compile_ms) > 0", "run.calls[1].call.trace_ms is None"]
"""
Look at the bar of call 1, in the pane Calls (`c`). It has four parts:

- **T**, trace: Python runs your function, JAX records operations;
- **L**, lower: JAX turns the jaxpr into StableHLO;
- **C**, compile: XLA builds an executable for your device;
- **R**, run: the device executes it.

A hit has only R. If you time a first call and a second call and take the
difference, you get T, L and C together. People call this "the compile
time". Here you see the three apart.

For this `heavy`, with 101 operations in its jaxpr, C is usually the
longest. The line below the bars gives the four times of one call; the
arrow keys choose which.
"""


@jax.jit
def heavy(x):
    y = x
    for _ in range(20):
        y = jnp.sin(y) * jnp.cos(y) + jnp.tanh(y)
    return jnp.sum(y)


print(heavy(x))
print(heavy(x))

# %% Only T: work that Python does  id="only-trace", traces={"light": 1, "python_work": 1}, cache="miss miss hit", equations={"light": 2, "python_work": 3}, holds=["run.calls[1].call.trace_ms > 5 * run.calls[0].call.trace_ms", "run.calls[2].call.trace_ms is None"]
"""
Both functions record nearly the same small program. But `python_work` also
adds up five million numbers in plain Python. No tracer takes part in that,
so nothing of it is recorded.

Python does this work while JAX traces: T gets long. L, C and R do not
know about it. In the second call the sum is not computed again; its result
stands in the jaxpr as a number.

So a long T means: look at what *Python* does in your function. Reading a
file, building a table in a loop, or very many small operations.
"""


@jax.jit
def light(x):
    return jnp.sum(jnp.sin(x))


@jax.jit
def python_work(x):
    extra = sum(range(5_000_000)) % 7
    return jnp.sum(jnp.sin(x)) + extra


print(light(x))
print(python_work(x))
print(python_work(x))

# %% predict: Which part of the first call of python_work is much longer than that of light?  answer="max(('T', 'L', 'C'), key=lambda part: {'T': run.calls[1].call.trace_ms / run.calls[0].call.trace_ms, 'L': run.calls[1].call.lower_ms / run.calls[0].call.lower_ms, 'C': run.calls[1].call.compile_ms / run.calls[0].call.compile_ms}[part])"
"""
- `T`: Python adds the numbers while JAX traces. Only the result is
  recorded.
- `L`: the jaxpr to be lowered has only one operation more.
- `C`: the compiler gets only one operation more. It never sees the sum of
  five million numbers.
"""

# %% Only R: more data  id="only-run", traces={"product": 2}, compiles={"product": 2}, cache="miss hit miss hit", reasons="shape", holds="[p.equations for p in run.programs if p.function == 'product'] == [2, 2]"
"""
Now the same function gets a table of 8 x 8 numbers, then one of
1000 x 1000. `m @ m` is the product of two matrices; for the large one, the
device has to do two million times as many multiplications.

The large table is a new shape, so it needs a program of its own. But that
program has just as many operations as the small one: an operation works on
the whole array, whatever its size. So T, L and C stay about as they were.

Only R grows. Compare the two hits: they have nothing but R. (On a large
GPU even this R is short.)
"""


@jax.jit
def product(m):
    return jnp.sum(m @ m)


for size in (8, 1000):
    m = np.ones((size, size), np.float32)
    print(size, "rows:", product(m))
    print(size, "rows:", product(m))

# %% predict: The program for 8 x 8 numbers has 2 operations. How many has the program for 1000 x 1000?  answer="[p.equations for p in run.programs if p.function == 'product'][1]"
"""
- `2`: one product and one sum, each for the whole array.
- `250`: 125 times as many rows do not make more operations.
- `1000000`: numbers are not operations. The jaxpr does not go through the
  array entry by entry.
"""

# %% Your turn: fewer operations  id="fewer-operations", traces={"predict": 1}, compiles={"predict": 1}, holds="run.equations('predict') > 60"
"""
T, L and C all grow with the number of recorded operations. So if they are
too long, record fewer: let one operation do the work for the whole array.

`predict` multiplies each of the 16 rows of `table` by `row` and adds up.
The Python loop handles one row at a time, so JAX records all 16 rounds:
look at the length of the jaxpr.

Get the same 16 numbers with at most 4 operations. `predict` must stay
jitted, and `table` must stay an argument.
"""

row = jnp.array([1.0, 2.0, 3.0, 4.0])


@jax.jit
def predict(table, row):
    sums = []
    for number in range(table.shape[0]):
        sums.append(jnp.sum(table[number] * row))
    return jnp.stack(sums)


print(predict(table, row))

# %% hint
"""
NumPy and JAX multiply a whole table at once: `table * row` multiplies each
row of `table` by `row`. What is left is to add up along the rows.
"""

# %% hint
"""
Either `return jnp.sum(table * row, axis=1)`, or the product of a matrix
and a vector: `return table @ row`.
"""

# %% check
wanted = (np.asarray(table) * np.asarray(row)).sum(axis=1)
assert run.traces("predict") > 0, (
    "expected: predict is jitted; actual: jit never traced it"
)
first = np.arange(64, dtype=np.float32).reshape(16, 4)
for given in (first, first[::-1].copy()):
    found = np.asarray(predict(given, np.asarray(row)))
    wanted = (given * np.asarray(row)).sum(axis=1)
    assert found.shape == wanted.shape, (
        f"table of shape {given.shape}; expected: {wanted.size} numbers; "
        f"actual: shape {found.shape}"
    )
    assert np.allclose(found, wanted, rtol=0.01), (
        f"table: {given[:2].tolist()} ...; "
        f"expected: {wanted[:3].tolist()} ...; "
        f"actual: {found[:3].tolist()} ..."
    )
assert run.equations("predict") <= 4, (
    "expected: at most 4 operations in the jaxpr of predict; "
    f"actual: {run.equations('predict')}"
)

# %% solution
row = jnp.array([1.0, 2.0, 3.0, 4.0])


@jax.jit
def predict(table, row):
    return jnp.sum(table * row, axis=1)


print(predict(table, row))

# %% wrong
"""
expected: at most 4 operations in the jaxpr of predict; actual:
"""

row = jnp.array([1.0, 2.0, 3.0, 4.0])


@jax.jit
def predict(table, row):
    return jnp.stack([jnp.dot(part, row) for part in table])


print(predict(table, row))

# %% wrong
"""
expected: 16 numbers; actual: shape (4,)
"""

row = jnp.array([1.0, 2.0, 3.0, 4.0])


@jax.jit
def predict(table, row):
    return jnp.sum(table * row, axis=0)


print(predict(table, row))

# %% wrong
"""
actual: jit never traced it
"""

row = jnp.array([1.0, 2.0, 3.0, 4.0])


def predict(table, row):
    return np.asarray(table) @ np.asarray(row)


print(predict(table, row))

# %% wrong
"""
expected: [20.0, 60.0, 100.0] ...; actual: [620.0
"""

row = jnp.array([1.0, 2.0, 3.0, 4.0])
table = np.arange(64, dtype=np.float32).reshape(16, 4)
done = table @ np.asarray(row)


@jax.jit
def predict(table, row):
    return jnp.asarray(done)[::-1]


print(predict(table, row))
