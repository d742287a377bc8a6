"""The NaN you never took

`where` computes both sides, and a gradient goes back through both. So a
side that you never take can spoil your gradient. Here you see it happen,
find out where, and repair it.
"""

import jax
import jax.numpy as jnp
import numpy as np

points = np.float32([0.0, 4.0, -1.0])

# %% Right values, broken gradient  id="right-values", traces={"value": 1, "slope": 1}, prints=["value: 0.00 2.00 0.00", "slope: nan 0.25 nan"]
"""
The root of a negative number is no real number, so `safe_root` takes 0
there. Its values are right.

`jax.grad(f)` makes a function that gives the slope of `f`. It is built
from the jaxpr of `f`, by the chain rule, with no formula of yours. Under
`jit`, both are traced and compiled like any other function.

Run it, and compare the values with the slopes at the same three points: 0,
4 and -1. NaN means *not a number*. Once a single NaN reaches the weights of
a model, all later steps give NaN too.
"""


def safe_root(x):
    return jnp.where(x > 0, jnp.sqrt(x), 0.0)


@jax.jit
def value(x):
    return safe_root(x)


@jax.jit
def slope(x):
    return jax.grad(safe_root)(x)


print("value:", *[f"{value(x):.2f}" for x in points])
print("slope:", *[f"{slope(x):.2f}" for x in points])

# %% predict: At x = 0 the value is 0, the side that was chosen. What is the slope there?  answer="str(float(slope(points[0])))"
"""
- `0.0`: the chosen side is the constant 0, and its slope is 0. But the
  other side takes part as well.
- `inf`: the root is infinitely steep at 0. That number is there, but it is
  not the end.
- `nan`: the slope of the other side is infinite, and the selection
  multiplies it by 0.
"""

# %% Where the NaN is born  id="where-it-is-born", traces={"slope": 1}, prints=["slope of the root at 0: inf", "0 * inf = nan"], holds=["' div ' in run.jaxpr('slope')", "bool(jnp.isnan(slope(points[0])))"]
"""
Backwards, `where` sends the slope to the chosen side and 0 to the other
side. The other side then does its part of the chain rule: it multiplies
what it got by its own slope. The slope of the root at 0 is infinite, and 0
times infinity is NaN. It is added to the good slope of the chosen side, and
the sum is NaN.

Look at the jaxpr of `slope`: `sqrt` and a division are there, without any
condition. The selection comes first on the way back, and cannot stop what
happens after it.
"""


def safe_root(x):
    return jnp.where(x > 0, jnp.sqrt(x), 0.0)


@jax.jit
def slope(x):
    return jax.grad(safe_root)(x)


zero, infinite = np.float32(0), jax.grad(jnp.sqrt)(points[0])
print("slope of the root at 0:", infinite)
print("0 * inf =", zero * infinite)
print("slope of safe_root at 0:", slope(points[0]))

# %% predict: At x = -1 the root itself is NaN. What is the *value* of `safe_root` there?  answer="str(float(safe_root(points[2])))"
"""
- `0.0`: on the way forward, the selection comes last. It takes the 0 and
  drops the NaN.
- `nan`: so it is for the slope. Forward, nothing is multiplied by the side
  that was not chosen.
- `-1.0`: the root is not replaced by its input.
"""

# %% Your turn: a harmless number  id="nan-never-taken", holds=["np.allclose(values, [0.0, 2.0, 0.0], atol=1e-3)", "slopes[0] != slopes[0]"], compiles={"slope": 1}
"""
Repair `safe_root`, so that

- the values stay the same: 0 where `x` is not positive;
- the slope at 4 is still 0.25;
- all slopes are finite.

The idea: make sure that the root never sees a bad number, not even on the
side that is thrown away. So select twice: once *before* the root, to put a
harmless number in place of a bad one, and once after it, as now.
"""


def safe_root(x):
    return jnp.where(x > 0, jnp.sqrt(x), 0.0)


@jax.jit
def slope(x):
    return jax.grad(safe_root)(x)


values = [float(safe_root(x)) for x in points]
slopes = [float(slope(x)) for x in points]
print("values:", values)
print("slopes:", slopes)

# %% hint
"""
Use `jnp.where` twice. The first one replaces bad inputs by some harmless
number, such as 1, *before* the root.
"""

# %% hint
"""
`harmless = jnp.where(x > 0, x, 1.0)`, then
`return jnp.where(x > 0, jnp.sqrt(harmless), 0.0)`.
"""

# %% check
found = [round(float(safe_root(x)), 3) for x in points]
assert found == [0.0, 2.0, 0.0], (
    f"input: {points.tolist()}; expected values: [0.0, 2.0, 0.0]; "
    f"actual: {found}"
)
found = [float(jax.grad(safe_root)(x)) for x in points]
assert np.isfinite(found).all(), (
    f"input: {points.tolist()}; expected: finite slopes; "
    f"actual: {found}"
)
assert abs(found[1] - 0.25) < 1e-3, (
    f"input: 4.0; expected slope: 0.25; actual: {found[1]}"
)


# %% solution
def safe_root(x):
    harmless = jnp.where(x > 0, x, 1.0)
    return jnp.where(x > 0, jnp.sqrt(harmless), 0.0)


@jax.jit
def slope(x):
    return jax.grad(safe_root)(x)


values = [float(safe_root(x)) for x in points]
slopes = [float(slope(x)) for x in points]
print("values:", values)
print("slopes:", slopes)

# %% wrong
"""
expected: finite slopes; actual: [nan
"""


def safe_root(x):
    return jnp.where(x > 0, jnp.sqrt(jnp.maximum(x, 0.0)), 0.0)


values = [float(safe_root(x)) for x in points]

# %% wrong
"""
expected: finite slopes; actual: [inf
"""


def safe_root(x):
    return jnp.nan_to_num(jnp.sqrt(x))


values = [float(safe_root(x)) for x in points]

# %% wrong
"""
expected slope: 0.25; actual: 0.0
"""


def safe_root(x):
    root = jax.lax.stop_gradient(jnp.sqrt(x))
    return jnp.where(x > 0, root, 0.0)


values = [float(safe_root(x)) for x in points]

# %% wrong
"""
expected values: [0.0, 2.0, 0.0]; actual: [1.0, 2.0, 1.0]
"""


def safe_root(x):
    return jnp.sqrt(jnp.where(x > 0, x, 1.0))


values = [float(safe_root(x)) for x in points]
