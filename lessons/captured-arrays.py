"""Captured arrays

A jitted function can use an array that is not among its arguments. JAX
then *captures* the array: it becomes a constant of the program. You will
see where it stands in the jaxpr, what it costs, and why it does not
change any more.
"""

import jax
import jax.numpy as jnp
import numpy as np

x = np.array([1.0, 2.0, 3.0], dtype=np.float32)

# %% A constant of the program  id="a-constant-of-the-program", cache="miss hit miss", traces={"captured": 1, "passed": 1}, prints=["captured: 6.0", "captured: 6.0", "passed: 60.0"], holds=["run.jaxpr('captured').startswith('{ lambda a:f32[3]; b:f32[3].')", "run.jaxpr('passed').startswith('{ lambda ; ')"]
"""
`captured` takes `weights` from outside. `passed` gets them as an argument.
Look at the first line of each jaxpr (`g`, then `,` for the other one).
There is a `;` after `lambda`. What stands *left* of it are constants that
were captured; what stands *right* of it are the arguments.

Below, the name `weights` gets a new array. `captured` does not see it: its
constant was captured while JAX traced. You know this from the global
number in chapter 1. With arrays it happens more often, because weights
change in each step of a training.
"""

weights = jnp.array([1.0, 1.0, 1.0])


@jax.jit
def captured(x):
    return jnp.sum(x * weights)


@jax.jit
def passed(x, weights):
    return jnp.sum(x * weights)


print("captured:", captured(x))
weights = 10 * weights
print("captured:", captured(x))
print("passed:", passed(x, weights))

# %% predict: The sum of x is 6. weights is 10 times as large now. What does captured(x) give?  answer="float(run.lines()[1].split()[-1])"
"""
- `60.0`: the function would have to be traced again. The kind of `x` is
  the same, so the call is a hit.
- `6.0`: the old array is a part of the program.
- `10.0`: the captured array is the old one, with three ones.
"""

# %% The compiler must carry it  id="the-compiler-must-carry-it", cache="miss miss", traces={"captured": 1, "passed": 1}, holds=["sizes[0] > 20 * sizes[1]", "sizes[1] < 2000"]
"""
A captured array is written into the program that goes to the compiler.
`lower` gives you that program before it is compiled. Look at the length of
its text.

Think of a model with millions of weights. Lowering and compiling get slow
and need a lot of memory, and each program carries a copy of its own. JAX
warns you only when it is very much.

An argument costs nothing of that: the program only says "an array of this
shape and dtype goes in here".

Small constants are fine. Large arrays, and everything that changes, should
be arguments.
"""

large = np.arange(5000, dtype=np.float32)
ones = np.ones(5000, np.float32)


@jax.jit
def captured(x):
    return jnp.sum(x * large)


@jax.jit
def passed(x, large):
    return jnp.sum(x * large)


captured(ones)
passed(ones, large)
sizes = [
    len(captured.lower(ones).as_text()),
    len(passed.lower(ones, large).as_text()),
]
print("length of the program, captured:", sizes[0])
print("length of the program, passed:  ", sizes[1])

# %% predict: 5000 numbers are captured. How much longer is the program's text than with an argument?  answer="'more than 20 times' if sizes[0] > 20 * sizes[1] else 'about as long'"
"""
- `about as long`: the program would have to refer to the array. It holds
  the numbers themselves.
- `twice as long`: each of the 5000 numbers has to be written into it.
- `more than 20 times`: all 5000 numbers are a part of the program.
"""

# %% Your turn: weights as an argument  id="weights-as-an-argument", cache="miss hit hit", traces={"predict": 1}, holds=["run.jaxpr('predict').startswith('{ lambda a:f32[3]; b:f32[3].')", "answers == [6.0, 6.0, 6.0]"]
"""
This program makes a prediction, then improves its weights, three times.
But the predictions do not change: `predict` has captured the first
weights.

Repair it. What must hold:

- the three predictions use weights 1, 2 and 3, so they are 6, 12 and 18;
- `predict` captures no array: in its jaxpr, `;` comes right after `lambda`;
- `predict` is traced only once.
"""

weights = jnp.array([1.0, 1.0, 1.0])


@jax.jit
def predict(x):
    return jnp.sum(x * weights)


answers = []
for _ in range(3):
    answers.append(float(predict(x)))
    weights = weights + 1
print(answers)

# %% hint
"""
Give `predict` a second argument, and pass the weights of the moment in
each call.
"""

