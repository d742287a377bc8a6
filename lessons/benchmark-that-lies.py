"""The benchmark that lies

Measuring JAX with a stopwatch is easy to get wrong by a factor of a
thousand, in both directions. There are three traps. At the end you build a
stopwatch that avoids all of them.
"""

import time

import jax
import jax.numpy as jnp
import numpy as np

x = jnp.arange(10_000, dtype=jnp.float32)

# %% The call comes back early  id="comes-back-early", cache={"slow": "miss hit"}, traces={"slow": 1}, holds=["ready > 3 * back", "run.calls[1].execute_ms > 3 * run.calls[1].call.dispatch_ms"]
"""
A call of a jitted function does not wait for the device. It hands over
the work, gives you an array that will hold the result, and comes back.
This is *asynchronous dispatch*: Python can prepare the next call while the
device still works on this one.

For a stopwatch it is a trap. If you stop it when the call comes back, you
measure how fast Python can hand over work. `block_until_ready()` waits for
the result. Printing the array, `float(…)` and `np.asarray(…)` wait too.
When your code does not wait, the pane Calls says *dispatched* and not
*run*.

The program below repeats a product of matrices 400 times, in a loop that
runs on the device (`lax.fori_loop`; chapter 6 is about such loops). It is
already compiled when the stopwatch starts.
"""


def step(_, m):
    return jnp.tanh(m @ m)


@jax.jit
def slow(m):
    return jax.lax.fori_loop(0, 400, step, m)


matrix = jnp.ones((200, 200))
slow(matrix).block_until_ready()

start = time.perf_counter()
result = slow(matrix)
back = time.perf_counter() - start
result.block_until_ready()
ready = time.perf_counter() - start
part = 100 * back / ready
print(f"back after {part:.0f} % of the time")

# %% predict: The stopwatch stops when the call comes back. How much of the real time has it seen?  answer="'nearly all of it' if back > 0.8 * ready else 'about half' if back > 0.4 * ready else 'a small part'"
"""
- `nearly all of it`: this would be so if the call waited for the device.
- `about half`: the part does not follow the work: handing over takes the
  same short time, however long the device computes.
- `a small part`: the call only hands over the work. A benchmark without
  `block_until_ready` reports this small part.
"""

# %% The input is in the stopwatch too  id="input-in-the-stopwatch", traces={"total": 1}, cache={"total": "miss hit hit"}, holds=["len(run.eager) >= 1", "with_input > 2 * alone"]
"""
`total` is warm: its program is compiled. Then it is timed twice. The first
time, its input is made between the two looks at the clock. The second
time, the input was there before.

Making an input is work too. More than that: a `jnp` function *outside* of
`jit` is a small program, and JAX compiles it when it meets a new shape.
Such compiles are called *eager*. Calls (`c`) counts them in its last line,
*outside jit*, by JAX's names for the operations. The warm-up did not help,
because its input came from NumPy, and NumPy compiles nothing.

So the first figure contains a compile that has nothing to do with `total`.
"""


@jax.jit
def total(x):
    return jnp.sum(x * x)


total(np.ones(300, np.float32)).block_until_ready()

start = time.perf_counter()
total(jnp.ones(300)).block_until_ready()
with_input = time.perf_counter() - start

ready = jnp.ones(300)
start = time.perf_counter()
total(ready).block_until_ready()
alone = time.perf_counter() - start
times = with_input / alone
print(f"with its input: {times:.0f} times as long")

# %% predict: total is warm. What else is compiled while the stopwatch runs for the first time?  answer="'the program behind jnp.ones' if run.eager and run.compiles('total') == 1 else 'total again' if run.compiles('total') > 1 else 'nothing'"
"""
- `nothing`: `total` is a hit, but its argument has to be made first, by a
  small program of its own.
- `total again`: shape and dtype are the same as in the warm-up. It does
  not matter whether an array came from NumPy or from JAX.
- `the program behind jnp.ones`: `jnp.ones(300)` runs outside of `jit`, and
  it has not been compiled before.
"""

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


microseconds = 1e6 * measure(double, x)
print(f"one call took {microseconds:.0f} microseconds")

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


microseconds = 1e6 * measure(double, x)
print(f"one call took {microseconds:.0f} microseconds")

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
