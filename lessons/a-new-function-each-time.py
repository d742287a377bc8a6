"""A new function each time

The cache belongs to a function *object*. If your program makes a new
function in each round, then each round starts with an empty cache, though
the code looks the same every time.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

x = np.arange(4, dtype=np.float32)

# %% The same code, but not the same object  id="same-code-new-object", cache="miss miss miss miss hit hit", traces={"<lambda>": 3, "double": 1}, reasons="new function, new function", compiles={"<lambda>": 3, "double": 1}
"""
The first loop makes a `lambda` in each round. Python makes a *new* function
object each time, and JAX cannot know that its code is the same as before.
So JAX has never seen it: a miss, in every round.

The second loop calls `jax.jit` in each round too. But `double` is the same
object each time, and JAX finds what it has kept for it. So it is not the
call of `jax.jit` that is expensive; it is the new function inside.

This mistake does not go away after the start. The program compiles as long
as it runs.
"""


def double(x):
    return 2 * x


for _ in range(3):
    jax.jit(lambda x: 2 * x)(x)

for _ in range(3):
    jax.jit(double)(x)
print("end")

# %% predict: jit(lambda) three times, then jit(double) three times. Hits and misses?  answer="' '.join(run.cache())"
"""
- `miss hit hit miss hit hit`: each `lambda` is a new function object, and
  JAX has nothing for it.
- `miss miss miss miss hit hit`: three new lambdas, but only one `double`.
- `miss miss miss miss miss miss`: calling `jax.jit` again is harmless, as
  long as the function inside is the same object.
"""

# %% Hidden new functions  id="hidden-new-functions", cache="miss miss miss miss", traces={"step": 2, "power": 2}, reasons="new function, new function", compiles={"step": 2, "power": 2}
"""
A `lambda` is easy to see. Two others hide better.

A `def` inside a function is carried out each time the outer function runs.
`train` looks tidy, with its jitted `step` inside, and makes a new `step` in
each call.

`partial(power, n)` from `functools` makes a new object as well. It is
often recommended for fixing an argument, and it is fine *if you make it
once*. In a loop it has the same effect as a lambda.

The rule: create each jitted function once, at the top of the file or once
before the loop, and give it everything that changes as an argument.
"""


def train(x):
    @jax.jit
    def step(x):
        return x - 0.1 * x

    return step(x)


def power(n, x):
    return x**n


train(x)
train(x)
jax.jit(partial(power, 2))(x)
jax.jit(partial(power, 2))(x)
print("end")

# %% predict: train(x) is called a second time. What is the call of its inner step?  answer="run.cache('step')[1] + ', because step is ' + ('a new function' if run.calls[1].reason and run.calls[1].reason.kind == 'new function' else 'the same')"
"""
- `hit, because step is the same`: the text is the same. But `def` ran
  again and made a new object.
- `miss, because step is a new function`: each call of `train` carries out
  the `def` and makes a new `step`.
"""

# %% Your turn: create it once  id="create-it-once", cache="miss miss miss", reasons="new function, new function", compiles=3
"""
`smooth` makes a jitted lambda in each call. Three calls, three compiles,
and so on for ever.

Change it, so that the three calls need one compile, with the same results.
The factor differs from call to call, so it should be an argument of the
jitted function. Remember what happens to a variable from outside: it is
frozen while JAX traces.
"""


def smooth(x, factor):
    return jax.jit(lambda x: x * factor + 1)(x)


factors = (0.5, 0.25, 2.0)
results = [smooth(x, factor) for factor in factors]
print(*results, sep="\n")

# %% hint
"""
Move the jitted function out of `smooth`, to the top. What does it need
that it cannot see there?
"""

# %% hint
"""
Write `@jax.jit` above `def scaled(x, factor):`, which returns
`x * factor + 1`. In `smooth`: `return scaled(x, factor)`.
"""

# %% check
found = [np.asarray(result).tolist() for result in results]
for factor, numbers in zip((0.5, 0.25, 2.0), found, strict=True):
    wanted = (x * factor + 1).tolist()
    assert numbers == wanted, (
        f"factor={factor}, x={x.tolist()}; expected: {wanted}; "
        f"actual: {numbers}"
    )
kinds = [r.reason.kind for r in run.calls if r.reason]
assert run.compiles() > 0, (
    "expected: the work is done by a jitted function; actual: none was "
    "called"
)
assert run.compiles() == 1, (
    "expected: one compile for the three calls; "
    f"actual: {run.compiles()}, because of: {', '.join(kinds)}"
)


# %% solution
@jax.jit
def scaled(x, factor):
    return x * factor + 1


def smooth(x, factor):
    return scaled(x, factor)


factors = (0.5, 0.25, 2.0)
results = [smooth(x, factor) for factor in factors]
print(*results, sep="\n")

# %% wrong
"""
factor=0.25, x=[0.0, 1.0, 2.0, 3.0]; expected: [1.0, 1.25
"""

factor = 0.5
scaled = jax.jit(lambda x: x * factor + 1)


def smooth(x, new):
    global factor
    factor = new
    return scaled(x)


factors = (0.5, 0.25, 2.0)
results = [smooth(x, factor) for factor in factors]

# %% wrong
"""
actual: 3, because of: first call, new function, new function
"""


def scaled(factor, x):
    return x * factor + 1


def smooth(x, factor):
    return jax.jit(partial(scaled, factor))(x)


factors = (0.5, 0.25, 2.0)
results = [smooth(x, factor) for factor in factors]

# %% wrong
"""
actual: 3, because of: first call, static value, static value
"""


@jax.jit(static_argnames="factor")
def scaled(x, factor):
    return x * factor + 1


def smooth(x, factor):
    return scaled(x, factor)


factors = (0.5, 0.25, 2.0)
results = [smooth(x, factor) for factor in factors]

# %% wrong
"""
expected: the work is done by a jitted function; actual: none was called
"""


def smooth(x, factor):
    return x * factor + 1


factors = (0.5, 0.25, 2.0)
results = [smooth(x, factor) for factor in factors]
