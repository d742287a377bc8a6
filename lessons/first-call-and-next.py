"""What the first call pays for

The first call of a jitted function can take a thousand times as long as
the next one. Here you see what it pays for, how to measure it fairly, and
how to make it happen again.
"""

import time

import jax
import jax.numpy as jnp

x = jnp.arange(10_000, dtype=jnp.float32)

# %% Four parts of a first call  id="four-parts", traces={"heavy": 1}, compiles={"heavy": 1}, cache="miss hit hit hit", equations={"heavy": 100}, slower="1 > 5 * 3", holds=["run.calls[0].call.compile_ms > run.calls[0].running_ms", "all(row.call.compile_ms is None for row in run.calls[1:])"]
"""
`heavy` repeats five small operations 20 times: 100 operations, enough to
keep the compiler busy.

Look at the bar of call 1. It has up to four parts: **T** trace (Python
runs, JAX records), **L** lower (jaxpr to StableHLO), **C** compile (XLA
builds an executable) and **R** run. Calls 2 to 4 have only R.

"First call minus second call" is often called the compile time. You see
that it holds T and L as well. You pay all three once for each kind of
input, not once for each call. For a tiny function that is some tens of
milliseconds; for the training step of a large model it can be many
seconds.

XLA merges many small operations into few (*fusion*); a program can still
need several kernels on a GPU.
"""


@jax.jit
def heavy(x):
    y = x
    for _ in range(20):
        y = jnp.sin(y) * jnp.cos(y) + jnp.tanh(y)
    return y


for _ in range(4):
    heavy(x).block_until_ready()

# %% predict: How long does call 1 take, compared with call 3?  answer="'more than 5 times as long' if run.calls[0].total_ms > 5 * run.calls[2].total_ms else 'about as long'"
"""
- `about as long`: the device has to compute the same numbers, but before
  that, call 1 traces, lowers and compiles.
- `twice as long`: that would fit if tracing meant running the function
  twice. Compiling costs far more than running these 100 operations.
- `more than 5 times as long`: trace, lower and compile together take much
  longer than one run.
"""

# %% The call comes back early  id="comes-back-early", cache={"slow": "miss hit"}, traces={"slow": 1}, holds=["ready > 3 * back", "run.calls[1].execute_ms > 3 * run.calls[1].call.dispatch_ms"]
"""
A call of a jitted function does not wait for the device. It hands over
the work, gives you an array that will hold the result, and comes back.
This is *asynchronous dispatch*: Python can prepare the next call while the
device still works on this one.

For a stopwatch it is a trap. If you stop it when the call comes back, you
measure how fast Python can hand over work. `block_until_ready()` waits for
the result. Printing the array, `float(…)` and `np.asarray(…)` wait too.

The program below is already compiled when the stopwatch starts.
"""


@jax.jit
def slow(m):
    return jax.lax.fori_loop(0, 400, lambda _, m: jnp.tanh(m @ m), m)


matrix = jnp.ones((200, 200))
slow(matrix).block_until_ready()

start = time.perf_counter()
result = slow(matrix)
back = time.perf_counter() - start
result.block_until_ready()
ready = time.perf_counter() - start
print(f"back after {100 * back / ready:.0f} % of the time until ready")

# %% predict: The stopwatch stops when the call comes back. How much of the real time has it seen?  answer="'nearly all of it' if back > 0.8 * ready else 'about half' if back > 0.4 * ready else 'a small part'"
"""
- `nearly all of it`: this would be so if the call waited for the device.
- `about half`: the part does not follow the work: handing over takes the
  same short time, however long the device computes.
- `a small part`: the call only hands over the work. A benchmark without
  `block_until_ready` reports this small part.
"""

# %% Forget everything: clear_caches  id="clear-caches", cache="miss hit miss", traces={"f": 2}, compiles={"f": 2}, reasons="cache cleared", holds="len(run.eager) >= 2"
"""
`jax.clear_caches()` throws away everything that JAX has traced and
compiled in this process. The next call of each function pays in full
again. It is a tool for measuring, not for production. (The tutor calls it
before each run of yours, so that the same code always shows the same
picture.)

It also forgets the small programs behind operations *outside* `jit`.
`jnp.ones(…)` below is compiled as well, before and after clearing. So
prepare your inputs before you start a stopwatch; otherwise you measure
them too.

All this lives in memory: when the process ends, it is gone.
"""


@jax.jit
def f(x):
    return jnp.sum(x**2)


f(jnp.ones(300)).block_until_ready()
f(jnp.ones(300)).block_until_ready()
jax.clear_caches()
f(jnp.ones(300)).block_until_ready()

# %% Your turn: a fair stopwatch  id="fair-stopwatch", cache="miss", traces={"double": 1}
"""
`measure(f, x)` should tell how long one call takes *after* the first one.
It has two faults: it measures a first call, and it does not wait for the
result.

Repair the function. It should

1. call `f` once to warm up, and wait until that is done;
2. read the clock, call `f`, wait for the result, read the clock again;
3. return the difference, in seconds.

The check calls your `measure` with a pretended `f` that writes down what
is done and when. So it does not matter how fast this machine is.
"""


def measure(f, x):
    start = time.perf_counter()
    f(x)
    return time.perf_counter() - start


@jax.jit
def double(x):
    return 2 * x


print(f"one call took {measure(double, x) * 1e6:.0f} microseconds")

# %% hint
"""
To wait, write `f(x).block_until_ready()`. You need it twice: once for the
warm-up and once for the call that you measure.
"""

# %% hint
"""
Put `f(x).block_until_ready()` above the line with `start`, and also in the
place of `f(x)` below it.
"""

# %% check
seen = []
real_clock = time.perf_counter


class Result:
    def block_until_ready(self):
        seen.append("wait")
        return self


def pretended(_):
    seen.append("call")
    return Result()


def clock():
    seen.append("clock")
    return float(len(seen))


time.perf_counter = clock
try:
    measure(pretended, x)
finally:
    time.perf_counter = real_clock

order = " ".join(seen)
assert seen.count("clock") == 2, (
    "expected: the clock is read twice; "
    f"actual: {seen.count('clock')} times, in this order: {order}"
)
before, timed, _ = order.split("clock")
assert "call" in before, (
    "expected: a warm-up call before the clock starts; "
    f"actual: none, the order was: {order}"
)
assert before.strip().endswith("wait"), (
    "expected: the warm-up is waited for before the clock starts; "
    f"actual order: {order}"
)
assert timed.strip() == "call wait", (
    "expected: between the two looks at the clock one call and one wait; "
    f"actual: {timed.strip() or 'nothing'}"
)


# %% solution
def measure(f, x):
    f(x).block_until_ready()
    start = time.perf_counter()
    f(x).block_until_ready()
    return time.perf_counter() - start


@jax.jit
def double(x):
    return 2 * x


print(f"one call took {measure(double, x) * 1e6:.0f} microseconds")

# %% wrong
"""
expected: a warm-up call before the clock starts; actual: none
"""


def measure(f, x):
    start = time.perf_counter()
    f(x).block_until_ready()
    return time.perf_counter() - start


# %% wrong
"""
one call and one wait; actual: call
"""


def measure(f, x):
    f(x).block_until_ready()
    start = time.perf_counter()
    f(x)
    return time.perf_counter() - start


# %% wrong
"""
the warm-up is waited for before the clock starts
"""


def measure(f, x):
    f(x)
    start = time.perf_counter()
    f(x).block_until_ready()
    return time.perf_counter() - start
