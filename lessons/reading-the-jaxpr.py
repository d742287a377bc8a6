"""Reading the recording

What JAX records while it traces is a small program, the *jaxpr*. You can
print it and read it. It is the best answer to the question: what did JAX
understand of my function?
"""

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

# %% What nobody needs is recorded too  id="dead-code", equations={"f": 2}, traces={"f": 1}, prints=["jaxpr has sin: True", "lowered text has sine: False"], holds="len(run.jaxpr('f')) > 0"
"""
JAX records what Python *does*. The first line of `f` computes a sine that
is never used. Python came to this line, so it stands in the jaxpr, with
the name `_`, which means: nobody asks for this result.

Is it a waste? Only of a little time for tracing. When JAX lowers the jaxpr
for the compiler, it drops what no result depends on. `lower` gives you the
lowered program without running it, and `as_text()` its text, in StableHLO.
There the sine is gone.

So do not count a jaxpr's lines to find out how fast a program will run.
Read it to see what was recorded.
"""


@jax.jit
def f(x):
    jnp.sin(x)
    return x + 1


recorded = str(jax.make_jaxpr(f)(x))
lowered = f.lower(x).as_text()
print("jaxpr has sin:", "sin" in recorded)
print("lowered text has sine:", "sine" in lowered)
f(x)

# %% predict: Where will the sine that nobody uses still be found?  answer="', '.join(name for name, found in (('in the jaxpr', 'sin' in recorded), ('in the lowered text', 'sine' in lowered)) if found)"
"""
- `in the jaxpr, in the lowered text`: lowering drops operations whose
  results are not used.
- `in the jaxpr`: recorded while JAX traced, dropped before compiling.
- `nowhere`: JAX does not look ahead while it traces. It writes down each
  operation when Python does it.
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


# %% Chapter 1: what do you expect?  id="chapter-one", traces={"f": 2}, cache="miss hit miss", trace_prints=4, prints=["shape (4,)", "[0. 3. 6. 9.]", "[0. 3. 6. 9.]", "shape (2,)", "[0. 7.]"], equations={"f": 2}
"""
Four questions about one small program, to look back at the whole chapter.
Read the code first, slowly; `x` is 0, 1, 2, 3. Choose an answer to each
question, then run. No answer needs a computer: all you need is *when* each
line runs, and what is known at that time.

If an answer turns out wrong, the text below it says why. The lesson to
look at again is one of these: "Python runs once, then the recording runs"
for the prints, "What the function really got" for the placeholders,
"Frozen at trace" for things from outside, and this one for the jaxpr.
"""

factor = 3.0


@jax.jit
def f(x):
    print("shape", x.shape)
    y = x * factor
    print("y is", y)
    jnp.exp(x)
    return y


print(f(x))
factor = 7.0
print(f(x))
print(f(x[:2]))

# %% predict: How many lines that start with "shape" are printed?  answer="len([line for line in run.lines() if line.startswith('shape')])"
"""
- `1`: the third call has another shape, so it is traced as well.
- `2`: shape (4,) once, shape (2,) once. The second call is a hit.
- `3`: a hit runs no Python, so the second call prints nothing from inside.
"""

# %% predict: The second call: factor is 7 now. What is its last number?  answer="float(run.lines()[3].strip('[]').split()[-1])"
"""
- `9.0`: 3 times 3. The recording was made while `factor` was 3.
- `21.0`: JAX does not look at `factor` again: shape and dtype are the
  same, so the old recording runs.
- `7.0`: the input is 3 there, and `factor` was frozen as 3 in the first
  call.
"""

# %% predict: The third call: which factor does it use?  answer="'7' if run.lines()[-1].endswith('7.]') else '3'"
"""
- `3`: this call has a new shape, so Python runs the body again and reads
  `factor` as it is now.
- `7`: a new trace reads the globals again. Frozen values that come back
  to life with a new shape are hard to find.
"""

# %% predict: How many operations are in the jaxpr of f?  answer="run.equations('f')"
"""
- `1`: the multiplication is one. The `jnp.exp` whose result nobody uses is
  recorded too.
- `2`: the multiplication and the unused `exp`. Python's `print` is not
  recorded.
- `4`: a `print` is no operation. Python does it while JAX traces.
"""
