"""When cond meets vmap

`cond` runs one branch, nearly always. There is one place where it does
not, and it comes unasked: under `vmap`. Here you see it happen, and how to
keep the real branch.
"""

import jax
import jax.numpy as jnp
import numpy as np

xs = np.float32([1.0, 2.0, 3.0])
yes = np.bool_(True)
each = np.bool_([True, False, True])

# %% One condition, or one for each  id="cond-under-vmap", traces={"one": 1, "many": 1}, cache={"one": "miss", "many": "miss"}, prints=["one: ", "many:"], holds=["'cond[' in run.jaxpr('one') and 'select_n' not in run.jaxpr('one')", "'cond[' not in run.jaxpr('many') and 'select_n' in run.jaxpr('many')", "{line for line in run.lines('run') if line in ('half', 'square')} == {'half', 'square'}"]
"""
`jax.vmap(f)` turns a function for one example into a function for a batch:
it goes over the first axis of each argument. `in_axes=(0, None)` says: the
first argument is a batch, the second is the same for all examples.

What becomes of `cond` then? `one` has one condition for all examples. In
`many`, each example has its own, so no single branch is right for the whole
batch.

Compare the two jaxprs: a `cond` is a real branch. A `select_n`, as inside
of `jnp.where`, means that both sides are computed for all examples. Compare
also the lines that the branches print when they run.
"""


def half(x):
    jax.debug.print("half")
    return x / 2


def square(x):
    jax.debug.print("square")
    return x * x


def shrink(x, smaller):
    return jax.lax.cond(smaller, half, square, x)


@jax.jit
def one(xs, smaller):
    return jax.vmap(shrink, in_axes=(0, None))(xs, smaller)


@jax.jit
def many(xs, smaller):
    return jax.vmap(shrink)(xs, smaller)


print("one: ", one(xs, yes))
print("many:", many(xs, each))

# %% predict: Which program still has a real branch?  answer="' and '.join(name for name in ('one', 'many') if 'cond[' in run.jaxpr(name))"
"""
- `one and many`: a batch with a condition for each example has no single
  branch to take.
- `one`: one condition for all examples, so one branch can be left out.
- `many`: here each example may want another branch. JAX computes both and
  selects.
"""

# %% predict: How many of the two branches run in the call of many?  answer="len({line for line in run.lines('run') if line in ('half', 'square')})"
"""
- `1`: two examples want `half`, one wants `square`, and there is one
  program for all three.
- `2`: both are computed for the whole batch, then each example selects.
"""

# %% Your turn: keep the real branch  id="keep-the-branch", cache={"batch": "miss hit"}, traces={"batch": 1}, holds=["'cond[' not in run.jaxpr('batch')"]
"""
This model does something extra while it trains, and `training` is one truth
value for the whole batch. Still the real branch is lost: somebody repeats
this value for each example, to have a batch of everything. The extra work
is then done in both calls: look at the jaxpr of `batch`.

Repair `batch`, so that

- its jaxpr has a `cond` again, and no `select_n`;
- the results stay the same;
- `layer` is as before, and `batch` is still called with one truth value.
"""


def layer(x, training):
    return jax.lax.cond(training, jnp.sin, jnp.negative, x)


@jax.jit
def batch(xs, training):
    repeated = jnp.full(xs.shape, training)
    return jax.vmap(layer)(xs, repeated)


results = [batch(xs, np.bool_(truth)) for truth in (True, False)]

# %% hint
"""
`vmap` need not go over all arguments. Which argument is the same for all
examples?
"""

# %% hint
"""
`return jax.vmap(layer, in_axes=(0, None))(xs, training)`, without
`repeated`.
"""

# %% check
jaxpr = run.jaxpr("batch")
assert run.traces("batch") == 1, (
    "expected: batch is jitted and traced once for two calls; "
    f"actual: traced {run.traces('batch')} times"
)
assert "cond[" in jaxpr, (
    "expected: a cond in the jaxpr of batch; actual: "
    + ("a select_n" if "select_n" in jaxpr else "neither")
)
for truth, found in zip((True, False), results, strict=True):
    wanted = np.sin(xs) if truth else -xs
    assert np.allclose(found, wanted, atol=1e-4), (
        f"xs={xs.tolist()}, training={truth}; "
        f"expected: {wanted.tolist()}; "
        f"actual: {np.asarray(found).tolist()}"
    )


