"""The detective

Now you know what is in the cache key. In a real program you see only the
effect: a slow call. The pane *Why* names the cause. Here you learn to read
its reports, and to act on them.
"""

import jax
import jax.numpy as jnp
import numpy as np

w = np.ones(3, np.float32)
x = np.arange(3, dtype=np.float32)
one = np.float32(1)

# %% Read the reports  id="read-the-reports", cache="miss miss miss miss miss miss", reasons="shape, dtype, pytree, weak type, call form", traces={"model": 6}, compiles={"model": 6}
"""
A report of a miss has up to four parts: *what* was new (a shape, a dtype,
…), *which argument* it was, what it was *before* and *now*, and what you
can *do*. JAX compares with the closest call before, the one with the
fewest differences. If several things changed, the most telling one is
named first, and the others are counted.

Each of these six calls is a miss. The first one is the first call. For
the other five, find the cause in the code. Compare each with call 1: what
is different? (`w` and `x` are arrays of three float32 numbers, and `one`
is `np.float32(1)`.)

One more cause exists, and it is not in the call at all: a setting of JAX
that changed in between, such as `jax.enable_x64`. Then the report names
the setting.
"""


@jax.jit
def model(params, x, scale):
    return scale * jnp.sum(params["w"] * x)


model({"w": w}, x, one)
model({"w": w[:1]}, x, one)
model({"w": w}, x.astype(np.int32), one)
model({"w": w, "b": None}, x, one)
model({"w": w}, x, 1.0)
model({"w": w}, x, scale=one)
print("end")

# %% predict: Why is call 2 a miss?  answer="run.calls[1].reason.kind"
"""
- `dtype`: `w[:1]` has the same dtype as `w`.
- `shape`: `w` has 3 entries, `w[:1]` has 1.
- `pytree`: it is still a dict with the one name "w".
"""

# %% predict: Why is call 3 a miss?  answer="run.calls[2].reason.kind"
"""
- `shape`: `astype` changes the dtype and leaves the shape as it is.
- `dtype`: it was float32 before, and it is int32 now.
- `weak type`: only Python numbers are weak. An array that was converted is
  not.
"""

# %% predict: Why is call 4 a miss?  answer="run.calls[3].reason.kind"
"""
- `call form`: the arguments are passed as before, by position.
- `shape`: no array is new, so no shape is new.
- `pytree`: the dict has one more name. That its value is None does not
  help.
"""

# %% predict: Why is call 5 a miss?  answer="run.calls[4].reason.kind"
"""
- `weak type`: `1.0` is a Python number; `one` is a float32 of NumPy.
- `dtype`: both count as float32. The difference is finer.
- `static value`: values are not in the key, unless you mark an argument as
  static. That comes in the next chapter.
"""

# %% predict: Why is call 6 a miss?  answer="run.calls[5].reason.kind"
"""
- `weak type`: `one` is the same object as in call 1.
- `new function`: `model` was made once, at the top.
- `call form`: `scale` was passed by position before, by name now.
"""

# %% Your turn: four suspects  id="four-suspects", cache="miss miss miss miss", traces={"update": 4}, compiles={"update": 4}, reasons={"update": "weak type, dtype, call form"}
"""
Four calls, four compiles. Read the reports and repair the program, so that
`update` is compiled only once.

What must hold:

- `update` is called four times and stays jitted;
- the four results are the same as now.

There is one cause in each of three places. Repair one, run it again, and
look at what is left. That is how you would do it in a real program.
"""


@jax.jit
def update(state, rate):
    return state - rate * state


state = np.ones(3, np.float32)
results = [
    update(state, np.float32(0.5)),
    update(state, 0.25),
    update(np.array([4, 2, 2]), np.float32(0.5)),
    update(state=state, rate=np.float32(0.125)),
]
print(*results, sep="\n")

# %% hint
"""
Bring all calls into the form of the first one: two arguments by position,
`state` as a float32 array, `rate` as an `np.float32`.
"""

# %% hint
"""
The second: `update(state, np.float32(0.25)),`. The third:
`update(np.array([4, 2, 2], np.float32), np.float32(0.5)),`. The last:
`update(state, np.float32(0.125)),`
"""

