"""Leaks: a placeholder that got out

A jitted function that stores something outside stores a placeholder, not a
number. The mistake shows later, somewhere else. Here you learn to find the
line that made it.
"""

import jax
import jax.numpy as jnp
import numpy as np

x = np.arange(3, dtype=np.float32)

# %% It looks like an array  id="it-looks-like-an-array", raises="UnexpectedTracerError", raises_at="kept[0] + 1", traces={"double": 1}, cache={"double": "miss hit"}, prints=["result: [0. 2. 4.]", "kept: 1 entry"]
"""
`double` returns its result, as it should. On its way it also stores it in a
list, to look at it later. In plain Python that is harmless.

Two calls follow. What does the list get from them, and how many entries has
it then? Remember what a function has in its hands while it is traced.

The error comes in the last line, where an entry is *used*: what it stood
for was gone when the trace ended. But the message also names the line where
it was *made*. That is the line to repair.
"""

kept = []


@jax.jit
def double(x):
    y = 2 * x
    kept.append(y)
    return y


print("result:", double(x))
print("result:", double(x + 1))
print("kept:", len(kept), "entry, a", type(kept[0]).__name__)
print(kept[0] + 1)

# %% predict: After two calls of double, what is in the list?  answer="f\"{len(kept)} {'placeholder' if 'Tracer' in type(kept[0]).__name__ else 'array'}\" + ('s' if len(kept) > 1 else '')"
"""
- `2 arrays`: the body does not run with numbers, and it runs only once.
- `1 array`: once is right, but while the body runs there are no numbers.
- `1 placeholder`: it was put there by the only trace.
- `2 placeholders`: the second call is a hit and runs no Python.
"""

# %% Let JAX look for it  id="checking-leaks", raises="Exception", raises_at="model.run(x)", prints=["without the check: [1. 2. 3.]"], holds="'Leaked' in run.error.message or 'leak' in run.error.message.lower()"
"""
An attribute works like the list. `run` is jitted, and it keeps its last
hidden value in the object: `self.hidden = h`. Nobody has used it yet, so
nothing is wrong so far: a leak may sleep for a long time.

With `jax.checking_leaks()` JAX looks at the end of *each* trace whether a
placeholder is still held by something outside. If so, the message lists who
holds it. This costs time and traces everything again, so use it for
looking, not for working.

Leaks are a sign that a function is not *pure*. Whatever leaves a jitted
function must leave through `return`.
"""


class Model:
    def __init__(self):
        self.hidden = None
        self.run = jax.jit(self.forward)

    def forward(self, x):
        h = x + 1
        self.hidden = h
        return h


model = Model()
print("without the check:", model.run(x))
with jax.checking_leaks():
    model = Model()
    model.run(x)

# %% predict: Nobody reads model.hidden. Does the last line raise an error?  answer="'yes' if run.error else 'no'"
"""
- `yes`: the check asks who holds a placeholder, not who uses it.
- `no`: that is how it is without the check: the leak sleeps.
"""

# %% Your turn: return it  id="return-it", raises="UnexpectedTracerError", raises_at="jnp.stack(history)", traces={"step": 1}
"""
This simulation wants to keep the speed of each step, for a plot. It stores
it inside the jitted `step`, and the program fails in its last line.

Make `step` pure, so that

- `history` holds five real speeds, one for each round of the loop;
- `step` is still jitted, is traced once, and stores nothing outside;
- the last position is the same: 10.

What the loop should know must be among the things that `step` returns.
"""

history = []


@jax.jit
def step(position, number):
    speed = 4.0 - number
    history.append(speed)
    return position + speed


position = np.float32(0)
for number in range(5):
    position = step(position, number)
print("speeds:", jnp.stack(history))

# %% hint
"""
Return two things: `return position + speed, speed`. A jitted function may
return a tuple.
"""

# %% hint
"""
In the loop: `position, speed = step(position, number)`, then
`history.append(speed)`.
"""

# %% check
assert len(history) == 5, (
    "expected: five speeds in history; "
    f"actual: {len(history)}, of type {type(history[0]).__name__}"
    if history
    else "expected: five speeds in history; actual: none"
)
assert not [v for v in history if isinstance(v, jax.core.Tracer)], (
    "expected: numbers in history; actual: placeholders"
)
speeds = [float(value) for value in history]
assert speeds == [4.0, 3.0, 2.0, 1.0, 0.0], (
    f"expected speeds: [4.0, 3.0, 2.0, 1.0, 0.0]; actual: {speeds}"
)
assert float(position) == 10.0, (
    f"expected position: 10.0; actual: {float(position)}"
)
assert run.traces("step") == 1, (
    "expected: step is jitted and traced once; "
    f"actual: traced {run.traces('step')} times"
)

# %% solution
history = []


@jax.jit
def step(position, number):
    speed = 4.0 - number
    return position + speed, speed


position = np.float32(0)
for number in range(5):
    position, speed = step(position, number)
    history.append(speed)
print("speeds:", jnp.stack(history))

# %% wrong
"""
ConcretizationTypeError
"""

history = []


@jax.jit
def step(position, number):
    speed = 4.0 - number
    history.append(float(speed))
    return position + speed


position = np.float32(0)
for number in range(5):
    position = step(position, number)

# %% wrong
"""
step is jitted and traced once; actual: traced 0 times
"""

history = []


def step(position, number):
    speed = 4.0 - number
    history.append(speed)
    return position + speed


position = np.float32(0)
for number in range(5):
    position = step(position, number)

# %% wrong
"""
expected: five speeds in history; actual: 1, of type
"""

history = []


@jax.jit
def step(position, number):
    speed = 4.0 - number
    history.append(jax.lax.stop_gradient(speed))
    return position + speed


position = np.float32(0)
for number in range(5):
    position = step(position, number)

# %% wrong
"""
expected speeds: [4.0, 3.0, 2.0, 1.0, 0.0]; actual: [4.0, 7.0, 9.0, 10.0, 10.0]
"""

history = []


@jax.jit
def step(position, number):
    speed = 4.0 - number
    return position + speed


position = np.float32(0)
for number in range(5):
    position = step(position, number)
    history.append(position)
