"""Compare the fast call and the slow one

Two calls that should be equal, and one of them compiles. Here you compare
what JAX recorded for both, and learn what to do when there is no
difference to be seen.
"""

import difflib

import jax
import jax.numpy as jnp
import numpy as np

x = np.arange(4, dtype=np.float32)
two = np.float32(2)

# %% Comparing two recordings  id="comparing-two", cache={"g": "miss miss hit miss"}, reasons={"g": "dtype, shape"}, traces={"g": 3}, prints=["dtype:", "a:f32[4]", "a:i32[4]", "convert_element_type", "shape:", "a:f32[4]", "a:f32[5]"], holds=["run.compiles('g') == 3", "len(differing(x, x)) == 0"]
"""
`jax.jit(g).trace(value).jaxpr` is the recording that a call with this value
would use. Its text can be compared like any other, line by line: a line
with `-` is only in the first one, a line with `+` only in the second.

When a shape or a dtype slipped in, the lines that differ show it at once. A
`convert_element_type` shows where JAX had to change a dtype: a NumPy array
of integers got into a function made for floats.

In the tutor, `d` compares the chosen call with one before it: what JAX
looks up, and both programs. In a program of your own, let Python find what
differs, as `differing` does here.
"""


@jax.jit
def g(x):
    return x * jnp.sin(x) + jnp.cos(x)


def differing(a, b):
    texts = [str(g.trace(v).jaxpr).splitlines() for v in (a, b)]
    return [line for line in difflib.ndiff(*texts) if line[0] in "+-"]


for what, a, b in (
    ("dtype", x, x.astype(np.int32)),
    ("shape", x, np.ones(5, dtype=np.float32)),
):
    g(a)
    g(b)
    lines = differing(a, b)
    print(f"{what}: {len(lines)} lines differ")
    print(*lines, sep="\n")

# %% predict: float32 and int32 input, the same function. Does JAX record the same operations?  answer="'yes' if not [l for l in differing(x, x.astype(np.int32)) if 'convert' in l] else 'no'"
"""
- `yes`: a sine of integers does not exist, so they have to be converted
  first.
- `no`: with integers there is a `convert_element_type` more.
"""

# %% Four misses, one text  id="four-misses-one-text", cache={"scale": "miss miss miss miss", "made": "miss miss"}, reasons="weak type, call form, pytree, new function", prints=["0 letters differ", "0 letters differ", "0 letters differ", "0 letters differ"], holds="len(set(texts)) == 1"
"""
Do not stop when nothing differs. The printed jaxpr does not hold the whole
cache key. Here are four second calls that are misses, and the text of their
jaxprs is the same, letter by letter, as that of the first call.

What the text does not show:

- whether a number came from Python or was an array;
- how an argument was passed: by position or by name;
- the container that the arrays came in;
- whether the function is the same object.

Guess the cause of each pair from its code. The pane Why compares the keys
themselves and names the cause.
"""


def scale(values, times):
    return 2 * values[0], jnp.sin(times)


def make():
    def made(values, times):
        return 2 * values[0], jnp.sin(times)

    return made


jitted, again, once_more = (
    jax.jit(scale),
    jax.jit(make()),
    jax.jit(make()),
)
texts = []
for function, arguments, names in (
    (jitted, ([two], two), {}),
    (jitted, ([two], 2.0), {}),
    (jitted, ([two],), {"times": two}),
    (jitted, ((two,), two), {}),
    (again, ([two], two), {}),
    (once_more, ([two], two), {}),
):
    function(*arguments, **names)
    texts.append(str(function.trace(*arguments, **names).jaxpr))
for text in (*texts[1:4], texts[5]):
    print(sum(a != b for a, b in zip(text, texts[0])), "letters differ")

# %% predict: Call 2 passes 2.0 where call 1 passed an array of float32. Why a miss?  answer="run.calls[1].reason.kind"
"""
- `dtype`: both are floats of 32 bits.
- `weak type`: a Python number adapts its dtype to its partner, so it is
  another kind of input.
- `call form`: both are passed by position.
"""

# %% predict: Call 3 writes times=two instead of two. Why a miss?  answer="run.calls[2].reason.kind"
"""
- `call form`: by name or by position is part of the key.
- `weak type`: it is the same array of float32.
- `static value`: no argument is static here.
"""

# %% predict: Call 4 passes (two,) instead of [two]. Why a miss?  answer="run.calls[3].reason.kind"
"""
- `shape`: the array inside is the same.
- `pytree`: a tuple and a list are two structures.
- `call form`: both are passed by position.
"""

