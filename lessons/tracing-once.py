"""Python runs once, then the recording runs

`jax.jit` does not run your function on every call. It reads the function
once, writes down what it would do, and from then on runs what it wrote
down. Here you watch this with nothing but `print`.
"""

import jax
import numpy as np

four = np.arange(4, dtype=np.float32)
five = np.arange(5, dtype=np.float32)

# %% One look per kind of input  id="one-look-per-kind", traces={"f": 2}, compiles={"f": 2}, cache="miss hit miss", reasons="shape", trace_prints=2, prints=["Call 1", "tracing with shape=(4,)", "Call 2", "Call 3", "tracing with shape=(5,)"], holds="run.rows[1].call.trace_ms is None"
"""
`@jax.jit` above a function makes it a *jitted* function. A call of it can
have three phases:

1. **Trace.** Python runs your function once. JAX records each operation in
   a small program, the *jaxpr*.
2. **Compile.** JAX *lowers* the jaxpr to a form called StableHLO. The
   compiler, XLA, turns this into an executable for your device.
3. **Execute.** The device runs the executable.

JAX keeps the result of 1 and 2. A call with the same kind of input (same
shape, same dtype) is a **hit** and only executes. Otherwise it is a
**miss**. The `print` inside `f` is plain Python, so it is heard only while
JAX traces: the pane Output (`o`) marks these lines `T`, those printed
while your program runs `R`.

`four` and `five` are arrays of 4 and of 5 numbers. Such names, and the
imports, are made before each step; `A` shows the code.
"""


@jax.jit
def f(x):
    print(f"tracing with shape={x.shape} dtype={x.dtype}")
    return x**2 + 1


print("Call 1 (new shape):")
f(four)
print("Call 2 (same shape):")
f(four)
print("Call 3 (new shape):")
f(five)
print("end")

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

# %% Making it jitted runs nothing  id="jit-runs-nothing", traces={"f": 1}, trace_prints=1, cache="miss hit hit", prints=["jitted", "plain:", "body of f", "body of f", "fast:", "body of f", "end"], holds="len(run.lines()) == 7"
"""
Instead of writing `@jax.jit` above a function, you can write
`fast = jax.jit(f)`. Then you have both: `f`, the plain function, and
`fast`, the jitted one.

Two things are easy to get wrong here. First, `jax.jit(f)` does nothing
with your code yet. JAX cannot trace before it knows the shape and the
dtype of the input, so it waits for the first call. Second, `f` itself does
not change. When you call `f`, there is no recording, and Python runs the
body each time, as always.

Below, `f` is called twice and `fast` three times, all with the same kind
of input.
"""


def f(x):
    print("body of f")
    return x + 1


fast = jax.jit(f)
print("jitted")

print("plain:")
f(four)
f(four)
print("fast:")
fast(four)
fast(four)
fast(four)
print("end")

# %% predict: How many lines "body of f" will you see?  answer="len([line for line in run.lines() if line == 'body of f'])"
"""
- `1`: the recording belongs to `fast`. The plain `f` does not use it; its
  body runs in each call.
- `2`: these are the calls of the plain `f`. But `fast` has to look at the
  body once as well.
- `3`: two calls of the plain `f`, and one trace for the three calls of
  `fast`.
- `5`: that would be one for each call. `fast` runs the body only while JAX
  traces.
"""

# %% Your turn: five calls, three traces  id="three-traces", traces={"f": 1}, cache="miss hit hit hit hit", trace_prints=1
"""
The list below has the lengths of five inputs. All are 2, so the five calls
share one recording: Python runs the body once.

Change the list so that JAX traces `f` exactly **three** times. There must
still be five calls. Do not change `f`.

Before you run it, say to yourself which of your five calls will print. If
the screen shows something else, you have found something to think about.
"""

lengths = [2, 2, 2, 2, 2]


@jax.jit
def f(x):
    print(f"tracing with shape={x.shape}")
    return 3 * x


for length in lengths:
    f(np.ones(length, np.float32))

# %% hint
"""
A call is traced when its shape is new. Use three different lengths, and
repeat two of them.
"""

# %% hint
"""
For example `lengths = [2, 3, 4, 2, 3]`.
"""

# %% check
assert run.traces("f") > 0, (
    "expected: f is jitted; actual: jit never traced it"
)
calls = len(run.cache("f"))
assert calls == 5, f"expected: five calls of f; actual: {calls} calls"
assert run.traces("f") == 3, (
    f"lengths: {lengths}; expected: three traces; "
    f"actual: {run.traces('f')}, one for each different length"
)

# %% solution
lengths = [2, 3, 4, 2, 3]


@jax.jit
def f(x):
    print(f"tracing with shape={x.shape}")
    return 3 * x


for length in lengths:
    f(np.ones(length, np.float32))

# %% wrong
"""
expected: three traces; actual: 5, one for each different length
"""

lengths = [1, 2, 3, 4, 5]


@jax.jit
def f(x):
    print(f"tracing with shape={x.shape}")
    return 3 * x


for length in lengths:
    f(np.ones(length, np.float32))

# %% wrong
"""
expected: five calls of f; actual: 3 calls
"""

lengths = [2, 3, 4]


@jax.jit
def f(x):
    print(f"tracing with shape={x.shape}")
    return 3 * x


for length in lengths:
    f(np.ones(length, np.float32))

# %% wrong
"""
actual: jit never traced it
"""

lengths = [2, 3, 4, 2, 3]


def f(x):
    print(f"tracing with shape={x.shape}")
    return 3 * x


for length in lengths:
    f(np.ones(length, np.float32))
