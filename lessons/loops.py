"""Loops: unrolled, or kept as a loop

A Python loop inside `jit` works, but JAX never sees a loop: it sees each
round as new operations. `lax.scan` keeps the loop a loop.
"""

import jax
import jax.numpy as jnp
import numpy as np

x = np.ones(1024, dtype=np.float32)
weights = np.linspace(0.5, 1.5, 40, dtype=np.float32)

# %% Unrolled, or one operation  id="unrolled-or-scan", traces={"python_loop": 1, "scan_loop": 1}, equations={"python_loop": 600, "scan_loop": 1}, cache={"python_loop": "miss hit", "scan_loop": "miss hit"}, slower="python_loop > scan_loop", holds=["run.equations('python_loop') >= 100 * run.equations('scan_loop')", "bool(jnp.allclose(unrolled, scanned, atol=1e-4))"]
"""
Both functions repeat the same formula 200 times and compute the same
result.

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

# %% One program grows, one does not  id="line-and-flat", traces={"python_loop": 4, "scan_loop": 4}, compiles={"python_loop": 4, "scan_loop": 4}, reasons={"python_loop": "static value, static value, static value"}, prints=[" 20 rounds:  60 and 1", " 40 rounds: 120 and 1", " 80 rounds: 240 and 1", "160 rounds: 480 and 1"], holds=["rows['python_loop'] == [60, 120, 240, 480]", "len(set(rows['scan_loop'])) == 1"]
"""
What happens when there is more to do? Here the number of rounds is a static
argument, and doubles each time.

The unrolled program grows with it, and so does the work to trace, lower and
compile it: look at the bars of `python_loop`, and think of 2000 rounds.
Then look at the bars of `scan_loop`.

There is a price. `scan` really goes round on the device, and each round
costs a little on its own, on a GPU more than on a CPU. A short loop with
small operations may therefore *run* faster when it is unrolled. `scan(...,
unroll=4)` is between the two: four rounds at a time.
"""


@jax.jit(static_argnums=1)
def python_loop(x, rounds):
    for _ in range(rounds):
        x = jnp.sin(x) + 0.01 * x
    return x


@jax.jit(static_argnums=1)
def scan_loop(x, rounds):
    def body(x, _):
        return jnp.sin(x) + 0.01 * x, None

    return jax.lax.scan(body, x, xs=None, length=rounds)[0]


rows = {"python_loop": [], "scan_loop": []}
for rounds in (20, 40, 80, 160):
    for function in (python_loop, scan_loop):
        function(x, rounds).block_until_ready()
        jaxpr = function.trace(x, rounds).jaxpr
        rows[function.__name__].append(len(jaxpr.eqns))
    unrolled, scanned = (sizes[-1] for sizes in rows.values())
    print(f"{rounds:3d} rounds: {unrolled:3d} and {scanned}")

# %% predict: From 20 rounds to 160. How many times larger does the jaxpr of scan_loop become?  answer="rows['scan_loop'][-1] // rows['scan_loop'][0]"
"""
- `8`: that is what the unrolled program does: 60 operations become 480.
- `1`: the number of rounds is one parameter of one operation.
- `2`: the size does not depend on the number of rounds at all.
"""

# %% Your turn: layers in one scan  id="layers-in-one-scan", traces={"model": 1}, holds="run.equations('model') >= 80"
"""
A model with many equal layers is a loop too. Here 40 layers have one weight
each, and the loop over `weights` is unrolled: run it and see how long the
jaxpr is.

`scan` can go over an array: `lax.scan(body, start, xs)` calls
`body(carry, x)` with one entry of `xs` after the other (along its first
axis).

Rewrite `model` with `scan`, so that

- its jaxpr has at most 5 equations, however many layers there are;
- the result stays the same;
- `weights` stays an argument.
"""


@jax.jit
def model(x, weights):
    for w in weights:
        x = jnp.tanh(w * x)
    return x


result = model(x, weights)

# %% hint
"""
The body of the loop becomes a function of the carry and one weight. It
returns a pair: the new carry, and `None`.
"""

# %% hint
"""
`def layer(x, w): return jnp.tanh(w * x), None`
"""

# %% hint
"""
`x, _ = jax.lax.scan(layer, x, weights)`, then `return x`.
"""

# %% check
assert run.traces("model") == 1, (
    "expected: model is jitted and called once; "
    f"actual: traced {run.traces('model')} times"
)
wanted = x
for w in weights:
    wanted = np.tanh(w * wanted)
assert result.shape == wanted.shape, (
    f"expected: a result of shape {wanted.shape}, as x; "
    f"actual: shape {result.shape}"
)
assert np.allclose(result, wanted, atol=1e-3), (
    f"x: all ones; expected: {wanted[0]:.4f} in each entry; "
    f"actual: {float(result[0]):.4f}"
)
assert run.equations("model") <= 5, (
    "expected: at most 5 equations; "
    f"actual: {run.equations('model')} for {len(weights)} layers"
)


# %% solution
@jax.jit
def model(x, weights):
    def layer(x, w):
        return jnp.tanh(w * x), None

    x, _ = jax.lax.scan(layer, x, weights)
    return x


result = model(x, weights)

# %% wrong
"""
scan body output must be a pair
"""


@jax.jit
def model(x, weights):
    def layer(x, w):
        return jnp.tanh(w * x)

    x, _ = jax.lax.scan(layer, x, weights)
    return x


result = model(x, weights)

# %% wrong
"""
expected: a result of shape (1024,), as x; actual: shape (40, 1024)
"""


@jax.jit
def model(x, weights):
    def layer(x, w):
        x = jnp.tanh(w * x)
        return x, x

    _, x = jax.lax.scan(layer, x, weights)
    return x


result = model(x, weights)

# %% wrong
"""
x: all ones; expected:
"""


@jax.jit
def model(x, weights):
    def layer(x, _):
        return jnp.tanh(weights[0] * x), None

    x, _ = jax.lax.scan(layer, x, xs=None, length=len(weights))
    return x


result = model(x, weights)

# %% wrong
"""
expected: at most 5 equations; actual:
"""


@jax.jit
def model(x, weights):
    for i in range(len(weights)):
        x = jnp.tanh(weights[i] * x)
    return x


result = model(x, weights)
