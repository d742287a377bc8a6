"""One branch or both?

`jnp.where` always computes both sides. `jax.lax.cond` runs only the one
that is chosen, nearly always. Here you see when which is true, and what it
does to gradients.
"""

import jax
import jax.numpy as jnp

x = jnp.array([-1.0, 0.5, 2.0])
yes, no = jnp.array(True), jnp.array(False)

# %% A real branch: lax.cond  id="lax-cond", traces={"soft_or_sharp": 1}, compiles={"soft_or_sharp": 1}, cache="miss hit", trace_prints=2, prints=["tracing sharp", "tracing soft", "sharp=True: [0.  0.5 2. ]", "sharp=False: [0.31"], holds=["sorted(line for line in run.lines('run') if line[0] == 'r') == ['running sharp', 'running soft']", "'cond[' in run.jaxpr('soft_or_sharp')"]
"""
When the two branches compute very different things, running both would be
a waste. `jax.lax.cond(which, if_true, if_false, x)` puts a real branch
into the program. `which` may be a traced value.

JAX has to *record* both functions, because it does not know which one will
be wanted: look for the trace prints. When the program *runs*, the device
normally executes only the chosen one.

Both functions must return the same shape and dtype. In the jaxpr you find
one `cond` with both branches inside.
"""


def sharp_relu(x):
    print("tracing sharp")
    jax.debug.print("running sharp")
    return jnp.where(x > 0, x, 0.0)


def soft_relu(x):
    print("tracing soft")
    jax.debug.print("running soft")
    return jax.nn.softplus(x)


@jax.jit
def soft_or_sharp(x, sharp):
    return jax.lax.cond(sharp, sharp_relu, soft_relu, x)


print("sharp=True:", soft_or_sharp(x, yes))
print("sharp=False:", soft_or_sharp(x, no))

# %% predict: In two calls, how many branches are traced, and how many are run?  answer="f\"{len(run.lines('trace'))} traced, {len([line for line in run.lines('run') if line.startswith('running')])} run\""
"""
- `2 traced, 2 run`: both are recorded once. Each call then runs the branch
  that it asks for.
- `4 traced, 2 run`: the second call is a hit: `sharp` is an array, and
  its value is not in the key.
- `2 traced, 4 run`: that is what `jnp.where` would do: both sides are
  computed, every time.
- `1 traced, 2 run`: JAX cannot know in advance which branch will be
  wanted, so it records both.
"""

# %% Under vmap, both branches run  id="cond-under-vmap", traces={"one": 1, "many": 1}, cache={"one": "miss", "many": "miss"}, holds=["'cond[' in run.jaxpr('one') and 'select_n' not in run.jaxpr('one')", "'cond[' not in run.jaxpr('many') and 'select_n' in run.jaxpr('many')"]
"""
`jax.vmap` turns a function for one example into a function for a batch.
What becomes of `cond` then? If each example has its own condition, no
single branch is right for the whole batch. So JAX computes *both* branches
for all examples and selects: `cond` becomes `select_n`, just like
`jnp.where`.

If the condition is the same for the whole batch (`in_axes=None`), the real
branch stays.

Compare the two programs: `one` gets one condition for all examples, `many`
gets one for each.
"""


def shrink(x, smaller):
    return jax.lax.cond(smaller, lambda x: x / 2, lambda x: x * x, x)


@jax.jit
def one(xs, smaller):
    return jax.vmap(shrink, in_axes=(0, None))(xs, smaller)


@jax.jit
def many(xs, smaller):
    return jax.vmap(shrink)(xs, smaller)


print("one: ", one(x, yes))
print("many:", many(x, jnp.array([True, False, True])))

# %% predict: Which program still has a real branch?  answer="' and '.join(name for name in ('one', 'many') if 'cond[' in run.jaxpr(name))"
"""
- `one and many`: a batch with a condition for each example has no single
  branch to take.
- `one`: one condition for all examples, so one branch can be left out.
- `many`: here each example may want another branch. JAX computes both and
  selects.
"""

# %% Your turn: the NaN you never took  id="nan-never-taken", holds=["float(values[0]) == 0.0", "bool(jnp.isnan(gradients[0]))", "run.jaxpr('gradient') != ''"]
"""
`safe_sqrt` avoids the square root where `x` is not positive. Its *values*
are right. But its gradient at 0 is NaN.

`jnp.where` computes both sides, and the gradient also goes through both.
The slope of `sqrt` at 0 is infinite. The side that was not chosen is
multiplied by 0, and 0 times infinity is NaN.

Repair it, so that

- the values stay the same: 0 where `x` is not positive;
- the gradient at 4 is still 0.25;
- all gradients are finite.

The idea: make sure that `sqrt` never sees a bad number, not even on the
side that is thrown away.
"""


def safe_sqrt(x):
    return jnp.where(x > 0, jnp.sqrt(x), 0.0)


@jax.jit
def gradient(x):
    return jax.vmap(jax.grad(safe_sqrt))(x)


points = jnp.array([0.0, 4.0, -1.0])
values = safe_sqrt(points)
gradients = gradient(points)
print("values:   ", values)
print("gradients:", gradients)

# %% hint
"""
Use `jnp.where` twice. The first one replaces bad inputs by some harmless
number, *before* the square root.
"""

# %% hint
"""
`harmless = jnp.where(x > 0, x, 1.0)`, then
`return jnp.where(x > 0, jnp.sqrt(harmless), 0.0)`.
"""

# %% check
found = safe_sqrt(points).tolist()
assert found == [0.0, 2.0, 0.0], (
    f"input: {points.tolist()}; expected values: [0.0, 2.0, 0.0]; "
    f"actual: {found}"
)
slopes = jax.vmap(jax.grad(safe_sqrt))(points).tolist()
assert jnp.isfinite(jnp.array(slopes)).all(), (
    f"input: {points.tolist()}; expected: finite gradients; "
    f"actual: {slopes}"
)
assert abs(slopes[1] - 0.25) < 1e-3, (
    f"input: 4.0; expected gradient: 0.25; actual: {slopes[1]}"
)


# %% solution
def safe_sqrt(x):
    harmless = jnp.where(x > 0, x, 1.0)
    return jnp.where(x > 0, jnp.sqrt(harmless), 0.0)


@jax.jit
def gradient(x):
    return jax.vmap(jax.grad(safe_sqrt))(x)


points = jnp.array([0.0, 4.0, -1.0])
values = safe_sqrt(points)
gradients = gradient(points)
print("values:   ", values)
print("gradients:", gradients)

# %% wrong
"""
expected: finite gradients; actual: [nan
"""


def safe_sqrt(x):
    return jnp.where(x > 0, jnp.sqrt(jnp.maximum(x, 0.0)), 0.0)


points = jnp.array([0.0, 4.0, -1.0])

# %% wrong
"""
expected gradient: 0.25; actual: 0.0
"""


def safe_sqrt(x):
    root = jax.lax.stop_gradient(jnp.sqrt(x))
    return jnp.where(x > 0, root, 0.0)


points = jnp.array([0.0, 4.0, -1.0])

# %% wrong
"""
expected values: [0.0, 2.0, 0.0]; actual: [1.0, 2.0, 1.0]
"""


def safe_sqrt(x):
    return jnp.sqrt(jnp.where(x > 0, x, 1.0))


points = jnp.array([0.0, 4.0, -1.0])