# %% hint
"""
Write `def predict(x, weights):`, and call `predict(x, weights)` in the
loop.
"""

# %% check
assert run.traces("predict") > 0, (
    "expected: predict is jitted; actual: jit never traced it"
)
assert answers == [6.0, 12.0, 18.0], (
    f"x={x.tolist()}, weights 1, 2, 3; expected: [6.0, 12.0, 18.0]; "
    f"actual: {answers}"
)
assert run.traces("predict") == 1, (
    "expected: predict is traced once; "
    f"actual: traced {run.traces('predict')} times"
)
first = run.jaxpr("predict").splitlines()[0]
assert first.startswith("{ lambda ;"), (
    "expected: the jaxpr starts with { lambda ; and has no constants; "
    f"actual: {first}"
)

# %% solution
weights = jnp.array([1.0, 1.0, 1.0])


@jax.jit
def predict(x, weights):
    return jnp.sum(x * weights)


answers = []
for _ in range(3):
    answers.append(float(predict(x, weights)))
    weights = weights + 1
print(answers)

# %% wrong
"""
expected: predict is traced once; actual: traced 3 times
"""

weights = jnp.array([1.0, 1.0, 1.0])


@jax.jit
def predict(x):
    return jnp.sum(x * weights)


answers = []
for _ in range(3):
    jax.clear_caches()
    answers.append(float(predict(x)))
    weights = weights + 1

# %% wrong
"""
has no constants; actual: { lambda a:f32[3];
"""

start = jnp.array([1.0, 1.0, 1.0])


@jax.jit
def predict(x, times):
    return jnp.sum(x * start) * times


answers = []
for number in (1.0, 2.0, 3.0):
    answers.append(float(predict(x, number)))

# %% wrong
"""
weights 1, 2, 3; expected: [6.0, 12.0, 18.0]; actual: [6.0, 6.0, 6.0]
"""

weights = jnp.array([1.0, 1.0, 1.0])


@jax.jit
def predict(x):
    global weights
    return jnp.sum(x * weights)


answers = []
for _ in range(3):
    answers.append(float(predict(x)))
    weights = weights + 1

# %% Chapter 4: what do you expect?  id="chapter-four", cache="miss miss hit miss", traces={"f": 3}, compiles={"f": 3}, reasons="static value, static value", holds="run.jaxpr('f').startswith('{ lambda a:f32[3]; b:f32[3].')", prints=["shift: 0.0", "shift: 0.0", "shift: 1.0"]
"""
Four questions to look back at chapter 4. `f` has one static argument and
uses one array from outside. After the second call, the name `shift` gets a
new array.

If one of the questions is hard: static values are in "Static arguments: a
new program on purpose" and in "The counter", lists are in "What can be
static: hashes, equality, self", and arrays from outside are in this
lesson.
"""

shift = jnp.zeros(3)


@jax.jit(static_argnames="n")
def f(x, n):
    return n * x + shift


print("shift:", f(0 * x, n=2)[0])
f(0 * x, n=3)
shift = jnp.ones(3)
print("shift:", f(0 * x, n=2)[0])
print("shift:", f(0 * x, n=4)[0])

# %% predict: How many programs are compiled for the four calls of f?  answer="run.compiles('f')"
"""
- `1`: `n` is static, so each value of `n` has a program of its own.
- `3`: for n = 2, 3 and 4. The second call with 2 finds the first one's.
- `4`: a static value that comes again is a hit.
"""

# %% predict: The third call, with n=2: which shift does it use?  answer="'the zeros' if run.lines()[1].endswith('0.0') else 'the ones'"
"""
- `the zeros`: a hit, so the program with the captured zeros runs.
- `the ones`: a hit does not look at `shift` again.
"""

# %% predict: The fourth call, with n=4: which shift does it use?  answer="'the zeros' if run.lines()[2].endswith('0.0') else 'the ones'"
"""
- `the zeros`: n = 4 is new, so JAX traces, and it captures what `shift` is
  now.
- `the ones`: a new trace captures the new array. Now two programs of the
  same function use two different arrays.
"""

# %% predict: In the jaxpr of f: is n left of the ;, right of it, or nowhere?  answer="'nowhere' if run.jaxpr('f').splitlines()[0].count(':') == 2 else 'right of it'"
"""
- `left of it`: there stands the captured array `shift`. A static value is
  written into the operations as a number.
- `right of it`: there stand the traced arguments, and that is only `x`.
- `nowhere`: a static argument is no input of the program.
"""
