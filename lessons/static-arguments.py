"""Static arguments: a new program on purpose

Sometimes an argument really is a constant of your program: a number of
layers, a size, a switch. Then you want its value built in. Here you see
what that gives you, and what it costs.
"""

import jax
import jax.numpy as jnp
import numpy as np

x = np.array([0.0, 0.5, 0.9, 1.0], dtype=np.float32)

# %% One program for each value  id="one-program-a-value", cache="miss miss hit", traces={"power": 2}, compiles={"power": 2}, reasons="static value", equations={"power": 3}, trace_prints=2, slower=["1 > 3 * 3", "2 > 3 * 3"], holds="[p.equations for p in run.programs if p.function == 'power'] == [2, 3]"
"""
Sometimes Python has to know a number while JAX traces: `range(n)` must
know how often to go round. Then mark the argument as **static**. JAX does
not trace a static argument; inside the function it is a plain Python
value. `static_argnums=0` marks the first argument (JAX counts from 0);
`static_argnames` marks arguments by name. In older code you find the same
written with Python's helper partial.

The price: its *value* goes into the cache key. A new value is a miss, a
value that came before is a hit.

`power` squares its input `n` times. Look at the jaxprs in the pane
Programs (`g`; there `,` and `.` go from one to the next): `n` is not an
input, and the loop is gone. The program for 2 has two multiplications, the
program for 3 has three.
"""


@jax.jit(static_argnums=0)
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

# %% A switch  id="a-switch", cache="miss miss hit", traces={"pool": 2}, compiles={"pool": 2}, reasons="static value", trace_prints=2, equations={"pool": 1}, holds="['reduce_max' in p.jaxpr for p in run.programs] == [False, True]"
"""
A static argument may also be a word, or True and False. Then Python's `if`
works on it, because Python knows the value.

The `if` is decided while JAX traces. Only the chosen branch is recorded;
the other one does not exist in the program at all. Compare the two
jaxprs: one has an addition of all entries and a division, the other one
has a maximum.

For a few fixed settings, that is just what you want: each setting gets a
program of its own, without the parts that it does not need.
"""


@jax.jit(static_argnames="how")
def pool(x, how):
    print("tracing with how =", how)
    if how == "mean":
        return jnp.sum(x) / 4
    return jnp.max(x)


print(pool(x, how="mean"))
print(pool(x, how="max"))
print(pool(x, how="mean"))

# %% predict: Is the maximum a part of the program for how="mean"?  answer="'yes' if 'reduce_max' in run.programs[0].jaxpr else 'no'"
"""
- `yes`: JAX records what Python does. Python did not come to that line.
- `no`: the `if` was decided while JAX traced, and only one branch was
  recorded.
"""

# %% Your turn: only what must be static  id="only-what-must-be", cache="miss miss miss miss miss miss", traces={"shrink": 6}, compiles={"shrink": 6}
"""
`shrink` is called six times, with a number of rounds and a rate. Somebody
marked both as static, "to make it fast". But the rate is a new one in each
call, so all six calls compile.

Change what is static, so that one program is compiled for each different
*number of rounds*, and none for the rates. The results must stay the same,
and the calls too.

How many programs will that be?
"""

calls = [(2, 0.1), (3, 0.2), (2, 0.3)]
calls += [(3, 0.4), (1, 0.5), (2, 0.6)]


@jax.jit(static_argnames=("rounds", "rate"))
def shrink(x, rounds, rate):
    for _ in range(rounds):
        x = x - rate * x
    return x


results = [shrink(x, n, rate) for n, rate in calls]

# %% hint
"""
`range` must know the number of rounds while JAX traces. Does anything in
the function have to know the rate?
"""

# %% hint
"""
Only `rounds` must be static: `@jax.jit(static_argnames="rounds")`
"""

# %% check
assert len(results) == 6, (
    f"expected: six results; actual: {len(results)}"
)
for (rounds, rate), result in zip(calls, results, strict=True):
    wanted = x * (1 - rate) ** rounds
    assert np.allclose(result, wanted, atol=0.001), (
        f"rounds={rounds}, rate={rate}, x={x.tolist()}; "
        f"expected: {np.round(wanted, 3).tolist()}; "
        f"actual: {np.round(np.asarray(result), 3).tolist()}"
    )
different = len({rounds for rounds, _ in calls})
assert run.compiles("shrink") == different, (
    f"expected: {different} compiles, one for each number of rounds; "
    f"actual: {run.compiles('shrink')}"
)

# %% solution
calls = [(2, 0.1), (3, 0.2), (2, 0.3)]
calls += [(3, 0.4), (1, 0.5), (2, 0.6)]


@jax.jit(static_argnames="rounds")
def shrink(x, rounds, rate):
    for _ in range(rounds):
        x = x - rate * x
    return x


results = [shrink(x, n, rate) for n, rate in calls]

# %% wrong
"""
TracerIntegerConversionError
"""

calls = [(2, 0.1), (3, 0.2), (2, 0.3)]
calls += [(3, 0.4), (1, 0.5), (2, 0.6)]


@jax.jit
def shrink(x, rounds, rate):
    for _ in range(rounds):
        x = x - rate * x
    return x


results = [shrink(x, n, rate) for n, rate in calls]

# %% wrong
"""
TracerIntegerConversionError
"""

calls = [(2, 0.1), (3, 0.2), (2, 0.3)]
calls += [(3, 0.4), (1, 0.5), (2, 0.6)]


@jax.jit(static_argnames="rate")
def shrink(x, rounds, rate):
    for _ in range(rounds):
        x = x - rate * x
    return x


results = [shrink(x, n, rate) for n, rate in calls]

# %% wrong
"""
rounds=3, rate=0.2, x=[0.0, 0.5, 0.8999999761581421, 1.0]; expected:
"""

calls = [(2, 0.1), (3, 0.2), (2, 0.3)]
calls += [(3, 0.4), (1, 0.5), (2, 0.6)]


@jax.jit
def shrink(x, rounds, rate):
    for _ in range(2):
        x = x - rate * x
    return x


results = [shrink(x, n, rate) for n, rate in calls]

# %% wrong
"""
one for each number of rounds; actual: 0
"""

calls = [(2, 0.1), (3, 0.2), (2, 0.3)]
calls += [(3, 0.4), (1, 0.5), (2, 0.6)]


def shrink(x, rounds, rate):
    for _ in range(rounds):
        x = x - rate * x
    return x


results = [shrink(x, n, rate) for n, rate in calls]
