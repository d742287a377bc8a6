"""Loops: unrolled, or kept as a loop

A Python loop inside `jit` works, but JAX never sees a loop: it sees each
round as new operations. `lax.scan`, `fori_loop` and `while_loop` keep the
loop a loop.
"""

import jax
import jax.numpy as jnp

x = jnp.ones(1024, dtype=jnp.float32)

# %% Unrolled, or one operation  id="unrolled-or-scan", traces={"python_loop": 1, "scan_loop": 1}, equations={"python_loop": 600, "scan_loop": 1}, cache={"python_loop": "miss hit", "scan_loop": "miss hit"}, slower="python_loop > scan_loop", holds=["run.equations('python_loop') >= 100 * run.equations('scan_loop')", "jnp.allclose(unrolled, scanned)"]
"""
Both functions repeat the same two-step formula 200 times and compute the
same result.

In `python_loop`, Python runs the loop during tracing. JAX records what
happens, round after round: the loop is *unrolled*. `range` gets a plain
number here, so this is allowed.

In `scan_loop`, `lax.scan` reads `body` once and records a single `scan`
operation. `body` gets what is carried from round to round and returns it
again (and here nothing else, so `None`).

Compare the sizes of the programs, and the bars of the two first calls.
For a handful of rounds a Python loop is fine; for many, `scan` compiles
much faster.
"""

NUM_STEPS = 200


@jax.jit
def python_loop(x):
    y = x
    for _ in range(NUM_STEPS):
        y = jnp.sin(y) + 0.01 * y
    return y


@jax.jit
def scan_loop(x):
    def body(y, _):
        return jnp.sin(y) + 0.01 * y, None

    y, _ = jax.lax.scan(body, x, xs=None, length=NUM_STEPS)
    return y


unrolled = python_loop(x).block_until_ready()
scanned = scan_loop(x).block_until_ready()
python_loop(x).block_until_ready()
scan_loop(x).block_until_ready()

# %% predict: Each round does 3 operations (sin, multiply, add). How many operations at the top level of the two jaxprs?  answer="f\"{run.equations('python_loop')} and {run.equations('scan_loop')}\""
"""
- `3 and 3`: the Python loop is gone when JAX writes down the operations.
  All 200 rounds are there, one after the other.
- `600 and 600`: `scan` does not unroll: its body is recorded once.
- `600 and 1`: 200 rounds of 3 operations against a single `scan`, which
  has the body inside.
- `600 and 200`: `scan` is one operation, however many rounds it makes.
"""

# %% Your turn: ten times the rounds  id="ten-times", equations={"python_loop": 600, "scan_loop": 1}, traces={"python_loop": 1, "scan_loop": 1}
"""
What happens to the two programs when there is more to do? Change the code
so that both loops make 2000 rounds, and run it. Each function should still
be called once.

Then compare with 200 rounds:

- how many equations has each jaxpr now?
- how did the T and C parts of each bar grow?

The unrolled program grows with the number of rounds, and so does the work
of tracing and compiling it. The scanned program does not grow at all. Be
patient: the big program needs some seconds.
"""

NUM_STEPS = 200


@jax.jit
def python_loop(x):
    y = x
    for _ in range(NUM_STEPS):
        y = jnp.sin(y) + 0.01 * y
    return y


@jax.jit
def scan_loop(x):
    def body(y, _):
        return jnp.sin(y) + 0.01 * y, None

    y, _ = jax.lax.scan(body, x, xs=None, length=NUM_STEPS)
    return y


unrolled = python_loop(x).block_until_ready()
scanned = scan_loop(x).block_until_ready()

# %% hint
"""
One number decides for both loops. Where is it?
"""

# %% hint
"""
Write `NUM_STEPS = 2000` and change nothing else.
"""

# %% check
for name, wanted in (("python_loop", 6000), ("scan_loop", 1)):
    assert run.equations(name) == wanted, (
        f"{name}: expected: {wanted} equations; "
        f"actual: {run.equations(name)}"
    )
    assert run.cache(name) == ["miss"], (
        f"{name}: expected: one call; actual: {len(run.cache(name))}"
    )
assert jnp.allclose(unrolled, scanned, atol=1e-4), (
    "expected: both loops give the same result; "
    f"actual: they differ by {jnp.abs(unrolled - scanned).max()}"
)

# %% solution
NUM_STEPS = 2000


@jax.jit
def python_loop(x):
    y = x
    for _ in range(NUM_STEPS):
        y = jnp.sin(y) + 0.01 * y
    return y


@jax.jit
def scan_loop(x):
    def body(y, _):
        return jnp.sin(y) + 0.01 * y, None

    y, _ = jax.lax.scan(body, x, xs=None, length=NUM_STEPS)
    return y


