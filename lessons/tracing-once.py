"""Python runs once, then the recording runs

`jax.jit` does not run your function on every call. It reads the function
once, writes down what it would do, and from then on runs what it wrote
down. Here you watch this with nothing but `print`.
"""

import jax
import jax.numpy as jnp

four = jnp.arange(4, dtype=jnp.float32)
five = jnp.arange(5, dtype=jnp.float32)

# %% One look per kind of input  id="one-look-per-kind", traces={"f": 2}, compiles={"f": 2}, cache="miss hit miss", reasons="shape", trace_prints=2, prints=["Call 1", "tracing with shape=(4,)", "Call 2", "Call 3", "tracing with shape=(5,)"], holds="run.rows[1].call.trace_ms is None"
"""
Without `jit`, each operation goes from Python to the device as you call
it. With `jit`, a call can have three phases:

1. **Trace.** Python runs your function once. JAX records each operation in
   a small program, the *jaxpr*.
2. **Compile.** JAX *lowers* the jaxpr to a form called StableHLO. The
   compiler, XLA, turns this into an executable for your device.
3. **Execute.** The device runs the executable.

JAX keeps the result of 1 and 2. A call with the same kind of input (same
shape, same dtype) is a **hit** and only executes. Otherwise it is a
**miss**. The `print` inside `f` is Python, so it is heard only while JAX
traces.
"""


@jax.jit
def f(x):
    print(f"tracing with shape={x.shape} dtype={x.dtype}")
    return x**2 + 1


print("Call 1 (new shape):")
_ = f(four).block_until_ready()
print("Call 2 (same shape):")
_ = f(four).block_until_ready()
print("Call 3 (new shape):")
_ = f(five).block_until_ready()

# %% predict: How many lines that start with "tracing" will you see?  answer="len([line for line in run.lines() if line.startswith('tracing')])"
"""
- `1`: JAX looks once for each kind of input. The third call brings a shape
  that it has not seen, so it looks again.
- `2`: one line for shape (4,), one for shape (5,). Call 2 runs the
  recording, and a recording does not contain `print`.
- `3`: that is what plain Python does. A jitted function runs its Python
  code only while JAX traces it.
- `0`: the first call of each kind does run your Python code.
"""

# %% A placeholder instead of numbers  id="a-placeholder", traces={"g": 1}, cache="miss hit", trace_prints=3, prints=["inside: JitTracer", "shape: (4,)", "outside: [0. 2. 4. 6.]", "outside: [20. 22. 24. 26.]"]
"""
What does your function get while JAX traces it? Not your numbers. JAX
calls it with a *tracer*: a placeholder that knows its shape and its dtype,
and nothing else. Each operation on a tracer is written into the jaxpr and
gives a new tracer.

That is why one recording serves all inputs of the same shape and dtype:
no number was ever looked at.

Lines marked `T` were printed during tracing, lines marked `R` during the
run. Compare what `print` shows inside and outside of `g`.
"""


@jax.jit
def g(x):
    print("inside:", x)
    print("shape:", x.shape)
    y = 2 * x
    print("result:", y)
    return y


print("outside:", g(four))
print("outside:", g(four + 10))

# %% Print when it runs  id="print-when-it-runs", traces={"h": 1}, compiles={"h": 1}, cache="miss hit hit", trace_prints=1, holds=["set(run.lines('run')) == {'running with sum 6.0', 'running with sum 10.0', 'running with sum 14.0'}"]
"""
Sometimes you do want to see a number each time the compiled program runs.
`jax.debug.print` is made for that. It is not a Python side effect but an
operation: JAX writes it into the jaxpr, and the device reports back each
time it comes to this place.

So `print` answers "when does JAX trace?", and `jax.debug.print` answers
"what is in there now?". Write the format as in `"{}".format(value)`, not
as an f-string: an f-string would be filled during tracing, when there is
only a tracer.
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
Two repairs. `jax.debug.print("sum of the input: {}", jnp.sum(x))` prints
in every run.
"""

# %% hint
"""
The loop is plain Python and really runs three times. Move `calls += 1`
there, and delete the line with `global`.
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
