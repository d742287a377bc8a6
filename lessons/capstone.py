"""The slow training step

The last task. A small program learns one number, and something is wrong
with it in six places. Nothing here is new: you have met each fault in a
lesson of its own.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

MAX_LEN = 16
batches = [
    (np.linspace(0, k, n, dtype=np.float32), np.zeros(n, np.float32))
    for k, n in ((0, 5), (1, 7), (1, 8), (1, 10))
]
batches = [(x, y + 2 * x) for x, y in batches]

# %% Look before you repair  id="look-first", traces={"update": 4}, compiles={"update": 4}, cache={"update": "miss miss miss miss"}, prints="losses: 0.0 nan nan nan", holds=["run.equations('update') > 60", "run.compiles() == 4", "' cos ' not in run.jaxpr('update')"]
"""
`update` gets a weight and a batch, and returns a better weight and the loss
of the batch. `jax.value_and_grad(loss)` gives the loss and its slope for
the first argument, `w`. `batches` holds four batches, of 5, 7, 8 and 10
numbers, so there are four calls: all are misses, and the loss is NaN from
the second one on.

The loss is the root of the mean squared error, for `w` times the smoothed
input. In the first batch all numbers are 0. The counter makes the steps
smaller, and so does the rate.

Do not change anything yet. Run it and read the panes: the strip, the
reasons, the jaxpr and its size, and the losses. One fault can hide others:
Why names the one that counts most.
"""


def smooth(x):
    for _ in range(15):
        x = x + 0.01 * jnp.sin(x)
    return x


def loss(w, x, y):
    errors = w * smooth(x) - y
    return jnp.sqrt(jnp.mean(errors**2))


def update(w, x, y, rate, number):
    value, slope = jax.value_and_grad(loss)(w, x, y)
    return w - rate / (1 + number) * slope, value


w, rate, losses = np.float32(1.0), 1.0, []
for number, (x, y) in enumerate(batches):
    step = jax.jit(partial(update, number=number))
    w, value = step(w, x, y, rate)
    rate = np.float32(rate * 0.9)
    losses.append(float(value))
print("losses:", *losses)

# %% predict: Which reason will the misses after the first one give?  answer="run.calls[-1].reason.kind"
"""
- `shape`: the lengths do change, but something else hides it: look at where
  the jitted function is made.
- `new function`: `jax.jit(partial(...))` stands in the loop, so each round
  has a new function with an empty cache.
- `static value`: the counter is built in by `partial`, in a function that
  is new anyway.
"""

# %% predict: The first loss is 0, a fine number. Why are the others NaN?  answer="'its slope is NaN' if losses[0] == 0 and np.isnan(losses[1]) else 'the rate is too high'"
"""
- `the rate is too high`: that would give large numbers first.
- `its slope is NaN`: the root is infinitely steep at 0, and infinity times
  0 is NaN. The weight gets it, and keeps it.
- `the data hold NaN`: print a batch: all numbers are finite.
"""

# %% predict: `smooth` has a Python loop. What makes the jaxpr so long?  answer="'both ways are unrolled' if ' cos ' in run.jaxpr('update') else 'only the way forward'"
"""
- `only the way forward`: 15 rounds of three operations. The slope is for
  `w`, and `smooth(x)` does not depend on `w`: no way back leads through it.
- `both ways are unrolled`: the way back goes only through what depends on
  `w`, and `smooth(x)` does not. The slope of a sine is a cosine; there is
  none in the jaxpr.
"""

# %% Your turn: six repairs  id="six-repairs", traces={"update": 4}, cache={"update": "miss miss miss miss"}
"""
Repair the program. At the end

- there are at most 2 compiles of jitted functions for the four batches, and
  no weak type among the reasons;
- nothing is compiled outside of `jit`;
- all losses and the last `w` are finite, and right: the mean goes over the
  real entries only;
- no jaxpr has more than 60 equations.

