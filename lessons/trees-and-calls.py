"""Containers, and how you call

An argument may be a whole container of arrays. Then the form of the
container belongs to the kind, and so does the way in which you write the
call itself.
"""

import jax
import jax.numpy as jnp
import numpy as np

w = np.ones(3, dtype=np.float32)
b = np.full(3, 2, dtype=np.float32)

# %% The form of a container  id="form-of-a-container", cache="miss miss miss hit miss", traces={"total": 4}, reasons="pytree, pytree, pytree", compiles={"total": 4}
"""
Arguments may be containers of arrays: lists, tuples, dicts, and these
inside each other. JAX calls such a thing a *pytree*, and the arrays in it
its *leaves*. `jax.tree.leaves` gives them as a list.

The structure is a part of the cache key: the kind of container, its
length, the names in a dict, and where there is a `None`. `None` is no
leaf; it is a gap in the structure.

One thing is forgiven: the order in which you write the entries of a dict.
JAX sorts them by name.

All five calls below give `total` the same two arrays, or one of them.
"""


@jax.jit
def total(params):
    leaves = jax.tree.leaves(params)
    return sum(jnp.sum(leaf) for leaf in leaves)


total((w, b))
total([w, b])
total({"w": w, "b": b})
total({"b": b, "w": w})
total({"w": w, "b": None})
print("end")

# %% predict: tuple, list, dict, dict in other order, dict with None. Hits and misses?  answer="' '.join(run.cache('total'))"
"""
- `miss miss miss miss miss`: the order of a dict's entries does not count,
  so call 4 finds the program of call 3.
- `miss miss miss hit miss`: four structures. Only the dict in another
  order is the same as before.
- `miss hit miss hit miss`: a tuple and a list are different structures,
  even with the same arrays in them.
- `miss miss miss hit hit`: a `None` in the place of an array is a new
  structure: one leaf is missing.
"""

# %% The form of the call  id="form-of-the-call", cache="miss hit miss miss hit miss", traces={"area": 4}, reasons="call form, call form, call form", compiles={"area": 4}
"""
Python does not care whether you name an argument or leave out one that has
a default. JAX does: the *form of the call* is a part of the key. By
position, by name, or left out: each combination is a program of its own.

The order of named arguments does not count.

You can live with this easily: write the calls of a jitted function always
in the same way. If it is called from many places, put one small plain
function around it, and let only that one call it.
"""


@jax.jit
def area(width, height=np.float32(9)):
    return width * height


two, nine = np.float32(2), np.float32(9)
area(two, nine)
area(nine, two)
area(two, height=nine)
area(width=two, height=nine)
area(height=nine, width=two)
area(two)
print("end")

# %% predict: How many programs are compiled for these six calls?  answer="run.compiles('area')"
"""
- `1`: so it would be if JAX first put the arguments in order, as Python
  does.
- `2`: named or not named? "Some by name" and "all by name" are two
  different forms. And leaving one out is a third.
- `4`: by position, one by name, both by name, one left out.
- `6`: call 2 has the same form as call 1, and call 5 the same as call 4.
"""

# %% Your turn: one form for all  id="one-structure", cache="miss hit miss miss miss", traces={"total": 4}, reasons="pytree, pytree, call form"
"""
Five calls, four traces. Only the first two share a program: the order of a
dict's entries does not count. The tuple and the dict without `"b"` have
other structures, and in the last call the argument is named.
(`jax.tree.structure` shows the structure, with `*` for each leaf.)

Change the last **three** calls, so that all five share one program. Do not
change `w` (three ones), `b` (three twos) and `total`. A missing `b` should
count as zeros, so the five results are 9, 9, 9, 3 and 9.
"""


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
    total(params={"w": w, "b": b}),
]

# %% hint
"""
Each call gets a dict with the two names `"w"` and `"b"`, by position. For
the fourth call you need an array of zeros with the shape and the dtype of
`b`.
"""

# %% hint
"""
The third and the last call become `total({"w": w, "b": b})`, the fourth
`total({"w": w, "b": np.zeros_like(b)})`.
"""

# %% check
sums = [float(result) for result in results]
assert len(run.cache("total")) == 5, (
    "expected: five calls of total; "
    f"actual: {len(run.cache('total'))} calls"
)
assert sums == [9.0, 9.0, 9.0, 3.0, 9.0], (
    f"expected: the results 9, 9, 9, 3, 9; actual: {sums}"
)
assert run.traces("total") == 1, (
    "expected: one trace for five calls; "
    f"actual: {run.traces('total')} traces, because of: "
    + ", ".join(
        row.reason.kind
        for row in run.calls
        if row.reason and row.reason.kind != "first call"
    )
)


# %% solution
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
    total({"w": w, "b": b}),
]


# %% wrong
"""
2 traces, because of: pytree
"""


@jax.jit
def total(params):
    leaves = jax.tree.leaves(params)
    return sum(jnp.sum(leaf) for leaf in leaves)


results = [
    total({"w": w, "b": b}),
    total({"b": b, "w": w}),
    total({"w": w, "b": b}),
    total({"w": w, "b": None}),
    total({"w": w, "b": b}),
]


# %% wrong
"""
2 traces, because of: shape
"""


@jax.jit
def total(params):
    leaves = jax.tree.leaves(params)
    return sum(jnp.sum(leaf) for leaf in leaves)


results = [
    total({"w": w, "b": b}),
    total({"b": b, "w": w}),
    total({"w": w, "b": b}),
    total({"w": w, "b": np.zeros(1, np.float32)}),
    total({"w": w, "b": b}),
]


# %% wrong
"""
2 traces, because of: call form
"""


@jax.jit
def total(params):
    leaves = jax.tree.leaves(params)
    return sum(jnp.sum(leaf) for leaf in leaves)


results = [
    total({"w": w, "b": b}),
    total({"b": b, "w": w}),
    total({"w": w, "b": b}),
    total({"w": w, "b": np.zeros_like(b)}),
    total(params={"w": w, "b": b}),
]


# %% wrong
"""
the results 9, 9, 9, 3, 9; actual: [9.0, 9.0, 9.0, 9.0, 9.0]
"""


@jax.jit
def total(params):
    leaves = jax.tree.leaves(params)
    return sum(jnp.sum(leaf) for leaf in leaves)


results = [
    total({"w": w, "b": b}),
    total({"b": b, "w": w}),
    total({"w": w, "b": b}),
    total({"w": w, "b": b}),
    total({"w": w, "b": b}),
]