# %% predict: Call 6 has the arguments of call 5. Why a miss?  answer="run.calls[5].reason.kind"
"""
- `shape`: the arguments are the same to the last bit.
- `new function`: `make` is called twice, and makes a new function object
  each time.
- `pytree`: both times a list of one array.
"""

# %% Your turn: six calls, one program  id="six-calls", traces={"score": 6}, cache={"score": "miss miss miss miss miss miss"}, reasons={"score": "weak type, call form, dtype, shape, pytree"}, prints="[12.0, 12.0, 12.0, 12.0, 12.0, 12.0]"
"""
Six calls that should share one program, and six misses. Two of the causes
can be seen in the jaxprs, three cannot. All of them can be repaired where
the function is called: read the reasons from the top, and change the calls.

What must hold at the end:

- `score` is compiled once for the six calls;
- the result is 12 in each of them, as it is now;
- it is still six calls, and `half` is still used.

Inputs may be converted before the call. Convert them with NumPy: a `jnp`
operation outside of `jit` would be compiled as well.
"""


@jax.jit
def score(point, times):
    return jnp.sum(point["x"]) * jnp.max(times)


half = x.astype(np.float16)
results = [
    score({"x": x}, two),
    score({"x": x}, 2.0),
    score({"x": x}, times=two),
    score({"x": half}, two),
    score({"x": x[None]}, two),
    score({"x": x, "y": None}, two),
]
print([float(result) for result in results])

# %% hint
"""
`score({"x": x}, two)` is the model for all of them. What differs in the
others: a Python number, a name, a dtype, a shape, a second entry.
"""

# %% hint
"""
Write `np.float32(2.0)` for the number, and leave out `times=` and
`"y": None`.
"""

# %% hint
"""
`half.astype(np.float32)` has the dtype of `x`, and `x[None].reshape(4)`,
or `x` itself, has its shape.
"""

# %% check
assert len(run.calls) == 6, (
    f"expected: six calls of score; actual: {len(run.calls)} calls"
)
found = [float(result) for result in results]
assert found == [12.0] * 6, (
    f"expected: the result 12 six times; actual: {found}"
)
assert run.traces("score") == 1, (
    "expected: one trace for six calls; "
    f"actual: {run.traces('score')} traces, because of: "
    + ", ".join(
        row.reason.kind
        for row in run.calls
        if row.reason and row.reason.kind != "first call"
    )
)


# %% solution
@jax.jit
def score(point, times):
    return jnp.sum(point["x"]) * jnp.max(times)


half = x.astype(np.float16)
results = [
    score({"x": x}, two),
    score({"x": x}, np.float32(2.0)),
    score({"x": x}, two),
    score({"x": half.astype(np.float32)}, two),
    score({"x": x[None].reshape(4)}, two),
    score({"x": x}, two),
]
print([float(result) for result in results])

# %% wrong
"""
actual: 2 traces, because of: weak type
"""


@jax.jit
def score(point, times):
    return jnp.sum(point["x"]) * jnp.max(times)


half = x.astype(np.float16)
results = [
    score({"x": x}, two),
    score({"x": x}, jnp.asarray(2.0)),
    score({"x": x}, two),
    score({"x": half.astype(np.float32)}, two),
    score({"x": x}, two),
    score({"x": x}, two),
]

# %% wrong
"""
actual: 2 traces, because of: call form
"""


@jax.jit
def score(point, times):
    return jnp.sum(point["x"]) * jnp.max(times)


half = x.astype(np.float16)
results = [
    score({"x": x}, two),
    score({"x": x}, two),
    score({"x": x}, times=two),
    score({"x": half.astype(np.float32)}, two),
    score({"x": x}, two),
    score({"x": x}, two),
]

# %% wrong
"""
six calls of score; actual: 1 calls
"""


@jax.jit
def score(point, times):
    return jnp.sum(point["x"]) * jnp.max(times)


half = x.astype(np.float16)
results = [
    score({"x": x}, two),
] * 6

# %% wrong
"""
expected: the result 12 six times; actual: [12.0, 12.0, 12.0, 12.0, 12.0, 6.0]
"""


@jax.jit
def score(point, times):
    return jnp.sum(point["x"]) * jnp.max(times)


half = x.astype(np.float16)
results = [
    score({"x": x}, two),
    score({"x": x}, two),
    score({"x": x}, two),
    score({"x": half.astype(np.float32)}, two),
    score({"x": x}, two),
    score({"x": x}, two / 2),
]