The names `batches`, `w` and `losses` must stay; all else is yours.
`MAX_LEN` is 16. Go one by one: repair, run, read the next reason. The six
faults: a function made again and again, lengths that change, a counter
that is built in, a Python float among arrays, a root at 0, and an unrolled
loop.
"""


def smooth(x):
    for _ in range(15):
        x = x + 0.01 * jnp.sin(x)
    return x


def loss(w, x, y):
    errors = w * smooth(x) - y
    return jnp.sqrt(jnp.mean(errors**2))


def update(w, x, y, rate, number):
    value, slope = jax.value_and_grad(loss)(w, x, y)
    return w - rate / (1 + number) * slope, value


w, rate, losses = np.float32(1.0), 1.0, []
for number, (x, y) in enumerate(batches):
    step = jax.jit(partial(update, number=number))
    w, value = step(w, x, y, rate)
    rate = np.float32(rate * 0.9)
    losses.append(float(value))
print("losses:", *losses)

# %% hint
"""
First the function: put `@jax.jit` above `update`, and pass `number` as an
ordinary argument. Start with `rate = np.float32(1.0)`.
"""

# %% hint
"""
Pad `x`, `y` and a mask of ones to `MAX_LEN` with NumPy. In `loss`, multiply
the errors by the mask and divide their sum by the sum of the mask.
"""

# %% hint
"""
Select twice around the root:
`harmless = jnp.where(mean > 0, mean, 1.0)`, then
`jnp.where(mean > 0, jnp.sqrt(harmless), 0.0)`. And the loop in `smooth`
becomes a `jax.lax.scan` with `length=15`.
"""

# %% check
weight, rate_now, wanted = 1.0, 1.0, []
for k, (a, b) in enumerate(batches):
    smoothed = np.float64(a)
    for _ in range(15):
        smoothed = smoothed + 0.01 * np.sin(smoothed)
    errors = weight * smoothed - b
    root = float(np.sqrt(np.mean(errors**2)))
    slope = np.mean(errors * smoothed) / root if root else 0.0
    wanted.append(root)
    weight = float(weight - rate_now / (1 + k) * slope)
    rate_now = 0.9 * rate_now
found = [round(float(value), 3) for value in losses]
shown = [round(value, 3) for value in wanted]
assert np.isfinite([*found, float(w)]).all(), (
    f"expected: finite losses and weight; actual: {found}, w={float(w)}"
)
assert len(found) == len(shown) and np.allclose(
    found, shown, rtol=1e-2, atol=1e-3
), f"expected losses: {shown}; actual: {found}"
assert abs(float(w) - weight) < 1e-2, (
    f"expected: w is {weight:.3f} at the end; actual: {float(w):.3f}"
)
reasons = [row.reason.kind for row in run.calls if row.reason]
reasons = [kind for kind in reasons if kind != "first call"]
assert run.calls, "expected: a jitted step; actual: jit is never used"
assert run.compiles() <= 2, (
    f"expected: at most 2 compiles; actual: {run.compiles()}, "
    f"because of: {', '.join(sorted(set(reasons)))}"
)
assert "weak type" not in reasons, (
    "expected: the same kind of rate in each call; actual: a Python "
    "number in one call, an array in another (weak type)"
)
assert not run.eager, (
    "expected: no compile outside of jit; actual: "
    f"{len(run.eager)}, {sorted({c.function for c in run.eager})}"
)
longest = max(program.equations for program in run.programs)
assert longest <= 60, (
    f"expected: at most 60 equations in a jaxpr; actual: {longest}"
)


# %% solution
def smooth(x):
    def body(x, _):
        return x + 0.01 * jnp.sin(x), None

    return jax.lax.scan(body, x, length=15)[0]


def loss(w, x, y, mask):
    errors = (w * smooth(x) - y) * mask
    mean = jnp.sum(errors**2) / jnp.sum(mask)
    harmless = jnp.where(mean > 0, mean, 1.0)
    return jnp.where(mean > 0, jnp.sqrt(harmless), 0.0)


@jax.jit
def update(w, x, y, mask, rate, number):
    value, slope = jax.value_and_grad(loss)(w, x, y, mask)
    return w - rate / (1 + number) * slope, value


def pad(values):
    padded = np.zeros(MAX_LEN, dtype=np.float32)
    padded[: len(values)] = values
    return padded


w, rate, losses = np.float32(1.0), np.float32(1.0), []
for number, (x, y) in enumerate(batches):
    mask = pad(np.ones(len(x)))
    w, value = update(w, pad(x), pad(y), mask, rate, number)
    rate = np.float32(rate * 0.9)
    losses.append(float(value))
print("losses:", *losses)

# %% wrong
"""
at most 2 compiles; actual: 4, because of: new function
"""


def smooth(x):
    def body(x, _):
        return x + 0.01 * jnp.sin(x), None

    return jax.lax.scan(body, x, length=15)[0]


def loss(w, x, y, mask):
    errors = (w * smooth(x) - y) * mask
    mean = jnp.sum(errors**2) / jnp.sum(mask)
    harmless = jnp.where(mean > 0, mean, 1.0)
    return jnp.where(mean > 0, jnp.sqrt(harmless), 0.0)


def update(w, x, y, mask, rate, number):
    value, slope = jax.value_and_grad(loss)(w, x, y, mask)
    return w - rate / (1 + number) * slope, value


def pad(values):
    padded = np.zeros(MAX_LEN, dtype=np.float32)
    padded[: len(values)] = values
    return padded


w, rate, losses = np.float32(1.0), np.float32(1.0), []
for number, (x, y) in enumerate(batches):
    mask = pad(np.ones(len(x)))
    step = jax.jit(partial(update, number=number))
    w, value = step(w, pad(x), pad(y), mask, rate)
    rate = np.float32(rate * 0.9)
    losses.append(float(value))

# %% wrong
"""
at most 2 compiles; actual: 4, because of: shape
"""


def smooth(x):
    def body(x, _):
        return x + 0.01 * jnp.sin(x), None

    return jax.lax.scan(body, x, length=15)[0]


def loss(w, x, y):
    mean = jnp.mean((w * smooth(x) - y) ** 2)
    harmless = jnp.where(mean > 0, mean, 1.0)
    return jnp.where(mean > 0, jnp.sqrt(harmless), 0.0)


@jax.jit
def update(w, x, y, rate, number):
    value, slope = jax.value_and_grad(loss)(w, x, y)
    return w - rate / (1 + number) * slope, value


w, rate, losses = np.float32(1.0), np.float32(1.0), []
for number, (x, y) in enumerate(batches):
    w, value = update(w, x, y, rate, number)
    rate = np.float32(rate * 0.9)
    losses.append(float(value))

# %% wrong
"""
at most 2 compiles; actual: 4, because of: static value
"""


def smooth(x):
    def body(x, _):
        return x + 0.01 * jnp.sin(x), None

    return jax.lax.scan(body, x, length=15)[0]


def loss(w, x, y, mask):
    errors = (w * smooth(x) - y) * mask
    mean = jnp.sum(errors**2) / jnp.sum(mask)
    harmless = jnp.where(mean > 0, mean, 1.0)
    return jnp.where(mean > 0, jnp.sqrt(harmless), 0.0)


@jax.jit(static_argnames="number")
def update(w, x, y, mask, rate, number):
    value, slope = jax.value_and_grad(loss)(w, x, y, mask)
    return w - rate / (1 + number) * slope, value


def pad(values):
    padded = np.zeros(MAX_LEN, dtype=np.float32)
    padded[: len(values)] = values
    return padded


w, rate, losses = np.float32(1.0), np.float32(1.0), []
for number, (x, y) in enumerate(batches):
    mask = pad(np.ones(len(x)))
    w, value = update(w, pad(x), pad(y), mask, rate, number)
    rate = np.float32(rate * 0.9)
    losses.append(float(value))

# %% wrong
"""
a Python number in one call, an array in another (weak type)
"""


def smooth(x):
    def body(x, _):
        return x + 0.01 * jnp.sin(x), None

    return jax.lax.scan(body, x, length=15)[0]


def loss(w, x, y, mask):
    errors = (w * smooth(x) - y) * mask
    mean = jnp.sum(errors**2) / jnp.sum(mask)
    harmless = jnp.where(mean > 0, mean, 1.0)
    return jnp.where(mean > 0, jnp.sqrt(harmless), 0.0)


@jax.jit
def update(w, x, y, mask, rate, number):
    value, slope = jax.value_and_grad(loss)(w, x, y, mask)
    return w - rate / (1 + number) * slope, value


def pad(values):
    padded = np.zeros(MAX_LEN, dtype=np.float32)
    padded[: len(values)] = values
    return padded


w, rate, losses = np.float32(1.0), 1.0, []
for number, (x, y) in enumerate(batches):
    mask = pad(np.ones(len(x)))
    w, value = update(w, pad(x), pad(y), mask, rate, number)
    rate = np.float32(rate * 0.9)
    losses.append(float(value))

# %% wrong
"""
w=nan
"""


def smooth(x):
    def body(x, _):
        return x + 0.01 * jnp.sin(x), None

    return jax.lax.scan(body, x, length=15)[0]


def loss(w, x, y, mask):
    errors = (w * smooth(x) - y) * mask
    mean = jnp.sum(errors**2) / jnp.sum(mask)
    return jnp.where(mean > 0, jnp.sqrt(mean), 0.0)


@jax.jit
def update(w, x, y, mask, rate, number):
    value, slope = jax.value_and_grad(loss)(w, x, y, mask)
    return w - rate / (1 + number) * slope, value


def pad(values):
    padded = np.zeros(MAX_LEN, dtype=np.float32)
    padded[: len(values)] = values
    return padded


w, rate, losses = np.float32(1.0), np.float32(1.0), []
for number, (x, y) in enumerate(batches):
    mask = pad(np.ones(len(x)))
    w, value = update(w, pad(x), pad(y), mask, rate, number)
    rate = np.float32(rate * 0.9)
    losses.append(float(value))

# %% wrong
"""
expected: at most 60 equations in a jaxpr; actual:
"""


def smooth(x):
    for _ in range(15):
        x = x + 0.01 * jnp.sin(x)
    return x


def loss(w, x, y, mask):
    errors = (w * smooth(x) - y) * mask
    mean = jnp.sum(errors**2) / jnp.sum(mask)
    harmless = jnp.where(mean > 0, mean, 1.0)
    return jnp.where(mean > 0, jnp.sqrt(harmless), 0.0)


@jax.jit
def update(w, x, y, mask, rate, number):
    value, slope = jax.value_and_grad(loss)(w, x, y, mask)
    return w - rate / (1 + number) * slope, value


def pad(values):
    padded = np.zeros(MAX_LEN, dtype=np.float32)
    padded[: len(values)] = values
    return padded


w, rate, losses = np.float32(1.0), np.float32(1.0), []
for number, (x, y) in enumerate(batches):
    mask = pad(np.ones(len(x)))
    w, value = update(w, pad(x), pad(y), mask, rate, number)
    rate = np.float32(rate * 0.9)
    losses.append(float(value))

# %% wrong
"""
expected losses: [0.0,
"""


def smooth(x):
    def body(x, _):
        return x + 0.01 * jnp.sin(x), None

    return jax.lax.scan(body, x, length=15)[0]


def loss(w, x, y):
    mean = jnp.mean((w * smooth(x) - y) ** 2)
    harmless = jnp.where(mean > 0, mean, 1.0)
    return jnp.where(mean > 0, jnp.sqrt(harmless), 0.0)


@jax.jit
def update(w, x, y, rate, number):
    value, slope = jax.value_and_grad(loss)(w, x, y)
    return w - rate / (1 + number) * slope, value


def pad(values):
    padded = np.zeros(MAX_LEN, dtype=np.float32)
    padded[: len(values)] = values
    return padded


w, rate, losses = np.float32(1.0), np.float32(1.0), []
for number, (x, y) in enumerate(batches):
    w, value = update(w, pad(x), pad(y), rate, number)
    rate = np.float32(rate * 0.9)
    losses.append(float(value))

# %% wrong
"""
expected: no compile outside of jit; actual:
"""


def smooth(x):
    def body(x, _):
        return x + 0.01 * jnp.sin(x), None

    return jax.lax.scan(body, x, length=15)[0]


def loss(w, x, y, mask):
    errors = (w * smooth(x) - y) * mask
    mean = jnp.sum(errors**2) / jnp.sum(mask)
    harmless = jnp.where(mean > 0, mean, 1.0)
    return jnp.where(mean > 0, jnp.sqrt(harmless), 0.0)


@jax.jit
def update(w, x, y, mask, rate, number):
    value, slope = jax.value_and_grad(loss)(w, x, y, mask)
    return w - rate / (1 + number) * slope, value


def pad(values):
    return jnp.pad(jnp.asarray(values), (0, MAX_LEN - len(values)))


w, rate, losses = np.float32(1.0), np.float32(1.0), []
for number, (x, y) in enumerate(batches):
    mask = pad(np.ones(len(x)))
    w, value = update(w, pad(x), pad(y), mask, rate, number)
    rate = np.float32(rate * 0.9)
    losses.append(float(value))