# %% check
found = [np.asarray(result).tolist() for result in results]
wanted = [[0.5] * 3, [0.75] * 3, [2.0, 1.0, 1.0], [0.875] * 3]
assert found == wanted, f"expected: {wanted}; actual: {found}"
assert len(run.cache("update")) == 4, (
    "expected: four calls of the jitted update; "
    f"actual: {len(run.cache('update'))}"
)
left = [
    f"{r.reason.kind} of {r.reason.argument}"
    for r in run.calls
    if r.reason and r.reason.kind != "first call"
]
assert run.compiles("update") == 1, (
    "expected: update is compiled once; "
    f"actual: {run.compiles('update')} times; left: {', '.join(left)}"
)


# %% solution
@jax.jit
def update(state, rate):
    return state - rate * state


state = np.ones(3, np.float32)
results = [
    update(state, np.float32(0.5)),
    update(state, np.float32(0.25)),
    update(np.array([4, 2, 2], np.float32), np.float32(0.5)),
    update(state, np.float32(0.125)),
]
print(*results, sep="\n")

# %% wrong
"""
actual: 2 times; left: weak type of rate
"""


@jax.jit
def update(state, rate):
    return state - rate * state


state = np.ones(3, np.float32)
results = [
    update(state, np.float32(0.5)),
    update(state, 0.25),
    update(np.array([4, 2, 2], np.float32), np.float32(0.5)),
    update(state, np.float32(0.125)),
]

# %% wrong
"""
actual: 2 times; left: dtype of state
"""


@jax.jit
def update(state, rate):
    return state - rate * state


state = np.ones(3, np.float32)
results = [
    update(state, np.float32(0.5)),
    update(state, np.float32(0.25)),
    update(np.array([4, 2, 2]), np.float32(0.5)),
    update(state, np.float32(0.125)),
]

# %% wrong
"""
actual: 2 times; left: call form of
"""


@jax.jit
def update(state, rate):
    return state - rate * state


state = np.ones(3, np.float32)
results = [
    update(state, np.float32(0.5)),
    update(state, np.float32(0.25)),
    update(state, rate=np.float32(0.5))
    * np.array([4, 2, 2], np.float32),
    update(state, np.float32(0.125)),
]

# %% Chapter 3: what do you expect?  id="chapter-three", cache="miss hit miss miss hit miss", traces={"f": 3, "<lambda>": 1}, reasons="weak type, dtype", compiles={"f": 3, "<lambda>": 1}
"""
Four questions to look back at chapter 3. All calls bring a single number
or an array with the shape (), so shapes play no part this time.

If one of the questions is hard, its lesson is: "Weak types: Python
numbers are different", "Dtypes count, values do not" for NumPy's habits,
and "A new function each time" for the last one.
"""


@jax.jit
def f(x):
    return x * 2


f(1.0)
f(7.5)
f(np.float32(1.0))
f(np.int32(1))
f(np.float64(1.0))
jax.jit(lambda x: x * 2)(1.0)
print("end")

# %% predict: f(7.5) comes after f(1.0). Hit or miss?  answer="run.cache()[1]"
"""
- `hit`: two Python floats: the same kind, another value.
- `miss`: the value is new, but values are not in the key.
"""

# %% predict: f(np.float32(1.0)) has the same value as f(1.0). Hit or miss, and why?  answer="run.cache()[2] + (': ' + run.calls[2].reason.kind if run.calls[2].reason else '')"
"""
- `hit`: the same value does not help. Is it the same kind?
- `miss: dtype`: a Python float counts as float32, so the dtype is the
  same.
- `miss: weak type`: the Python number is weak, the NumPy number is not.
"""

# %% predict: f(np.float64(1.0)): JAX works with 32 bits. Hit or miss?  answer="run.cache()[4]"
"""
- `hit`: it becomes a float32, and call 3 brought one, not weak.
- `miss`: 64 bits do not arrive: JAX turns it into a float32 before it asks
  the cache.
"""

# %% predict: The lambda in the last line does the same as f. Hit or miss?  answer="run.cache()[5]"
"""
- `hit`: the code is the same as that of `f`, but the cache belongs to the
  function object.
- `miss`: a function object that JAX has never seen.
"""
