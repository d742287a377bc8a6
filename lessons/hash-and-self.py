"""What can be static: hashes, equality, self

JAX looks up static values as Python looks up the keys of a dict. So it
trusts two things about them: their hash, and when two of them are equal.
Objects of your own classes need some care.
"""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

x = np.array([0.0, 0.5, 0.9, 1.0], dtype=np.float32)

# %% A static value needs a hash  id="needs-a-hash", raises="ValueError", raises_at="resize(x, [2, 2])", traces={"resize": 1}, holds="run.cache('resize')[:2] == ['miss', 'hit']", prints=["(2, 2)", "(2, 2)"]
"""
A static value must be *hashable*, and it must know when it equals another
one. Numbers, strings, tuples of such, and frozen dataclasses are fine.
Lists, dicts and arrays are not: they could change after they were looked
up.

An equal tuple, made new each time, is a hit. Where you have a list, pass a
tuple of it. An array belongs among the ordinary arguments: do not mark it
static.
"""


@jax.jit(static_argnames="shape")
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

# %% The old answer of self  id="old-answer-of-self", cache="miss hit miss", traces={"apply": 2}, compiles={"apply": 2}, reasons="static value", prints=["tracing with factor 2.0", "2: [0.  1.  1.8 2. ]", "5: [0.  1.  1.8 2. ]", "tracing with factor 5.0", "new object: [0.  2.5 4.5 5. ]"], trace_prints=2
"""
A method gets `self` as its first argument. `self` is no array, so people
mark it as static. It works, and it has a trap.

An ordinary object is equal only to itself, whatever is in it. So JAX looks
at *which object* it is. When you change an attribute, it is still the same
object: a hit, and the old recording runs, with the old factor frozen in
it. There is no error.

A new object, on the other hand, is a miss, even if everything in it is as
before.

So never change an object that you use as a static argument.
"""


class Scaler:
    def __init__(self, factor):
        self.factor = factor

    @jax.jit(static_argnums=0)
    def apply(self, x):
        print("tracing with factor", self.factor)
        return x * self.factor


scaler = Scaler(2.0)
print("2:", scaler.apply(x))
scaler.factor = 5.0
print("5:", scaler.apply(x))
print("new object:", Scaler(5.0).apply(x))

# %% predict: After scaler.factor = 5.0, what does scaler.apply(x) give for the last entry, 1.0?  answer="float(next(line for line in run.lines() if line.startswith('5:')).strip(']').split()[-1].rstrip('.'))"
"""
- `5.0`: that would need a new trace. The object is the same, so the call
  is a hit.
- `2.0`: the old program runs; the factor 2.0 was frozen in it.
- `1.0`: the factor was frozen when JAX traced, and then it was 2.0.
"""

# %% Your turn: frozen settings  id="frozen-settings", cache="miss miss miss miss", traces={"model": 4}, compiles={"model": 4}
"""
`model` gets its settings as a static argument. Three calls use equal
settings and the last one another rate. That should make two programs. But
each call brings a new object, and ordinary objects are never equal, so
there are four.

Make `Settings` a class whose objects

- are equal when their values are equal, and have a fitting hash;
- cannot be changed.

Python has this ready: `@dataclass(frozen=True)` above a class that only
lists its fields with their types. It is already imported.
"""


class Settings:
    def __init__(self, rate, rounds):
        self.rate = rate
        self.rounds = rounds


@jax.jit(static_argnames="settings")
def model(x, settings):
    for _ in range(settings.rounds):
        x = x - settings.rate * x
    return x


results = [model(x, Settings(0.5, 2)) for _ in range(3)]
results.append(model(x, Settings(0.25, 2)))
print(*results, sep="\n")

# %% hint
"""
The class gets the line `@dataclass(frozen=True)` above it. Delete its
`__init__`; the dataclass makes one from the list of the fields.
"""

# %% hint
"""
The fields stand in the class like this: `rate: float` in one line and
`rounds: int` in the next.
"""

# %% check
assert len(results) == 4, (
    f"expected: four results; actual: {len(results)}"
)
for rate, result in zip((0.5, 0.5, 0.5, 0.25), results, strict=True):
    wanted = (x * (1 - rate) ** 2).round(3).tolist()
    found = np.asarray(result).round(3).tolist()
    assert found == wanted, (
        f"rate={rate}, rounds=2, x={x.tolist()}; expected: {wanted}; "
        f"actual: {found}"
    )
assert run.traces("model") > 0, (
    "expected: model is jitted; actual: jit never traced it"
)
assert run.traces("model") == 2, (
    "expected: two traces, one for each rate; "
    f"actual: {run.traces('model')} traces, though "
    f"Settings(0.5, 2) == Settings(0.5, 2) "
    f"is {Settings(0.5, 2) == Settings(0.5, 2)}"
)


# %% solution
@dataclass(frozen=True)
class Settings:
    rate: float
    rounds: int


@jax.jit(static_argnames="settings")
def model(x, settings):
    for _ in range(settings.rounds):
        x = x - settings.rate * x
    return x


results = [model(x, Settings(0.5, 2)) for _ in range(3)]
results.append(model(x, Settings(0.25, 2)))
print(*results, sep="\n")


# %% wrong
"""
Non-hashable static arguments
"""


@dataclass
class Settings:
    rate: float
    rounds: int


@jax.jit(static_argnames="settings")
def model(x, settings):
    for _ in range(settings.rounds):
        x = x - settings.rate * x
    return x


results = [model(x, Settings(0.5, 2)) for _ in range(3)]
results.append(model(x, Settings(0.25, 2)))


# %% wrong
"""
rate=0.25, rounds=2, x=[0.0, 0.5, 0.8999999761581421, 1.0]; expected:
"""


class Settings:
    def __init__(self, rate, rounds):
        self.rate = rate
        self.rounds = rounds


@jax.jit(static_argnames="settings")
def model(x, settings):
    for _ in range(settings.rounds):
        x = x - settings.rate * x
    return x


settings = Settings(0.5, 2)
results = [model(x, settings) for _ in range(3)]
settings.rate = 0.25
results.append(model(x, settings))


# %% wrong
"""
4 traces, though Settings(0.5, 2) == Settings(0.5, 2) is False
"""


class Settings:
    def __init__(self, rate, rounds):
        self.rate = rate
        self.rounds = rounds

    def __hash__(self):
        return hash((self.rate, self.rounds))


@jax.jit(static_argnames="settings")
def model(x, settings):
    for _ in range(settings.rounds):
        x = x - settings.rate * x
    return x


results = [model(x, Settings(0.5, 2)) for _ in range(3)]
results.append(model(x, Settings(0.25, 2)))
