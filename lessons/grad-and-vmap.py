"""What grad and vmap put into the trace

`jax.grad` and `jax.vmap` turn functions into functions. Their jaxprs show
what that costs: what a gradient adds, what a batch does not add, and work
that is done twice.
"""

import jax
import jax.numpy as jnp
import numpy as np

x = np.arange(4, dtype=np.float32)
batch = np.ones((16, 4), dtype=np.float32)

# %% The way back  id="grad-and-vmap", prints=["loss: 4", "grad(loss):", "vmap(loss): 4", "vmap(grad(loss)):"], holds=["counts[1] > 2.5 * counts[0]", "counts[2] == counts[0]", "counts[3] < 2 * counts[1]"]
"""
`jax.make_jaxpr(f)(x)` traces `f` and gives the recording, without compiling
anything.

`grad` keeps the operations of the function itself and adds those of the way
back: the slope of `tanh`, the slope of `sin`, and the products that the
chain rule asks for. Note that the result of the last `reduce_sum` is named
`_`: nobody needs it, and XLA will drop it.

`vmap` makes a function for a batch, here of 16 examples. Compare what it
does to the number of operations with what `grad` does.

In the jaxpr that is printed, find the lines that belong to the way back.
"""


def loss(x):
    return jnp.sum(jnp.tanh(x) * jnp.sin(x))


counts = []
for name, function, value in (
    ("loss", loss, x),
    ("grad(loss)", jax.grad(loss), x),
    ("vmap(loss)", jax.vmap(loss), batch),
    ("vmap(grad(loss))", jax.vmap(jax.grad(loss)), batch),
):
    jaxpr = jax.make_jaxpr(function)(value)
    counts.append(len(jaxpr.eqns))
    print(f"{name}: {len(jaxpr.eqns)}")

print(jax.make_jaxpr(jax.grad(loss))(x))

# %% predict: loss records 4 operations. What does grad(loss) record?  answer="'the same' if counts[1] == counts[0] else 'about three times as many' if counts[1] > 2.5 * counts[0] else 'one more'"
"""
- `the same`: a gradient needs operations of its own, for the way back.
- `one more`: each operation of the function needs its own slope and a
  product with what came before.
- `about three times as many`: the way forward, the slopes, and the
  products of the chain rule.
"""

# %% predict: vmap(loss) gets 16 examples instead of 1. How many operations?  answer="counts[2]"
"""
- `4`: the same operations, each on arrays with one more axis.
- `5`: there is no operation for the loop, because there is no loop.
- `64`: that is what a Python loop over the 16 examples would record.
"""

# %% A batch without a loop  id="a-batch-without-a-loop", traces={"looped": 1, "mapped": 1}, equations={"mapped": 4}, holds=["run.equations('looped') > 10 * run.equations('mapped')", "bool(jnp.allclose(one_by_one, at_once, atol=1e-4))"]
"""
Both functions compute the loss of each of 16 examples. One has a Python
loop, the other has `vmap`.

You know what becomes of a Python loop in a trace. Each round also takes its
example out of the batch, and at the end the results are put together.

The mapped function has operations on the whole batch instead. That helps
the compiler, which has less to read. And it helps a GPU: many small
operations leave most of it idle, one large operation fills it.
"""


def loss(x):
    return jnp.sum(jnp.tanh(x) * jnp.sin(x))


@jax.jit
def looped(batch):
    return jnp.stack([loss(example) for example in batch])


@jax.jit
def mapped(batch):
    return jax.vmap(loss)(batch)


one_by_one = looped(batch)
at_once = mapped(batch)
print("shapes:", one_by_one.shape, at_once.shape)

# %% predict: How many equations has `looped`, compared with `mapped`?  answer="'more than 10 times as many' if run.equations('looped') > 10 * run.equations('mapped') else 'the same number'"
"""
- `the same number`: both give the same results, but a loop over 16 examples
  is unrolled.
- `16 more`: each round has all the operations of the loss, not one.
- `more than 10 times as many`: 16 rounds, each with all the operations of
  the loss, and some more for taking the batch apart.
"""

# %% Your turn: work that is done twice  id="done-twice", traces={"step": 1}, holds=["run.jaxpr('step').count(' tanh ') == 2"]
"""
A training step needs the loss, to print it, and the gradient, to learn from
it. This one asks for them separately. But `grad` computes the loss on its
way: look for operations that come twice in the jaxpr of `step`.

(XLA often finds such twins and removes one, but only after you have paid
for tracing and lowering both, and not always.)

Repair `step`, so that

- `tanh` and `sin` are in its jaxpr only once;
- it returns the same two things: loss and gradient;
- it is still jitted.

JAX has a function that gives both: `jax.value_and_grad`.
"""


def loss(x):
    return jnp.sum(jnp.tanh(x) * jnp.sin(x))


@jax.jit
def step(x):
    return loss(x), jax.grad(loss)(x)


value, slopes = step(x)
print(value, slopes)

# %% hint
"""
`jax.value_and_grad(loss)` is a function. Call it with `x`: it returns a
pair.
"""

# %% hint
"""
The body is one line: `return jax.value_and_grad(loss)(x)`.
"""

# %% check
assert run.traces("step") == 1, (
    "expected: step is jitted and called once; "
    f"actual: traced {run.traces('step')} times"
)
t, s = np.tanh(x), np.sin(x)
wanted = (1 - t * t) * s + t * np.cos(x)
assert abs(float(value) - float(np.sum(t * s))) < 1e-3, (
    f"x={x.tolist()}; expected loss: {np.sum(t * s):.4f}; "
    f"actual: {float(value):.4f}"
)
assert np.shape(slopes) == (4,) and np.allclose(
    slopes, wanted, atol=1e-3
), (
    f"x={x.tolist()}; expected gradient: {wanted.round(4).tolist()}; "
    f"actual: {np.asarray(slopes).round(4).tolist()}"
)
times = run.jaxpr("step").count(" tanh ")
assert times == 1, (
    f"expected: tanh once in the jaxpr of step; actual: {times} times"
)


# %% solution
def loss(x):
    return jnp.sum(jnp.tanh(x) * jnp.sin(x))


@jax.jit
def step(x):
    return jax.value_and_grad(loss)(x)


value, slopes = step(x)
print(value, slopes)

# %% wrong
"""
step is jitted and called once; actual: traced 0 times
"""


def loss(x):
    return jnp.sum(jnp.tanh(x) * jnp.sin(x))


def step(x):
    return jax.value_and_grad(loss)(x)


value, slopes = step(x)

# %% wrong
"""
tanh once in the jaxpr of step; actual: 2 times
"""


def loss(x):
    return jnp.sum(jnp.tanh(x) * jnp.sin(x))


@jax.jit
def step(x):
    slopes = jax.grad(loss)(x)
    return jax.value_and_grad(loss)(x)[0], slopes


value, slopes = step(x)

# %% wrong
"""
expected gradient:
"""


def loss(x):
    return jnp.sum(jnp.tanh(x) * jnp.sin(x))


@jax.jit
def step(x):
    value, slopes = jax.value_and_grad(loss)(x)
    return value, jnp.sum(slopes)


value, slopes = step(x)
