"""Frozen at trace

While JAX traces, Python reads everything that your function uses: global
variables, the clock, random numbers. What it reads at that moment is
written into the recording, and stays there.
"""

import time

import jax
import numpy as np

prices = np.array([1.0, 2.0, 3.0], np.float32)

# %% A global variable is read once  id="a-global-is-read-once", traces={"with_tax": 1}, cache="miss hit", prints=["tax 2: [2. 4. 6.]", "tax 5: [2. 4. 6.]", "plain: [ 5. 10. 15.]"], holds=["'2.0' in run.jaxpr('with_tax')", "len(before) == len(after)"]
"""
`with_tax` uses the global variable `tax`. Then `tax` changes, and
`with_tax` is called again with the same kind of input.

To JAX this is a hit: the shape and the dtype are the same, and the rest of
the program does not count. The recording runs, and it holds the number
that `tax` had while JAX traced. Look for `2.0` in the jaxpr (press `g` for
the pane Programs): there is no `tax` any more.

No error tells you about it. The result is just wrong, or rather: it is
right for an old value. The last line does the same without `jit`: there,
Python reads the variable each time.
"""

tax = 2.0


@jax.jit
def with_tax(x):
    return x * tax


before = with_tax(prices)
print("tax 2:", before)
tax = 5.0
after = with_tax(prices)
print("tax 5:", after)
print("plain:", prices * tax)

# %% predict: After tax = 5.0, what does with_tax(prices) give?  answer="str(after.tolist())"
"""
- `[2.0, 4.0, 6.0]`: the call is a hit, and the recording has the old 2.0
  written in it.
- `[5.0, 10.0, 15.0]`: for this, JAX would have to look at `tax` again. A
  hit does not run any Python.
- `an error`: JAX does not notice that a global variable has changed.
"""

# %% The clock and NumPy's random numbers  id="clock-and-random", traces={"noisy": 1, "stamped": 1}, cache="miss hit hit miss hit", holds=["noise[0] == noise[1] == noise[2]", "plain_noise[0] != plain_noise[1]", "stamps[0] == stamps[1]"]
"""
The same happens to everything that Python fetches from outside. NumPy's
random numbers are drawn by Python, so a jitted function draws once, while
JAX traces. After that it adds the same "random" number in each call. The
clock is read once too.

That is why JAX has random functions of its own. `jax.random.key(0)` makes
a *key*, a value that JAX treats like an array. `jax.random.uniform(key)`
computes a number from it, and `jax.random.split(key, 3)` makes three new
keys out of one. The key goes in as an argument. So each call can get a
different one, and nothing is read from outside.
"""

generator = np.random.default_rng(0)


@jax.jit
def noisy(x):
    return x + generator.uniform()


@jax.jit
def stamped(x):
    return x + time.perf_counter()


noise = [float(noisy(0.0)) for _ in range(3)]
plain_noise = [generator.uniform() for _ in range(2)]
stamps = [float(stamped(0.0)) for _ in range(2)]
print("jitted:", noise)
print("NumPy: ", plain_noise)
print("clock: ", stamps)

# %% predict: noisy is called three times. How many different numbers does it give?  answer="len(set(noise))"
"""
- `3`: without `jit` it would be three. The jitted function draws only
  while Python runs, and Python runs once.
- `1`: drawn once while JAX traces, then repeated.
- `2`: the first call is no exception: it too runs the recording, right
  after JAX has made it.
"""

# %% Your turn: nothing from outside  id="nothing-from-outside", traces={"measure": 1}, cache="miss hit hit", holds="results[0].tolist() == results[1].tolist() == results[2].tolist()"
"""
`measure` should multiply by the `gain` of the moment and add a bit of
noise, new in each call. It does neither: `gain` and the noise are frozen.

Repair it. What must hold:

- call 1 uses gain 1, call 2 gain 2, call 3 gain 3;
- the noise, a number between 0 and 0.1, differs from call to call;
- `measure` is jitted and traced only once.

Give `measure` what it needs as arguments. A function that takes all its
inputs as arguments is never out of date.
"""

generator = np.random.default_rng(0)
gain = 0


@jax.jit
def measure(x):
    return gain * x + 0.1 * generator.uniform()


results = []
for _ in range(3):
    gain += 1
    results.append(measure(prices))
print(*results, sep="\n")

# %% hint
"""
`measure` needs three arguments: `x`, `gain` and the noise. The loop is
plain Python: it may read `gain`, and draw from `generator`, in each round.
(`jax.random.split` and `jax.random.uniform` would do as well.)
"""

# %% hint
"""
Write `def measure(x, gain, noise):` with `return gain * x + noise`. The
loop calls `measure(prices, gain, 0.1 * generator.uniform())`.
"""

# %% check
assert run.traces("measure") > 0, (
    "expected: measure is jitted; actual: jit never traced it"
)
assert len(results) == 3, (
    f"expected: three results; actual: {len(results)}"
)
rest = [
    np.asarray(result) - (n + 1) * np.asarray(prices)
    for n, result in enumerate(results)
]
for n, noise in enumerate(rest, 1):
    assert (noise > -0.001).all() and (noise < 0.101).all(), (
        f"call {n}: x={prices.tolist()}, gain={n}; expected: {n} * x and "
        f"0 to 0.1 more; actual: {results[n - 1].tolist()}"
    )
drawn = {round(float(noise[0]), 4) for noise in rest}
assert len(drawn) == 3, (
    "expected: another noise in each of the three calls; "
    f"actual: {len(drawn)} different"
)
assert run.traces("measure") == 1, (
    "expected: measure is traced once; "
    f"actual: traced {run.traces('measure')} times"
)

# %% solution
generator = np.random.default_rng(0)
gain = 0


@jax.jit
def measure(x, gain, noise):
    return gain * x + noise


results = []
for _ in range(3):
    gain += 1
    results.append(measure(prices, gain, 0.1 * generator.uniform()))
print(*results, sep="\n")

# %% wrong
"""
expected: another noise in each of the three calls; actual: 1 different
"""

generator = np.random.default_rng(0)
gain = 0


@jax.jit
def measure(x, gain):
    return gain * x + 0.1 * generator.uniform()


results = []
for _ in range(3):
    gain += 1
    results.append(measure(prices, gain))

# %% wrong
"""
expected: measure is traced once; actual: traced 3 times
"""

generator = np.random.default_rng(0)
gain = 0


@jax.jit
def measure(x):
    return gain * x + 0.1 * generator.uniform()


results = []
for _ in range(3):
    gain += 1
    jax.clear_caches()
    results.append(measure(prices))

# %% wrong
"""
call 2: x=[1.0, 2.0, 3.0], gain=2; expected: 2 * x and 0 to 0.1 more
"""

generator = np.random.default_rng(0)
gain = 0


@jax.jit
def measure(x, noise):
    return gain * x + noise


results = []
for _ in range(3):
    gain += 1
    results.append(measure(prices, 0.1 * generator.uniform()))

# %% wrong
"""
actual: jit never traced it
"""

generator = np.random.default_rng(0)
gain = 0


def measure(x):
    return gain * x + 0.1 * generator.uniform()


results = []
for _ in range(3):
    gain += 1
    results.append(measure(prices))
