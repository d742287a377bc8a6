"""Branches: Python cannot see the numbers

While JAX traces, there are no numbers, so Python cannot decide anything by
them. Here you meet the errors that this causes: they have many names and
one reason.
"""

import jax
import jax.numpy as jnp
import numpy as np

# %% An if on a traced value  id="an-if", raises="TracerBoolConversionError", raises_at="if x > 0:", traces={"relu": 1}, compiles=0, prints="tracing relu"
"""
This function should return `x` when it is positive, else zero. It looks
right, and without `jit` it is right.

With `jit` it cannot work. `x > 0` is no longer True or False; it is one
more operation in the recording, whose result nobody knows yet. Python's
`if` needs to know *now* which branch to read. JAX cannot guess, so it
raises an error and names the line.

Run it and read the message of the error in the pane Why (`w`). Its first
line tells the shape and the dtype of the value that Python wanted to look
at.
"""


@jax.jit
def relu(x):
    print("tracing relu, x is", x)
    if x > 0:
        return x
    return jnp.zeros_like(x)


print(relu(jnp.array(1.0)))

# %% predict: What will happen?  answer="run.error.type.rpartition('.')[2] if run.error else 'it prints 1.0'"
"""
- `it prints 1.0`: the number 1.0 is not there while JAX traces. Python has
  only a placeholder to decide by.
- `TracerBoolConversionError`: `if` asks the placeholder to become True or
  False, and it cannot.
- `ValueError`: no value is wrong; the value is not known yet. JAX has an
  error of its own for this.
"""

# %% Five names, one reason  id="other-clothes", prints=["while: TracerBoolConversionError", "float: ConcretizationTypeError", "range: TracerIntegerConversionError", "numpy: TracerArrayConversionError", "select: NonConcreteBooleanIndexError", "shape: works"], compiles={"use_shape": 1}, traces={"use_float": 1, "use_range": 1, "use_select": 1}
"""
Whatever needs a real value from a traced one ends in the same way. The
errors have different names, because the name tells *what* was asked for:

- `if`, `while`, `and`, `bool(x)` ask for True or False;
- `float(x)`, `int(x)`, `x.item()` ask for a number of Python's own;
- `range(x)` and an index into a list ask for a whole number;
- a NumPy function asks for an array of real numbers;
- `x[x > 0]` asks for True or False at each place, to know how *long* the
  result is.

The last function also has an `if`, but it asks for the number of
dimensions. Run it, and match each line with its name.
"""


def use_while(x):
    while x[0] > 0:
        x = x - 1
    return x


def use_float(x):
    return x / float(x[0])


def use_range(x):
    return sum(range(x[0]))


def use_numpy(x):
    return np.sqrt(x)


def use_select(x):
    return x[x > 0]


def use_shape(x):
    return x if x.ndim == 0 else x[0]


for function in (
    use_while,
    use_float,
    use_range,
    use_numpy,
    use_select,
    use_shape,
):
    name = function.__name__.removeprefix("use_")
    try:
        jax.jit(function)(jnp.array([3, 4]))
        print(f"{name}: works")
    except Exception as error:
        print(f"{name}: {type(error).__name__}")

# %% predict: How many of the six functions can be jitted?  answer="len([line for line in run.lines() if line.endswith('works')])"
"""
- `0`: not every `if` is a problem. It depends on what is asked.
- `1`: the shape is known while JAX traces, so Python may decide by it. The
  other five ask for values.
- `2`: `np.sqrt(x)` looks harmless, but NumPy computes at once and needs the
  numbers for it.
- `3`: a loop with `range(x)` needs to know how far to count.
"""

# %% predict: Which error comes from `np.sqrt(x)`?  answer="next(line.split(': ')[1] for line in run.lines() if line.startswith('numpy'))"
"""
- `TracerBoolConversionError`: NumPy does not ask for True or False here. It
  wants all the numbers.
- `TracerArrayConversionError`: NumPy wants to make an array of the
  placeholder, and there are no numbers to put into it.
- `ConcretizationTypeError`: that is what `float(x)` and `int(x)` give,
  which want a single number.
"""

# %% predict: Which error comes from `range(x[0])`?  answer="next(line.split(': ')[1] for line in run.lines() if line.startswith('range'))"
"""
- `TracerIntegerConversionError`: `range` needs a whole number to count to.
- `TracerBoolConversionError`: that is for `if` and `while`, which need True
  or False.
- `ValueError`: nothing is wrong with the value. It is not known.
"""

