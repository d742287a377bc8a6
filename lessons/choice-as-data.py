"""A choice as data: where

Python's `if` cannot decide by a traced value. The first way out makes the
choice an operation: compute both sides, then select. Here you see that
both sides are really computed.
"""

import jax
import jax.numpy as jnp
import numpy as np

values = np.float32([-1.0, -0.5, 0.0, 0.5, 1.0])

# %% Both sides are in the program  id="both-sides", traces={"choose": 1}, compiles={"choose": 1}, cache={"choose": "miss hit"}, equations={"choose": 4}, holds=["all(name in run.jaxpr('choose') for name in ('gt', 'sin', 'exp', 'select_n'))", "np.allclose(big, np.sin(values + 2), atol=1e-4)", "np.allclose(small, np.exp(values - 2), atol=1e-4)"]
"""
`jnp.where(condition, a, b)` takes from `a` where the condition is true,
else from `b`, separately at each position. Nothing has to be known during
tracing: JAX records both sides and the selection.

Run it and read the jaxpr. `gt` is the comparison, `sin` and `exp` are the
two sides, and `_where` holds `select_n`, the selection itself.

The first call has only numbers above 0, the second only numbers below. It
is the same program for both. Look for a place where it could leave one of
the two sides out.
"""


@jax.jit
def choose(x):
    return jnp.where(x > 0, jnp.sin(x), jnp.exp(x))


big = choose(values + 2)
small = choose(values - 2)
print("above 0:", big)
print("below 0:", small)

# %% predict: In the first call all values are above 0. Is `exp` computed in it?  answer="'yes' if ' exp ' in run.jaxpr('choose') and run.traces('choose') == 1 else 'no'"
"""
- `yes`: one program serves both calls, and both sides stand in it without
  any condition.
- `no`: `where` is a function like others: its arguments are computed before
  it is called.
"""

# %% Each side tells when it runs  id="each-side-tells", traces={"signed": 1}, cache={"signed": "miss hit"}, holds=["sorted(set(run.lines('run'))) == ['left', 'right']", "len(run.lines('run')) == 4"]
"""
You need not believe the jaxpr. `jax.debug.print` reports each time the
device comes to its place. Here each side of the `where` has one.

Both calls bring a single number, so in each call only one side is wanted.
Count the lines that are printed while the program runs.

This matters in two cases. When a side is expensive, you pay for it always.
And when a side cannot be computed for some inputs, like the root of -1, it
is computed all the same. The next lesson is about that.
"""


def left(x):
    jax.debug.print("left")
    return -x


def right(x):
    jax.debug.print("right")
    return x


@jax.jit
def signed(x):
    return jnp.where(x < 0, left(x), right(x))


signed(np.float32(-3))
signed(np.float32(3))

# %% predict: Two calls. How many lines do the two sides print while running?  answer="len(run.lines('run'))"
"""
- `1`: the second call is a hit, but a hit runs the program again.
- `2`: that would be one side a call. `where` gets both sides computed.
- `4`: two sides, two calls: nothing is left out.
"""

# %% Your turn: the choice as data  id="choice-as-data", raises="TracerBoolConversionError", raises_at="if x > 0:"
"""
Now repair the `relu` of the last lesson, where Python had to choose. It
should

- return `x` where it is positive, and 0 elsewhere;
- work for a single number and for a whole vector;
- still be jitted, and be traced once for each of the two shapes.

Use `jnp.where`. When it runs, look at its jaxpr: how many operations does
your version need?
"""


@jax.jit
def relu(x):
    if x > 0:
        return x
    return jnp.zeros_like(x)


print(relu(np.float32(2)))
print(relu(values))

# %% hint
"""
`jnp.where` replaces the `if` and both `return` lines. The condition is the
same as before.
"""

# %% hint
"""
The body is one line: `return jnp.where(x > 0, x, 0.0)`.
"""

# %% check
assert run.traces("relu") > 0, (
    "expected: relu is jitted; actual: jit never traced it"
)
assert run.traces("relu") == 2, (
    "expected: one trace for each of two shapes; "
    f"actual: {run.traces('relu')} traces"
)
wanted = [0.0, 0.0, 0.0, 0.5, 1.0]
found = relu(values).tolist()
assert found == wanted, (
    f"input: {values.tolist()}; expected: {wanted}; actual: {found}"
)
for value in (2.0, -2.0):
    found = float(relu(np.float32(value)))
    assert found == max(value, 0.0), (
        f"input: {value}; expected: {max(value, 0.0)}; actual: {found}"
    )


# %% solution
@jax.jit
def relu(x):
    return jnp.where(x > 0, x, 0.0)


print(relu(np.float32(2)))
print(relu(values))

# %% wrong
"""
TracerBoolConversionError
"""


@jax.jit
def relu(x):
    if jnp.all(x > 0):
        return x
    return jnp.zeros_like(x)


print(relu(np.float32(2)))
print(relu(values))

# %% wrong
"""
jit never traced it
"""


def relu(x):
    return jnp.where(x > 0, x, 0.0)


print(relu(np.float32(2)))
print(relu(values))

# %% wrong
"""
expected: [0.0, 0.0, 0.0, 0.5, 1.0]; actual: [1.0, 0.5, -0.0, 0.5, 1.0]
"""


@jax.jit
def relu(x):
    return jnp.where(x > 0, x, -x)


print(relu(np.float32(2)))
print(relu(values))
