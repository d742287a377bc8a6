"""Branches: Python cannot see the numbers

While JAX traces, there are no numbers, so Python cannot decide anything by
them. Here you meet the errors that this causes, and the first way out.
"""

import jax
import jax.numpy as jnp

# %% An if on a traced value  id="an-if", raises="TracerBoolConversionError", raises_at="if x > 0:", traces={"relu": 1}, compiles=0, prints="tracing relu"
"""
This function should return `x` when it is positive, else zero. It looks
right, and without `jit` it is right.

With `jit` it cannot work. `x > 0` is no longer True or False; it is one
more operation in the recording, whose result nobody knows yet. Python's
`if` needs to know *now* which branch to read. JAX cannot guess, so it
raises an error and names the line.

Run it and read the first line of the error. It tells the shape and the
dtype of the value that Python wanted to look at.
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

# %% The same problem in other clothes  id="other-clothes", prints=["while: TracerBoolConversionError", "bool: TracerBoolConversionError", "int: ConcretizationTypeError", "range: TracerIntegerConversionError", "vector: ValueError", "shape: works"], compiles={"use_shape": 1}, traces={"use_int": 1, "use_range": 1}
"""
Whatever needs a Python number or a Python truth from a traced value ends
in the same way: `while`, `bool(x)`, `int(x)`, `range(x)`, an index into a
list. The names of the errors differ; the reason is always that the value
is not known during tracing.

Look out for the fifth: an `if` on a *vector* raises a plain `ValueError`.
That is not about tracing. Many values are no single truth, not even in
NumPy.

The last function also has an `if`, but it asks for the *shape*.
"""


def use_while(x):
    while x > 0:
        x = x - 1
    return x


def use_bool(x):
    return bool(x)


def use_int(x):
    return int(x)


def use_range(x):
    return sum(range(x))


def use_vector(x):
    return x if jnp.stack([x, x]) > 0 else -x


def use_shape(x):
    return x if x.ndim == 0 else x[0]


for function in (
    use_while,
    use_bool,
    use_int,
    use_range,
    use_vector,
    use_shape,
):
    name = function.__name__.removeprefix("use_")
    try:
        jax.jit(function)(jnp.array(3))
        print(f"{name}: works")
    except Exception as error:
        print(f"{name}: {type(error).__name__}")

# %% predict: How many of the six functions can be jitted?  answer="len([line for line in run.lines() if line.endswith('works')])"
"""
- `0`: not every `if` is a problem. It depends on what is asked.
- `1`: the shape is known while JAX traces, so Python may decide by it. The
  other five ask for the value.
- `2`: `bool(x)` and `int(x)` look harmless, but they too need a number.
- `3`: a loop with `range(x)` needs to know how far to count.
"""

# %% Your turn: the choice as data  id="choice-as-data", raises="TracerBoolConversionError", raises_at="if x > 0:"
"""
The way out for small choices: make the choice an operation. `jnp.where(
condition, a, b)` takes from `a` where the condition is true, else from
`b`, separately at each position. Nothing has to be known during tracing:
JAX records both sides and the selection.

Repair `relu` with `jnp.where`. It should

- work for a single number and for a whole vector;
- return `x` where it is positive, and 0 elsewhere;
- still be jitted.

When it runs, look at the jaxpr: `gt` is the comparison, and inside
`_where` stands `select_n`, the selection.
"""


@jax.jit
def relu(x):
    if x > 0:
        return x
    return jnp.zeros_like(x)


print(relu(jnp.array(2.0)))
print(relu(jnp.array([-1.0, -0.5, 0.0, 0.5, 1.0])))

# %% hint
"""
`jnp.where` replaces the `if` and both `return` lines. The condition is the
same as before.
"""

# %% hint
"""
The body is one line: `return jnp.where(x > 0, x, 0.0)`.
"""

# %% check
assert run.traces("relu") > 0, (
    "expected: relu is jitted; actual: jit never traced it"
)
values = [-1.0, -0.5, 0.0, 0.5, 1.0]
wanted = [0.0, 0.0, 0.0, 0.5, 1.0]
found = relu(jnp.array(values)).tolist()
assert found == wanted, (
    f"input: {values}; expected: {wanted}; actual: {found}"
)
for value in (2.0, -2.0):
    found = float(relu(jnp.array(value)))
    assert found == max(value, 0.0), (
        f"input: {value}; expected: {max(value, 0.0)}; actual: {found}"
    )


# %% solution
@jax.jit
def relu(x):
    return jnp.where(x > 0, x, 0.0)


print(relu(jnp.array(2.0)))
print(relu(jnp.array([-1.0, -0.5, 0.0, 0.5, 1.0])))

# %% wrong
"""
TracerBoolConversionError
"""


@jax.jit
def relu(x):
    if jnp.all(x > 0):
        return x
    return jnp.zeros_like(x)


print(relu(jnp.array([-1.0, -0.5, 0.0, 0.5, 1.0])))

# %% wrong
"""
jit never traced it
"""


def relu(x):
    return jnp.where(x > 0, x, 0.0)


print(relu(jnp.array([-1.0, -0.5, 0.0, 0.5, 1.0])))

# %% wrong
"""
expected: [0.0, 0.0, 0.0, 0.5, 1.0]; actual: [1.0, 0.5, -0.0, 0.5, 1.0]
"""


@jax.jit
def relu(x):
    return jnp.where(x > 0, x, -x)


print(relu(jnp.array([-1.0, -0.5, 0.0, 0.5, 1.0])))
