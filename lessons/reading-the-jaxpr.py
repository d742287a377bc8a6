"""Reading the jaxpr

When a function compiles in a way you did not expect, look at what JAX
recorded. Here you read a jaxpr, compare two of them, see where comparing
does not help, and count what `grad` and `vmap` add.
"""

import difflib

import jax
import jax.numpy as jnp
import numpy as np

x = np.arange(4, dtype=np.float32)

# %% A small typed program  id="a-small-typed-program", prints=["f32[4]", "tanh", "sin", "mul", "mul", "log1p", "add"], compiles=0, shows="6", holds=["names == ['tanh', 'sin', 'mul', 'mul', 'log1p', 'add']", "jaxpr.out_avals[0].shape == (4,)"]
"""
`jax.make_jaxpr(f)(x)` traces `f` and gives you the recording. Nothing is
compiled and nothing is run.

A jaxpr reads like a small program in which every value is made once. After
`lambda` come the inputs with their types: `f32[4]` is an array of four
float32 numbers. Then one operation a line: a new name, its type, the
operation, and what it works on. After `in` come the results.

This is not the final code of your device: XLA optimizes it further. But it
shows what JAX understood.
"""


def f(x):
    return jnp.tanh(x) * jnp.sin(x) + jnp.log1p(x * x)


jaxpr = jax.make_jaxpr(f)(x)
print(jaxpr)
names = [equation.primitive.name for equation in jaxpr.eqns]
len(names)

# %% predict: How many operations does JAX record for this f?  answer="len(names)"
"""
- `3`: the function calls three jnp functions, but each `*` and the `+` is
  an operation as well.
- `6`: tanh, sin, log1p, two multiplications, one addition.
- `24`: one line works on the whole array of four numbers.
- `1`: one `return` line in Python, but JAX records each operation.
"""

# %% Comparing two recordings  id="comparing-two", cache={"g": "miss miss hit miss miss miss"}, reasons={"g": "dtype, shape, shape, weak type"}, traces={"g": 5}, prints=["dtype:", "a:f32[4]", "a:i32[4]", "convert_element_type", "shape:", "a:f32[4]", "a:f32[5]", "Python number: 0 lines differ"], holds=["run.compiles('g') == 5", "differing(np.float32(2), 2.0) == []"]
"""
Two calls that should be equal, and one of them compiles? Compare their two
jaxprs. When a shape or a dtype slipped in, the lines that differ show it
at once; a `convert_element_type` shows where JAX had to change a dtype.

But do not stop there if nothing differs. The printed jaxpr does not hold
the whole cache key. The last pair has an array of dtype float32 and a
Python number. Their texts are the same, and still the second call is a
miss: a Python number has a *weak type*. The text also hides the container
(tuple or list), named or positional arguments, and whether the function
object is a new one. The reasons on the right compare the keys themselves.
"""


@jax.jit
def g(x):
    return x * jnp.sin(x) + jnp.cos(x)


def differing(a, b):
    texts = [str(g.trace(value).jaxpr).splitlines() for value in (a, b)]
    return [line for line in difflib.ndiff(*texts) if line[0] in "+-"]


for what, a, b in (
    ("dtype", x, x.astype(np.int32)),
    ("shape", x, np.ones(5, dtype=np.float32)),
    ("Python number", np.float32(2), 2.0),
):
    g(a)
    g(b)
    lines = differing(a, b)
    print(f"{what}: {len(lines)} lines differ")
    print(*lines, sep="\n")

# %% predict: The last pair is an array and a Python number. How many lines of their jaxprs differ?  answer="len(differing(np.float32(2), 2.0))"
"""
- `0`: the weak type of a Python number is in the key, but not in the text.
- `1`: you might expect a mark at the type of the input. There is none in
  the printed jaxpr.
- `4`: a new shape or dtype changes all the types. Here both are f32[].
"""

# %% What grad and vmap add  id="grad-and-vmap", prints=["loss: 4", "grad(loss): 12", "vmap(loss): 4", "vmap(grad(loss)): 14"], holds=["counts[1] >= 2 * counts[0]", "counts[2] == counts[0]"]
"""
`jax.grad` and `jax.vmap` turn functions into functions. Their jaxprs show
what they cost.

`grad` keeps the operations of the function itself and adds those of the
way back: the slope of `tanh`, the slope of `sin`, and the products that
the chain rule asks for. Note that the result of the last `reduce_sum` is
named `_`: nobody needs it, and XLA will drop it.

`vmap` adds no operations here; it makes the types larger. It does not loop
over the examples.

If a transformed function does more work than you expected, look for
operations that come twice.
"""


def loss(x):
    return jnp.sum(jnp.tanh(x) * jnp.sin(x))


batch = np.ones((3, 4), dtype=np.float32)
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

# %% Your turn: the other way round  id="other-way-round", holds=["recorded(h, x, x) == ['add']", "len(jax.make_jaxpr(h)(x, x).eqns) == 1"]
"""
Here is a jaxpr, a little shortened. Write the function that it was
recorded from.

```
{ lambda ; a:f32[4] b:f32[4]. let
    c:f32[4] = sin a
    d:f32[4] = mul c b
    e:f32[4] = exp d
    f:f32[] = reduce_sum[axes=(0,)] e
  in (f,) }
```

Change the body of `h`. The check compares the operations of your function
with those above, in order, and then the result. Read each line as: this
new name is that operation of these older names. The letters of the names
do not matter.
"""


def h(a, b):
    return a + b


def recorded(function, *values):
    jaxpr = jax.make_jaxpr(function)(*values)
    return [equation.primitive.name for equation in jaxpr.eqns]


print(recorded(h, x, x))
print(jax.make_jaxpr(h)(x, x))

# %% hint
"""
Go line by line: `c = jnp.sin(a)`, then `d` from `c` and `b`, then `e`,
then `f`. Return `f`.
"""

# %% hint
"""
`exp` is `jnp.exp`, and `reduce_sum` is `jnp.sum`.
"""

# %% hint
"""
`return jnp.sum(jnp.exp(jnp.sin(a) * b))`
"""

# %% check
jaxpr = jax.make_jaxpr(h)(x, x)
names = [equation.primitive.name for equation in jaxpr.eqns]
assert names == ["sin", "mul", "exp", "reduce_sum"], (
    "expected operations: sin mul exp reduce_sum; "
    f"actual: {' '.join(names) or 'none'}"
)
two = np.full(4, 2, dtype=np.float32)
wanted = float(np.sum(np.exp(np.sin(x) * two)))
found = float(h(x, two))
assert abs(found - wanted) < 1e-3, (
    f"a={x.tolist()}, b={two.tolist()}; expected: {wanted:.4f}; "
    f"actual: {found:.4f}"
)


# %% solution
def h(a, b):
    return jnp.sum(jnp.exp(jnp.sin(a) * b))


# %% wrong
"""
expected operations: sin mul exp reduce_sum; actual: mul sin exp reduce_sum
"""


def h(a, b):
    return jnp.sum(jnp.exp(jnp.sin(a * b)))


# %% wrong
"""
actual: sin mul exp reduce_sum div
"""


def h(a, b):
    return jnp.mean(jnp.exp(jnp.sin(a) * b))


# %% wrong
"""
a=[0.0, 1.0, 2.0, 3.0], b=[2.0, 2.0, 2.0, 2.0]; expected:
"""


def h(a, b):
    return jnp.sum(jnp.exp(jnp.sin(b) * a))