# %% solution
def layer(x, training):
    return jax.lax.cond(training, jnp.sin, jnp.negative, x)


@jax.jit
def batch(xs, training):
    return jax.vmap(layer, in_axes=(0, None))(xs, training)


results = [batch(xs, np.bool_(truth)) for truth in (True, False)]

# %% wrong
"""
vmap was requested to map its argument along axis 0
"""


def layer(x, training):
    return jax.lax.cond(training, jnp.sin, jnp.negative, x)


@jax.jit
def batch(xs, training):
    return jax.vmap(layer)(xs, training)


results = [batch(xs, np.bool_(truth)) for truth in (True, False)]

# %% wrong
"""
traced once for two calls; actual: traced 2 times
"""


def layer(x, training):
    return jnp.sin(x) if training else -x


@jax.jit(static_argnums=1)
def batch(xs, training):
    return jax.vmap(layer, in_axes=(0, None))(xs, training)


results = [batch(xs, truth) for truth in (True, False)]

# %% wrong
"""
a cond in the jaxpr of batch; actual: a select_n
"""


def layer(x, training):
    return jnp.where(training, jnp.sin(x), -x)


@jax.jit
def batch(xs, training):
    return jax.vmap(layer, in_axes=(0, None))(xs, training)


results = [batch(xs, np.bool_(truth)) for truth in (True, False)]

# %% What you know about branches  id="mixed-branches", traces={"by_shape": 2, "by_where": 1, "by_cond": 1}, cache={"by_shape": "miss miss", "by_where": "miss hit", "by_cond": "miss hit"}, trace_prints=5, holds=["len(run.lines('run')) == 2"]
"""
The end of the chapter: four questions about one short program, without
anything new. Three functions make a choice, each in its own way:

- `by_shape` decides in Python, by something that is known while JAX
  traces;
- `by_where` computes both sides and selects;
- `by_cond` has a real branch.

Each is called twice. Answer first, then run and see. If an answer
surprises you, the reason is in the panes: the strip of hits and misses,
the prints marked `T` for trace and `R` for run, and the three jaxprs.
"""


def loud(x):
    print("reading loud")
    jax.debug.print("loud")
    return x * 10


def quiet(x):
    print("reading quiet")
    return x / 10


@jax.jit
def by_shape(x):
    return loud(x) if x.ndim == 1 else quiet(x)


@jax.jit
def by_where(x):
    return jnp.where(x > 99, 0.0, quiet(x))


@jax.jit
def by_cond(x):
    return jax.lax.cond(x > 1, loud, quiet, x)


by_shape(xs)
by_shape(xs[0])
by_where(xs[0])
by_where(xs[2])
by_cond(xs[0])
by_cond(xs[2])

# %% predict: by_shape has a Python `if`. What happens?  answer="' '.join(run.cache('by_shape'))"
"""
- `miss hit`: a number and a vector are two shapes, so there are two
  programs.
- `miss miss`: two shapes, two programs, and each has only the branch that
  its shape asks for.
- `error`: only questions about *values* cannot be answered during tracing.
"""

# %% predict: by_where is called with 1, then with 3. How often does Python read `quiet` for it?  answer="len([t for t in run.lines('trace') if 'quiet' in t]) - 2"
"""
- `0`: the numbers are not above 99, but Python does not know that. It
  computes both sides in any case.
- `1`: it is read once, while JAX traces. The second call is a hit.
- `2`: the second call has the same shape and dtype, so nothing is traced.
"""

# %% predict: by_cond is called with 1 and with 3. Which functions does Python read for it?  answer="'both' if run.lines('trace')[-2:] == ['reading loud', 'reading quiet'] else 'only one'"
"""
- `both`: JAX cannot know which branch will be taken, so it records both.
- `only one`: that is how it runs on the device. When it is recorded, the
  value is not known.
"""

# %% predict: How often is "loud" printed while the programs run, in all six calls?  answer="run.lines('run').count('loud')"
"""
- `1`: count by_shape too: its program for vectors holds `loud`.
- `2`: once in by_shape for the vector, once in by_cond for 3.
- `3`: by_cond takes the other branch for 1, and a real branch that is not
  taken prints nothing.
- `6`: a print stands in a program only where its function was read.
"""
