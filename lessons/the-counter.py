"""The counter

A static argument is good for a few fixed values. For a value that is new
in each call, it is the worst choice of all. Such values hide in ordinary
programs. The most common one is a number that counts the steps.
"""

import math

import jax
import jax.numpy as jnp
import numpy as np

x = np.array([0.0, 0.5, 0.9, 1.0], dtype=np.float32)

# %% Each call compiles  id="each-call-compiles", cache="miss miss miss miss miss", traces={"power": 5}, compiles={"power": 5}, reasons="static value, static value, static value, static value", holds="[p.equations for p in run.programs] == [1, 2, 3, 4, 5]"
"""
A program counts its steps and calls `power` with the counter. The counter
is static, so its value is in the key, and it never comes twice: *each
call* compiles. Such a program does not get faster after the start. And
JAX keeps all these programs, so it needs more and more memory.

Counters are not the only ones: the time, a learning rate that falls from
step to step, a threshold, a file name with a date. Whatever varies without
end must not be static.

If your own program shows call after call "not reused because the static
argument … had a new value", you have found one.
"""


@jax.jit(static_argnums=0)
def power(n, x):
    y = x
    for _ in range(n):
        y = y * y
    return y


for counter in range(1, 6):
    power(counter, x).block_until_ready()

# %% predict: The counter goes from 1 to 5. How many of the five calls are hits?  answer="run.cache('power').count('hit')"
"""
- `4`: so it would be if `n` were an ordinary argument. A static value is
  in the key.
- `0`: each value comes only once, so no call finds a program.
- `1`: which one? No value of the counter comes twice.
"""

# %% Your turn: a step number that is not static  id="a-step-number", cache="miss miss miss miss miss", traces={"decay": 5}, compiles={"decay": 5}
"""
Here the number of the step was made static because of an error. Without
`static_argnames`, JAX said that `math.sqrt` needs a known number. Making
it static did remove the error. Now every step compiles.

Repair it: one compile for the five steps, with the same results.

`math.sqrt` belongs to Python. Like NumPy, it wants a number at once. For
nearly every function of `math` there is one in `jnp` that can be recorded
instead.
"""


@jax.jit(static_argnames="step")
def decay(x, step):
    rate = 0.5 / math.sqrt(step)
    return x - rate * x


results = []
for step in range(1, 6):
    results.append(decay(x, step))
print(*results, sep="\n")

# %% hint
"""
Two changes. Write `@jax.jit` without static arguments, so that `step` is
traced. Then the square root must be recorded, not computed by Python.
"""

# %% hint
"""
Above the function `@jax.jit`, and in it `rate = 0.5 / jnp.sqrt(step)`
"""

# %% check
assert len(results) == 5, (
    f"expected: five results; actual: {len(results)}"
)
for step, result in enumerate(results, 1):
    wanted = x - 0.5 / math.sqrt(step) * x
    assert np.allclose(result, wanted, atol=0.001), (
        f"step={step}, x={x.tolist()}; "
        f"expected: {np.round(wanted, 3).tolist()}; "
        f"actual: {np.round(np.asarray(result), 3).tolist()}"
    )
assert run.compiles("decay") == 1, (
    "expected: decay is compiled once for its five calls; "
    f"actual: compiled {run.compiles('decay')} times"
)


# %% solution
@jax.jit
def decay(x, step):
    rate = 0.5 / jnp.sqrt(step)
    return x - rate * x


results = []
for step in range(1, 6):
    results.append(decay(x, step))
print(*results, sep="\n")


# %% wrong
"""
ConcretizationTypeError
"""


@jax.jit
def decay(x, step):
    rate = 0.5 / math.sqrt(step)
    return x - rate * x


results = []
for step in range(1, 6):
    results.append(decay(x, step))


# %% wrong
"""
decay is compiled once for its five calls; actual: compiled 5 times
"""


@jax.jit(static_argnames="step")
def decay(x, step):
    rate = 0.5 / jnp.sqrt(step)
    return x - rate * x


results = []
for step in range(1, 6):
    results.append(decay(x, step))


# %% wrong
"""
step=2, x=[0.0, 0.5, 0.8999999761581421, 1.0]; expected: [0.0, 0.323
"""


@jax.jit
def decay(x):
    rate = 0.5 / math.sqrt(step)
    return x - rate * x


results = []
for step in range(1, 6):
    results.append(decay(x))

# %% wrong
"""
actual: compiled 0 times
"""


def decay(x, step):
    rate = 0.5 / math.sqrt(step)
    return x - rate * x


results = []
for step in range(1, 6):
    results.append(decay(x, step))
