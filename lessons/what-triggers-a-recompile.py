"""What triggers a recompile

Before JAX compiles anything, it asks its cache. The question is never
"have I seen these numbers?" but "have I seen this kind of input?". Here
you learn what belongs to the *kind*.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

# %% A new shape  id="new-shape", cache="miss miss hit hit miss", traces={"f": 3}, compiles={"f": 3}, reasons="shape, shape", slower=["1 > 3 * 3", "2 > 3 * 4", "5 > 3 * 4"], prints=["shape=(100,)", "shape=(200,)", "shape=(100,)", "shape=(200,)", "shape=(300,)"]
"""
The cache key holds the *shape* of each array argument. A compiled program
has its sizes built in, and JAX cannot use it for other sizes.

Five calls follow, and the shape 100 and the shape 200 come twice. Look at
the strip of hits and misses, and at the reason that is given for each miss
after the first.

In real work new shapes come unasked: sentences of different lengths, the
last batch of an epoch, tables with a few rows more. Each new shape costs
one compile. In nearly all cases the answer is: do not let the shape
change. A later lesson shows how.
"""


@jax.jit
def f(x):
    return jnp.sum(x**2)


inputs = [np.ones(n, dtype=np.float32) for n in (100, 200, 100, 200, 300)]
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

# %% A new dtype, but not new values  id="new-dtype", cache="miss hit hit miss miss", traces={"f": 3}, compiles={"f": 3}, reasons="dtype, dtype"
"""
The key holds the *dtype* of each array argument too: adding integers and
adding floats are different programs.

It does not hold the *values*. Two arrays with the same shape and dtype
share one program, even when one of them is full of NaN. During tracing
there are no values, so nothing could depend on them.

Below, the first three calls have different values, the last two have
different dtypes. Such a change is easy to make by accident: NumPy counts
in `int64`, and a file may hold half precision numbers.
"""


@jax.jit
def f(x):
    return jnp.sum(x**2)


f(np.zeros((32, 128), dtype=np.float32))
f(np.ones((32, 128), dtype=np.float32))
f(np.full((32, 128), np.nan, dtype=np.float32))
f(np.ones((32, 128), dtype=np.float16))
f(np.ones((32, 128), dtype=np.int32))

# %% predict: Which calls are misses?  answer="', '.join(str(n) for n, what in enumerate(run.cache('f'), 1) if what == 'miss')"
"""
- `1, 2, 3, 4, 5`: values are not in the key, so calls 2 and 3 are hits.
- `1, 3, 4, 5`: NaN is a value like any other. It is not in the key.
- `1, 4, 5`: float32, float16 and int32: one program for each dtype.
- `1`: the shape is the same in all calls, but the dtype counts too.
"""

# %% A new static value  id="new-static-value", cache="miss miss hit miss", traces={"scale": 3}, reasons="static value, shape", compiles={"scale": 3}
"""
You can tell JAX to treat an argument as a plain Python value. This is
called a *static* argument. JAX does not trace it: inside the function it
is an ordinary number or string.

The price: its *value* becomes part of the key. Each new value gets its own
program.

`static_argnums=1` makes the second argument static (JAX counts from 0);
`static_argnames="times"` does the same by name. Look at the reasons: the
second call brings a new static value, the last one a new shape. A later
lesson is all about static arguments.
"""


@partial(jax.jit, static_argnums=1)
def scale(x, times):
    print("tracing with times =", times)
    return x * times


three = np.ones(3, dtype=np.float32)
scale(three, 2)
scale(three, 5)
scale(three, 2)
scale(np.ones(4, dtype=np.float32), 2)

# %% Your turn: one structure  id="one-structure", cache="miss hit miss miss", traces={"total": 3}, reasons="pytree, pytree"
"""
Arguments may be containers of arrays: lists, tuples, dicts, and these
inside each other. JAX calls such a structure a *pytree*. The structure is
part of the key too: the kind of container, its length, the names in a
dict, and where there is a `None`.

Two calls with dicts share a program: the order of a dict's entries does
not count. The tuple and the dict without `"b"` are new structures, so both
are misses.

Change the last two calls so that all four share one program. Keep the
arrays as they are. A missing `b` should count as zeros.
"""

w = np.ones(3, dtype=np.float32)
b = np.full(3, 2, dtype=np.float32)


@jax.jit
def total(params):
    print("tracing", jax.tree.structure(params))
    leaves = jax.tree.leaves(params)
    return sum(jnp.sum(leaf) for leaf in leaves)


results = [
    total({"w": w, "b": b}),
    total({"b": b, "w": w}),
    total((w, b)),
    total({"w": w}),
]

# %% hint
"""
Write a dict with the same two names, `"w"` and `"b"`, in each call.
"""

# %% hint
"""
For the last call, make zeros with the same shape and dtype as `b`:
`total({"w": w, "b": np.zeros_like(b)})`.
"""

# %% check
sums = [float(result) for result in results]
assert len(run.cache("total")) == 4, (
    "expected: four calls of total; "
    f"actual: {len(run.cache('total'))} calls"
)
assert sums == [9.0, 9.0, 9.0, 3.0], (
    f"expected: the results 9, 9, 9, 3; actual: {sums}"
)
assert run.traces("total") == 1, (
    "expected: one trace for four calls; "
    f"actual: {run.traces('total')} traces, because of: "
    + ", ".join(
        row.reason.kind
        for row in run.calls
        if row.reason and row.reason.kind != "first call"
    )
)

# %% solution
w = np.ones(3, dtype=np.float32)
b = np.full(3, 2, dtype=np.float32)


@jax.jit
def total(params):
    print("tracing", jax.tree.structure(params))
    leaves = jax.tree.leaves(params)
    return sum(jnp.sum(leaf) for leaf in leaves)


results = [
    total({"w": w, "b": b}),
    total({"b": b, "w": w}),
    total({"w": w, "b": b}),
    total({"w": w, "b": np.zeros_like(b)}),
]

# %% wrong
"""
2 traces, because of: pytree
"""

w = np.ones(3, dtype=np.float32)
b = np.full(3, 2, dtype=np.float32)


@jax.jit
def total(params):
    leaves = jax.tree.leaves(params)
    return sum(jnp.sum(leaf) for leaf in leaves)


results = [
    total({"w": w, "b": b}),
    total({"b": b, "w": w}),
    total({"w": w, "b": b}),
    total({"w": w, "b": None}),
]

# %% wrong
"""
2 traces, because of: shape
"""

w = np.ones(3, dtype=np.float32)
b = np.full(3, 2, dtype=np.float32)


@jax.jit
def total(params):
    leaves = jax.tree.leaves(params)
    return sum(jnp.sum(leaf) for leaf in leaves)


results = [
    total({"w": w, "b": b}),
    total({"b": b, "w": w}),
    total({"w": w, "b": b}),
    total({"w": w, "b": np.zeros(1, dtype=np.float32)}),
]

# %% wrong
"""
the results 9, 9, 9, 3; actual: [9.0, 9.0, 9.0, 9.0]
"""

w = np.ones(3, dtype=np.float32)
b = np.full(3, 2, dtype=np.float32)


@jax.jit
def total(params):
    leaves = jax.tree.leaves(params)
    return sum(jnp.sum(leaf) for leaf in leaves)


results = [total({"w": w, "b": b}) for _ in range(4)]
