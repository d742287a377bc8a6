"""The first call and the next ones

The first call of a jitted function can take a thousand times as long as
the next one. Here you see how much, how to make it happen again, and how
to pay before anybody waits.
"""

import jax
import jax.numpy as jnp
import numpy as np

x = jnp.arange(10_000, dtype=jnp.float32)

# %% Paid once, not in each call  id="paid-once", traces={"heavy": 1}, compiles={"heavy": 1}, cache="miss hit hit hit", slower="1 > 5 * 3", holds=["run.calls[0].call.compile_ms > run.calls[0].running_ms", "all(row.call.compile_ms is None for row in run.calls[1:])"]
"""
`heavy` repeats five small operations 20 times, then adds up all numbers
(`jnp.sum`). That is about 100 operations, enough to keep the compiler
busy.

The four calls are all alike. The first one is a miss: JAX traces the
function and compiles the program before it can run it. The other three
only run it. The pane Calls (`c`) draws the time of each call as a bar.
Compare the lengths.

You pay once for each kind of input, not once for each call. For a tiny
function the price is some tens of milliseconds. For the training step of a
large model it can be many seconds, even minutes.
"""


@jax.jit
def heavy(x):
    y = x
    for _ in range(20):
        y = jnp.sin(y) * jnp.cos(y) + jnp.tanh(y)
    return jnp.sum(y)


for number in (1, 2, 3, 4):
    print("call", number, "gives", heavy(x))

# %% predict: How long does call 1 take, compared with call 3?  answer="'more than 5 times as long' if run.calls[0].total_ms > 5 * run.calls[2].total_ms else 'about as long'"
"""
- `about as long`: the device has to compute the same numbers, but before
  that, call 1 traces, lowers and compiles.
- `twice as long`: that would fit if tracing meant running the function
  twice. Compiling costs far more than running these 100 operations.
- `more than 5 times as long`: trace, lower and compile together take much
  longer than one run.
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


f(jnp.ones(300))
f(jnp.ones(300))
jax.clear_caches()
f(jnp.ones(300))

# %% predict: Will the third call of f, after jax.clear_caches(), be a hit or a miss?  answer="run.cache('f')[2]"
"""
- `hit`: the same kind of input came before, but what was kept for it has
  been thrown away.
- `miss`: JAX has to trace and compile as if it had never seen `f`.
"""

# %% Your turn: before the first customer  id="before-the-first-customer", cache="miss miss hit hit", traces={"score": 2}
"""
A shop opens, and four customers come. Each brings a row of float32
numbers, with 3 or with 8 entries. The first customer with 3 entries waits
for the compiler, and so does the first one with 8.

Write `warm_up`, so that nobody has to wait: the four calls for the
customers must all be hits. You know what the customers will bring: which
lengths, and which dtype. You do not know their numbers, and you do not
need them.

Leave the lines below `warm_up()` as they are.
"""

lengths = (3, 8, 3, 8)
customers = [np.full(n, 2, np.float32) for n in lengths]


@jax.jit
def score(row):
    return jnp.sum(row * row)


def warm_up():
    pass


warm_up()
print("The shop is open.")
answers = [float(score(row)) for row in customers]
print(answers)

# %% hint
"""
Call `score` yourself in `warm_up`, once with each kind of input. Any
numbers will do: `np.zeros(3, np.float32)`.
"""

# %% hint
"""
`for n in (3, 8):` and below it `score(np.zeros(n, np.float32))`.
"""

# %% check
calls = [row for row in run.calls if row.call.function == "score"]
served, warm = calls[-4:], calls[:-4]
kinds = [row.call.signature for row in warm] or "nothing"
assert answers == [12.0, 32.0, 12.0, 32.0], (
    f"expected answers: [12.0, 32.0, 12.0, 32.0]; actual: {answers}"
)
assert all(row.call.hit for row in served), (
    "expected: hit hit hit hit for the customers; "
    f"actual: {' '.join(row.cache for row in served)}; "
    f"the customers bring {sorted({r.call.signature for r in served})}; "
    f"warmed up with: {kinds}"
)

# %% solution
lengths = (3, 8, 3, 8)
customers = [np.full(n, 2, np.float32) for n in lengths]


@jax.jit
def score(row):
    return jnp.sum(row * row)


def warm_up():
    for n in (3, 8):
        score(np.zeros(n, np.float32))


warm_up()
print("The shop is open.")
answers = [float(score(row)) for row in customers]
print(answers)

# %% wrong
"""
actual: hit miss hit hit
"""

lengths = (3, 8, 3, 8)
customers = [np.full(n, 2, np.float32) for n in lengths]


@jax.jit
def score(row):
    return jnp.sum(row * row)


def warm_up():
    score(np.zeros(3, np.float32))


warm_up()
answers = [float(score(row)) for row in customers]

# %% wrong
"""
warmed up with: ['row: i32[3]', 'row: i32[8]']
"""

lengths = (3, 8, 3, 8)
customers = [np.full(n, 2, np.float32) for n in lengths]


@jax.jit
def score(row):
    return jnp.sum(row * row)


def warm_up():
    for n in (3, 8):
        score(np.array([0] * n))


warm_up()
answers = [float(score(row)) for row in customers]

# %% wrong
"""
actual: miss miss hit hit; the customers bring
"""

lengths = (3, 8, 3, 8)
customers = [np.full(n, 2, np.float32) for n in lengths]


@jax.jit
def score(row):
    return jnp.sum(row * row)


def warm_up():
    jax.jit(score)


warm_up()
answers = [float(score(row)) for row in customers]
