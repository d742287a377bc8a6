"""Static arguments: a new program on purpose

Sometimes a parameter really is a constant of your program: a number of
layers, a size, a switch. Then you want its value built in. Here you see
what that gives you, and what it costs.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

x = np.array([0.0, 0.5, 0.9, 1.0], dtype=np.float32)

# %% One program for each value  id="one-program-a-value", cache="miss miss hit", traces={"power": 2}, compiles={"power": 2}, reasons="static value", equations={"power": 3}, trace_prints=2, slower=["1 > 3 * 3", "2 > 3 * 3"], holds="[p.equations for p in run.programs if p.function == 'power'] == [2, 3]"
"""
`power` squares its input `n` times. `n` is marked as static, so inside the
function it is a plain Python number: `range(n)` works, and the loop is
unrolled. Its value goes into the cache key, so each new value of `n` is a
miss, and a value that was seen before is a hit.

Look at the two jaxprs. `n` is not an input of them: the program for 2 has
two multiplications, the program for 3 has three. XLA sees every operation
and can optimize across all of them.

For a few fixed settings, that is what you want.
"""


@partial(jax.jit, static_argnums=0)
def power(n: int, x):
    print("tracing with n =", n)
    y = x
    for _ in range(n):
        y = y * y
    return y


for n in (2, 3, 2):
    power(n, x).block_until_ready()

# %% predict: n is 2, then 3, then 2 again. Hit or miss?  answer="' '.join(run.cache('power'))"
"""
- `miss hit hit`: x has the same shape and dtype, but the value of n is in
  the key as well.
- `miss miss miss`: the program for n=2 is not thrown away when n=3 comes.
- `miss miss hit`: a new value, a new value, a value seen before.
"""

# %% A static value needs a hash  id="needs-a-hash", raises="ValueError", raises_at="resize(x, [2, 2])", traces={"resize": 1}, holds="run.cache('resize')[:2] == ['miss', 'hit']", prints=["(2, 2)", "(2, 2)"]
"""
JAX looks up static values in a table, as Python does with the keys of a
dict. So a static value must be *hashable*, and it must know when it equals
another one. Numbers, strings, tuples of such, and frozen dataclasses are
fine. Lists, dicts and arrays are not: they could change after they were
looked up.

`static_argnames` marks arguments by name. An equal tuple, made new each
time, is a hit. The list in the last line raises an error before anything
is traced.

The way out is to pass a tuple, or, for an array, not to mark it static.
"""


@partial(jax.jit, static_argnames="shape")
def resize(x, shape):
    return jnp.reshape(x, shape)


print(resize(x, shape=(2, 2)).shape)
print(resize(x, shape=tuple([2, 2])).shape)
resize(x, [2, 2])

# %% predict: What will the last line do, with a list of the same two numbers?  answer="run.error.type.rpartition('.')[2] if run.error else run.cache('resize')[-1]"
"""
- `hit`: [2, 2] and (2, 2) are not equal in Python, and a list has no hash
  to look it up by.
- `miss`: a new value would be a miss, if JAX could look it up at all.
- `ValueError`: JAX cannot use a list as a key, because a list can change.
"""

# %% Your turn: the counter  id="the-counter", cache="miss miss miss miss miss", traces={"power": 5}, compiles={"power": 5}, reasons="static value, static value, static value, static value"
"""
A program counts its steps and calls `power` with the counter. The counter
is static, so its value is in the key, and it never comes twice: *each
call* compiles. Such a program does not get faster after the start; it
compiles for ever.

Change `power` so that the five calls need one compile, with the same
results. `n` must not be static any more. But then it is a traced value,
and `range(n)` cannot work. You know a loop that can count up to a traced
value.
"""


@partial(jax.jit, static_argnums=0)
def power(n, x):
    y = x
    for _ in range(n):
        y = y * y
    return y


results = []
for counter in range(1, 6):
    results.append(power(counter, x))

# %% hint
"""
Write `@jax.jit` without static arguments. Then replace the Python loop by
`jax.lax.fori_loop(first, last, body, start)`.
"""

# %% hint
"""
`body` gets the number of the round and the value so far, and returns the
new value: `lambda _, y: y * y`.
"""

# %% hint
"""
The body of `power` is one line:
`return jax.lax.fori_loop(0, n, lambda _, y: y * y, x)`.
"""

# %% check
assert len(results) == 5, f"expected: five results; actual: {len(results)}"
for n, result in enumerate(results, 1):
    wanted = x ** (2**n)
    assert np.allclose(result, wanted, atol=1e-5), (
        f"n={n}, x={x.tolist()}; expected: {wanted.tolist()}; "
        f"actual: {np.asarray(result).tolist()}"
    )
assert run.compiles("power") == 1, (
    "expected: power is compiled once for its five calls; "
    f"actual: compiled {run.compiles('power')} times"
)


# %% solution
@jax.jit
def power(n, x):
    return jax.lax.fori_loop(0, n, lambda _, y: y * y, x)


results = []
for counter in range(1, 6):
    results.append(power(counter, x))

# %% wrong
"""
TracerIntegerConversionError
"""


@jax.jit
def power(n, x):
    y = x
    for _ in range(n):
        y = y * y
    return y


results = []
for counter in range(1, 6):
    results.append(power(counter, x))

# %% wrong
"""
compiled 5 times
"""


@partial(jax.jit, static_argnames="n")
def power(n, x):
    return jax.lax.fori_loop(0, n, lambda _, y: y * y, x)


results = []
for counter in range(1, 6):
    results.append(power(counter, x))

# %% wrong
"""
expected: [0.0, 0.25
"""


@partial(jax.jit, static_argnums=0)
def power(n, x):
    y = x
    for _ in range(n):
        y = y * y
    return y


results = []
for counter in range(1, 6):
    results.append(power(5, x))

# %% wrong
"""
Non-hashable static arguments
"""


@partial(jax.jit, static_argnums=0)
def power(n, x):
    return jax.lax.fori_loop(0, n, lambda _, y: y * y, x)


results = []
for counter in range(1, 6):
    results.append(power(jnp.int32(counter), x))