unrolled = python_loop(x).block_until_ready()
scanned = scan_loop(x).block_until_ready()

# %% wrong
"""
python_loop: expected: 6000 equations; actual: 600
"""

NUM_STEPS = 200


@jax.jit
def python_loop(x):
    y = x
    for _ in range(NUM_STEPS):
        y = jnp.sin(y) + 0.01 * y
    return y


@jax.jit
def scan_loop(x):
    def body(y, _):
        return jnp.sin(y) + 0.01 * y, None

    y, _ = jax.lax.scan(body, x, xs=None, length=10 * NUM_STEPS)
    return y


unrolled = python_loop(x).block_until_ready()
scanned = scan_loop(x).block_until_ready()

# %% wrong
"""
expected: 6000 equations; actual: 600
"""

NUM_STEPS = 200


@jax.jit
def python_loop(x):
    y = x
    for _ in range(NUM_STEPS):
        y = jnp.sin(y) + 0.01 * y
    return y


@jax.jit
def scan_loop(x):
    def body(y, _):
        return jnp.sin(y) + 0.01 * y, None

    y, _ = jax.lax.scan(body, x, xs=None, length=NUM_STEPS)
    return y


unrolled = scanned = x
for _ in range(10):
    unrolled = python_loop(unrolled)
    scanned = scan_loop(scanned)

# %% Loops that end by themselves  id="while-and-fori", traces={"halvings": 1, "power": 1}, compiles={"halvings": 1, "power": 1}, cache={"halvings": "miss hit", "power": "miss hit"}, trace_prints=2, prints=["halvings of 100: 7", "halvings of 1000: 10", "3 to the 4: 81.0", "3 to the 2: 9.0"], holds=["'while[' in run.jaxpr('halvings')", "'while[' in run.jaxpr('power')"]
"""
`scan` makes a fixed number of rounds. When the number depends on traced
values, there are two others:

- `lax.while_loop(condition, body, start)` repeats as long as the condition
  holds. It is what a Python `while` cannot be under `jit`.
- `lax.fori_loop(first, last, body, start)` counts. `last` may be traced.

One program then serves any number of rounds: the second call of each
function below is a hit, though it makes a different number of rounds.

How often does Python run the body, and how often the device?
"""


@jax.jit
def halvings(x):
    def body(state):
        print("tracing the body of halvings")
        value, rounds = state
        return value / 2, rounds + 1

    return jax.lax.while_loop(lambda s: s[0] > 1, body, (x, 0))[1]


@jax.jit
def power(x, n):
    def body(_, y):
        print("tracing the body of power")
        return y * x

    return jax.lax.fori_loop(0, n, body, jnp.float32(1))


print("halvings of 100:", halvings(jnp.float32(100)))
print("halvings of 1000:", halvings(jnp.float32(1000)))
print("3 to the 4:", power(jnp.float32(3), jnp.int32(4)))
print("3 to the 2:", power(jnp.float32(3), jnp.int32(2)))

# %% predict: How many lines are printed while JAX traces, for 7, 10, 4 and 2 rounds?  answer="len(run.lines('trace'))"
"""
- `23`: the device makes 23 rounds, but Python reads each body only once.
- `4`: the number of rounds is not in the key, so the second call of each
  function is a hit.
- `2`: one look at each body; then one program serves any number of rounds.
"""

# %% Which loop has a gradient?  id="which-loop-has-a-gradient", raises="ValueError", raises_at="jax.grad(with_while)", prints=["scan: 12.0", "fori: 12.0"]
"""
To compute a gradient, JAX goes through the loop backwards. For that it has
to keep a value from each round, so it must know the number of rounds while
it traces.

- `scan` has a fixed length: it works, and so does `fori_loop` when both
  bounds are plain numbers. JAX then turns it into a `scan`.
- `while_loop` may make any number of rounds: there is no gradient in
  reverse mode. The same is true for `fori_loop` with a traced bound.

All three functions compute `x` to the power 3. Its slope at 2 is 12. So
for long loops that you differentiate, `scan` is the usual choice.
"""


def with_scan(x):
    return jax.lax.scan(lambda y, _: (y * x, None), 1.0, length=3)[0]


def with_fori(x):
    return jax.lax.fori_loop(0, 3, lambda _, y: y * x, 1.0)


def with_while(x):
    def body(state):
        return state[0] * x, state[1] + 1

    return jax.lax.while_loop(lambda s: s[1] < 3, body, (1.0, 0))[0]


print("scan:", jax.grad(with_scan)(2.0))
print("fori:", jax.grad(with_fori)(2.0))
print("while:", jax.grad(with_while)(2.0))