# %% A vector is not True or False  id="vector-is-no-truth", raises="ValueError", raises_at="if x > 0:", prints=["a number, without jit: fine", "a vector, without jit: ValueError"]
"""
One error looks like the others and is not. An `if` on a *vector* fails
without `jit` as well. Ten comparisons give ten truth values; which of them
should decide? NumPy refuses in the same way.

So before you look for a tracer, ask: would this line work without `jit`?
If not, repair that first: `jnp.any(x > 0)` and `jnp.all(x > 0)` make one
truth value of many.

The line then works outside of `jit`. Inside of `jit` you would get the
error of the first step, because that one value is still unknown.
"""


def positive(x):
    if x > 0:
        return "fine"
    return "not positive"


print("a number, without jit:", positive(jnp.array(1.0)))
try:
    positive(jnp.array([1.0, 2.0]))
except ValueError as error:
    print("a vector, without jit:", type(error).__name__)
jax.jit(positive)(jnp.array([1.0, 2.0]))

# %% predict: Under jit, `if x > 0` gets a vector. Which error?  answer="run.error.type.rpartition('.')[2] if run.error else 'none'"
"""
- `TracerBoolConversionError`: JAX looks at the shape first. A vector cannot
  be True or False, whether its numbers are known or not.
- `ValueError`: several truth values are not one. This has nothing to do
  with tracing.
- `none`: one truth value has to be made of many first, with any or all.
"""

# %% Your turn: repair two functions  id="repair-two", raises="TracerArrayConversionError", raises_at="np.sqrt(x)", traces={"roots": 1}
"""
Both functions work without `jit`. With `jit`, each asks for a number too
early. Run it: the first one stops the program. Once that is repaired, the
second one will.

What must hold at the end:

- `roots` and `percent` are still jitted;
- each is traced once for its two calls;
- the results are the same as without `jit`.

Nothing has to be decided here. It is enough that the whole work stays with
JAX: ask for no Python number, and call no NumPy function on a traced
value.
"""


@jax.jit
def roots(x):
    return np.sqrt(x)


@jax.jit
def percent(x):
    total = float(jnp.sum(x))
    return 100 * x / total


for x in (np.float32([1, 4, 9]), np.float32([4, 16, 0])):
    print(roots(x))
    print(percent(x))

# %% hint
"""
`jnp` has nearly the same functions as `np`, and they can be recorded.
"""

# %% hint
"""
`return jnp.sqrt(x)`, and `total = jnp.sum(x)` without `float`. A traced
number can divide an array.
"""

# %% check
x = np.float32([1, 4, 9])
for name, function, wanted in (
    ("roots", roots, np.sqrt(x)),
    ("percent", percent, 100 * x / 14),
):
    assert run.traces(name) > 0, (
        f"expected: {name} is jitted; actual: jit never traced it"
    )
    assert run.traces(name) == 1, (
        f"expected: {name} is traced once for two calls; "
        f"actual: traced {run.traces(name)} times"
    )
    found = np.asarray(function(x))
    assert np.allclose(found, wanted, rtol=1e-3), (
        f"{name}, input: {x.tolist()}; expected: {wanted.tolist()}; "
        f"actual: {found.tolist()}"
    )


# %% solution
@jax.jit
def roots(x):
    return jnp.sqrt(x)


@jax.jit
def percent(x):
    total = jnp.sum(x)
    return 100 * x / total


for x in (np.float32([1, 4, 9]), np.float32([4, 16, 0])):
    print(roots(x))
    print(percent(x))

# %% wrong
"""
ConcretizationTypeError
"""


@jax.jit
def roots(x):
    return jnp.sqrt(x)


@jax.jit
def percent(x):
    total = jnp.sum(x).item()
    return 100 * x / total


for x in (np.float32([1, 4, 9]), np.float32([4, 16, 0])):
    roots(x)
    percent(x)

# %% wrong
"""
expected: percent is jitted; actual: jit never traced it
"""


@jax.jit
def roots(x):
    return jnp.sqrt(x)


def percent(x):
    total = float(jnp.sum(x))
    return 100 * x / total


for x in (np.float32([1, 4, 9]), np.float32([4, 16, 0])):
    roots(x)
    percent(x)

# %% wrong
"""
Non-hashable static arguments
"""


@jax.jit(static_argnums=0)
def roots(x):
    return np.sqrt(x)


@jax.jit
def percent(x):
    total = jnp.sum(x)
    return 100 * x / total


for x in (np.float32([1, 4, 9]), np.float32([4, 16, 0])):
    roots(x)
    percent(x)
