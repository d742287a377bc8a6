"""What the function really got

While JAX traces, your function does not get your numbers. It gets
placeholders. Some things about a placeholder are known, and some are not.
This difference explains most of what is strange about `jit`.
"""

import jax
import jax.numpy as jnp
import numpy as np

four = np.arange(4, dtype=np.float32)
table = np.arange(6, dtype=np.float32).reshape(2, 3)

# %% A placeholder instead of numbers  id="a-placeholder", traces={"g": 1}, cache="miss hit", trace_prints=3, prints=["inside: JitTracer", "shape: (4,)", "outside: [0. 2. 4. 6.]", "outside: [20. 22. 24. 26.]"]
"""
JAX calls your function with a *tracer*: a placeholder that knows its shape
and its dtype, and nothing else. Each operation on a tracer is written into
the jaxpr and gives a new tracer.

That is why one recording serves all inputs of the same shape and dtype:
no number was ever looked at.

Compare what `print` shows inside of `g`, in the lines marked `T`, and
outside of it, in the lines marked `R`.
"""


@jax.jit
def g(x):
    print("inside:", x)
    print("shape:", x.shape)
    y = 2 * x
    print("result:", y)
    return y


print("outside:", g(four))
print("outside:", g(four + 10))

# %% predict: What does the line that starts with "result:" show?  answer="'a placeholder' if 'Tracer' in next(line for line in run.lines() if line.startswith('result:')) else 'numbers'"
"""
- `numbers`: to compute numbers, JAX would need the numbers of `x`. There
  are none yet.
- `a placeholder`: an operation on a tracer gives a new tracer. The numbers
  come later, when the recording runs.
- `nothing`: the line is printed while JAX traces. But it cannot show what
  is not known.
"""

# %% Known and not known  id="known-and-not-known", traces={"look": 1}, trace_prints=5, prints=["x.shape is (2, 3)", "x.ndim is 2", "np.prod gives 6", "jnp.prod gives JitTracer", "x.sum() gives JitTracer"]
"""
Shape and dtype are **known** while JAX traces. `x.shape` is an ordinary
Python tuple of ordinary numbers; `x.ndim`, `x.size` and `len(x)` are
ordinary numbers too. You may print them, compare them, and compute with
them.

The values are **not known**. What you compute from values is a tracer as
well.

One thing is easy to miss: a `jnp` function inside a jitted function
*always* makes a tracer, even when you give it only known numbers. The
operation is recorded, not computed. A NumPy function, or plain Python,
computes at once.
"""


@jax.jit
def look(x):
    print("x.shape is", x.shape)
    print("x.ndim is", x.ndim)
    print("np.prod gives", np.prod(x.shape))
    print("jnp.prod gives", jnp.prod(jnp.array(x.shape)))
    print("x.sum() gives", x.sum())
    return x


look(table)
print("end")

# %% predict: In how many of the five lines from look() is there a placeholder?  answer="len([line for line in run.lines('trace') if 'Tracer' in line])"
"""
- `1`: `x.sum()` is one. There is one more: a `jnp` function records, even
  when its input is known.
- `2`: `jnp.prod` and `x.sum()` are recorded. The other three lines are
  plain Python and NumPy, on known numbers.
- `3`: `np.prod` is NumPy. It computes at once, and the shape is known.
- `5`: shape and number of dimensions are known while JAX traces.
"""

# %% Your turn: a shape must be known  id="shape-must-be-known", raises="TypeError", raises_at="jnp.reshape", traces={"flat": 1}, compiles={"flat": 0}
"""
`flat` should turn a table into one long row. The number of entries is
computed from the shape, so it could be known. But it is computed with
`jnp.prod`, so it is a placeholder, and JAX must know the new shape while
it traces: the compiled program is made for exactly one shape.

Run it and read the error: it says that a shape must be made of *concrete*
values, and that it got a tracer.

Repair `flat`. It must work for tables of any size and stay jitted.
"""


@jax.jit
def flat(x):
    entries = jnp.prod(jnp.array(x.shape))
    return jnp.reshape(x, (entries,))


print(flat(table))
print(flat(np.ones((4, 5), np.float32)))

# %% hint
"""
Compute `entries` with something that is known while JAX traces. NumPy has
a function with the same name.
"""

# %% hint
"""
Write `entries = np.prod(x.shape)`. Or use what the array knows already:
`entries = x.size`.
"""

# %% check
assert run.traces("flat") > 0, (
    "expected: flat is jitted; actual: jit never traced it"
)
for shape in ((2, 3), (4, 5), (7, 1)):
    given = jnp.arange(shape[0] * shape[1], dtype=jnp.float32)
    found = flat(given.reshape(shape))
    assert found.shape == given.shape, (
        f"input of shape {shape}; expected: shape {given.shape}; "
        f"actual: shape {found.shape}"
    )
    assert (found == given).all(), (
        f"input of shape {shape}; expected: the same entries in the "
        f"same order; actual: {found.tolist()}"
    )


# %% solution
@jax.jit
def flat(x):
    entries = np.prod(x.shape)
    return jnp.reshape(x, (entries,))


print(flat(table))
print(flat(np.ones((4, 5), np.float32)))


# %% wrong
"""
cannot reshape array of shape (4, 5)
"""


@jax.jit
def flat(x):
    return jnp.reshape(x, (6,))


print(flat(table))
print(flat(np.ones((4, 5), np.float32)))


# %% wrong
"""
Shapes must be 1D sequences of concrete values
"""


@jax.jit
def flat(x):
    entries = jnp.sum(jnp.ones_like(x)).astype(int)
    return jnp.reshape(x, (entries,))


print(flat(table))
print(flat(np.ones((4, 5), np.float32)))


# %% wrong
"""
actual: jit never traced it
"""


def flat(x):
    entries = jnp.prod(jnp.array(x.shape))
    return jnp.reshape(x, (entries,))


print(flat(table))
print(flat(np.ones((4, 5), np.float32)))
