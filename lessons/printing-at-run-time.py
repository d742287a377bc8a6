"""Printing at run time

A `print` in a jitted function speaks while JAX traces, and then is silent.
Often you want the opposite: to see a number each time the program runs.
JAX has a print of its own for that.
"""

import jax
import jax.numpy as jnp
import numpy as np

four = np.arange(4, dtype=np.float32)

# %% Print when it runs  id="print-when-it-runs", traces={"h": 1}, compiles={"h": 1}, cache="miss hit hit", trace_prints=1, holds=["set(run.lines('run')) == {'running with sum 6.0', 'running with sum 10.0', 'running with sum 14.0'}"]
"""
`jax.debug.print` is not a Python side effect but an operation: JAX writes
it into the jaxpr, and the device reports back each time it comes to this
place.

So `print` answers "when does JAX trace?", and `jax.debug.print` answers
"what is in there now?". It gets a text with `{}` in it, and after the text
the value that takes the place of `{}`. The next step shows why the value
must stand apart.
"""


@jax.jit
def h(x):
    print("tracing h")
    jax.debug.print("running with sum {}", jnp.sum(x))
    return x + 1


y = h(four)
y = h(y)
y = h(y)

# %% predict: h is called 3 times. How many "running" lines, and how many "tracing" lines?  answer="f\"{len(run.lines('run'))} running, {len(run.lines('trace'))} tracing\""
"""
- `3 running, 3 tracing`: all three calls have the same shape and dtype, so
  Python runs only for the first one.
- `1 running, 1 tracing`: `jax.debug.print` is part of the recorded
  program, and the program runs in every call.
- `3 running, 1 tracing`: one look, three runs. The two kinds of print are
  heard at different times.
"""

# %% An f-string is filled too early  id="f-string-too-early", traces={"early": 1, "late": 1}, cache="miss hit miss hit", trace_prints=0, holds=["len([line for line in run.lines('run') if 'Tracer' in line]) == 2", "{'late: 6.0', 'late: 60.0'} <= set(run.lines('run'))"]
"""
With `print`, you would write an f-string. In `jax.debug.print` it is a
mistake. An f-string is filled by Python, at the moment when Python reaches
the line. In a jitted function that is during tracing, and there is only a
placeholder to fill in. So a *text* with `JitTracer` in it is recorded, and
the program prints this same text in each run.

With the text and the value apart, JAX records the value as an input of the
print. It is filled in when the program runs.

`early` and `late` differ only in this.
"""


@jax.jit
def early(x):
    jax.debug.print(f"early: {jnp.sum(x)}")
    return x


@jax.jit
def late(x):
    jax.debug.print("late: {}", jnp.sum(x))
    return x


early(four)
early(10 * four)
late(four)
late(10 * four)

# %% predict: How often will the word "Tracer" be printed?  answer="len([line for line in run.lines() if 'Tracer' in line])"
"""
- `0`: `early` fills its text while JAX traces, when there is only a
  placeholder.
- `1`: it is filled in once, but the filled text is part of the recording,
  and the recording runs twice.
- `2`: `early` was called twice, and each run prints the recorded text.
- `4`: `late` gives text and value apart, so it prints numbers.
"""

# %% Your turn: count the calls  id="count-the-calls", traces={"scaled": 1}, trace_prints=1, cache="miss hit hit", holds="run.lines('run') == ['calls: 1']"
"""
Somebody wants to see the sum of the input in every call, and to count the
calls. Both are written inside the jitted function, so both happen only
while JAX traces: one line is printed, and the counter stops at 1.

Repair it:

- the sum is printed in each of the three calls;
- `calls` is 3 at the end;
- `scaled` is still jitted, and it is traced only once.

A jitted function should be *pure*: it gets its inputs as arguments, gives
its results as return values, and changes nothing outside. Where should the
counting stand?
"""

calls = 0


@jax.jit
def scaled(x):
    global calls
    calls += 1
    print("sum of the input:", jnp.sum(x))
    return 3 * x


for number in range(3):
    scaled(four + number)
print("calls:", calls)

# %% hint
"""
Two repairs. The loop is plain Python and really runs three times. Move
`calls += 1` there, and delete the line with `global`.
"""

# %% hint
"""
The second repair prints in every run. Replace the `print` by
`jax.debug.print("sum of the input: {}", jnp.sum(x))`
"""

# %% check
printed = [line for line in run.lines() if "sum of the input" in line]
assert run.traces("scaled") >= 1, (
    "expected: scaled is jitted; actual: jit never traced it"
)
assert run.traces("scaled") == 1, (
    "expected: scaled is traced once for its three calls; "
    f"actual: traced {run.traces('scaled')} times"
)
assert len(printed) == 3, (
    f"expected: 3 lines with a sum, one a call; actual: {len(printed)}"
)
assert "Tracer" not in " ".join(printed), (
    f"expected: numbers; actual: a placeholder was printed: {printed[0]}"
)
assert calls == 3, (
    f"expected: calls is 3 after three calls; actual: calls is {calls}"
)

# %% solution
calls = 0


@jax.jit
def scaled(x):
    jax.debug.print("sum of the input: {}", jnp.sum(x))
    return 3 * x


for number in range(3):
    scaled(four + number)
    calls += 1
print("calls:", calls)

# %% wrong
"""
jit never traced it
"""

calls = 0


def scaled(x):
    global calls
    calls += 1
    print("sum of the input:", jnp.sum(x))
    return 3 * x


for number in range(3):
    scaled(four + number)
print("calls:", calls)

# %% wrong
"""
traced 3 times
"""

calls = 0


@jax.jit
def scaled(x):
    global calls
    calls += 1
    jax.debug.print("sum of the input: {}", jnp.sum(x))
    return 3 * x


for number in range(3):
    jax.clear_caches()
    scaled(four + number)
print("calls:", calls)

# %% wrong
"""
calls is 1
"""

calls = 0


@jax.jit
def scaled(x):
    global calls
    calls += 1
    jax.debug.print("sum of the input: {}", jnp.sum(x))
    return 3 * x


for number in range(3):
    scaled(four + number)
print("calls:", calls)
