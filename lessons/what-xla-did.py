"""What the compiler did

XLA does not run your operations one after the other, as Python would. It
merges many of them into few. That is the reason why you jit at all, and it
tells you what to put into one jitted function.
"""

import jax
import jax.numpy as jnp
import numpy as np

x = np.linspace(0, 1, 1_000, dtype=np.float32)


def instructions(jitted, *values):
    """The lines of the compiled program that do work, by name."""
    text = jitted.lower(*values).compile().as_text()
    lines = text[text.index("ENTRY") :].splitlines()[1:]
    passive = (" parameter(", " constant(", " tuple(", " bitcast(")
    work = [line for line in lines if " = " in line]
    return [
        line.split(" = ")[0].replace("ROOT", "").strip()
        for line in work
        if not any(word in line for word in passive)
    ]


# %% Many operations, few kernels  id="many-operations-few-kernels", equations={"heavy": 100}, compiles={"heavy": 1}, holds=["run.equations('heavy') == 100", "1 <= len(left) < 50"]
"""
`heavy` has 100 operations. Run one by one, each of them would read the
whole array from memory, compute a little, and write the whole array back.
On a GPU, each would be a *kernel*: one small program that is started on
the device.

XLA puts operations together that work entry by entry. This is called
*fusion*: read once, do all the steps, write once. `compile()` gives the
finished program without running it, and `as_text()` shows it in XLA's own
language, HLO. `instructions` is a small helper of this lesson (`A` shows
it): it lists what is left to do.

A fused program can still need several kernels, for example when numbers
from the whole array must be added up.
"""


@jax.jit
def heavy(x):
    y = x
    for _ in range(20):
        y = jnp.sin(y) * jnp.cos(y) + jnp.tanh(y)
    return y


heavy(x)
left = instructions(heavy, x)
print("operations in the jaxpr: 100")
print("left after compiling:", len(left), left)

# %% predict: The jaxpr has 100 operations. How many instructions are left after compiling?  answer="'100 or more' if len(left) >= 100 else 'about 60' if len(left) >= 50 else 'far fewer'"
"""
- `100 or more`: the compiler does not just translate. It merges what works entry
  by entry.
- `about 60`: three for each round of the Python loop? The compiler never
  sees the rounds. It sees one long chain of operations.
- `far fewer`: the whole chain works entry by entry, so it can be fused
  into very few instructions.
"""

# %% Without jit: one program for each operation  id="without-jit", traces={"wave": 1}, compiles={"wave": 1}, cache="miss hit", holds=["len(run.eager) >= 4", "abs(float(slow) - float(fast(x))) < 0.01"]
"""
What happens without `jit`? JAX has no recording, so it runs each operation
at once, as Python comes to it. Each operation is a small program of its
own, compiled when it is met for the first time. The line *outside jit* in
the pane Calls counts these eager compiles.

So both ways compile. With `jit`, you get one program, fused. Without, you
get many small ones: each is started by Python, and each reads and writes
the whole array.

Is `jit` always worth it? Compiling costs once, say 100 ms. If it saves
1 ms in each call, it pays off after 100 calls. A function that is called
three times with small data may be better off without.
"""


def wave(x):
    return jnp.sum(jnp.tanh(x) * jnp.sin(x) + jnp.cos(x))


slow = wave(x)
fast = jax.jit(wave)
print("without jit:", slow)
print("with jit:   ", fast(x))
print("once more:  ", fast(x))

# %% predict: wave runs once without jit. How many small programs does that compile?  answer="'none' if not run.eager else 'one' if len(run.eager) == 1 else 'several'"
"""
- `none`: also without `jit`, the device can only run compiled programs.
- `one`: there is no recording of the whole function, so JAX cannot put its
  operations together.
- `several`: about one for each kind of operation. A second `*` of the same
  shape would find the first one's program.
"""

# %% Your turn: one program, not three  id="one-program-not-three", compiles=3, traces={"scale": 1, "bend": 1, "total": 1}, cache="miss miss miss"
"""
Three helpers, each one jitted, called one after the other. That makes
three programs. Between them, the whole array goes to memory and back, and
XLA cannot fuse across the border of a program.

Change the code so that **one** program is compiled for the whole `model`.
Keep the three helpers and what they compute. They may stay jitted: a
jitted function that is called inside another one becomes a part of the
outer program.
"""


@jax.jit
def scale(x):
    return 3 * x + 1


@jax.jit
def bend(x):
    return jnp.tanh(x)


@jax.jit
def total(x):
    return jnp.sum(x)


def model(x):
    return total(bend(scale(x)))


result = model(x)
print(result)

# %% hint
"""
The outermost jitted function decides what becomes one program. Which
function contains all three steps?
"""

# %% hint
"""
Below the function `model`, write `model = jax.jit(model)`. Or write
`@jax.jit` in the line above `def model(x):`, which does the same.
"""

# %% check
wanted = float(np.tanh(3 * x + 1).sum())
assert abs(float(result) - wanted) < 0.5, (
    f"input: 1000 numbers from 0 to 1; expected: {wanted:.2f}; "
    f"actual: {float(result):.2f}"
)
built = {name: c.compiles for name, c in run.functions.items()}
built = {name: count for name, count in built.items() if count}
assert not [
    e for e in run.eager if e.function in ("tanh", "_reduce_sum")
], "expected: no operation outside of jit; actual: " + ", ".join(
    event.function for event in run.eager
)
assert sum(built.values()) == 1, (
    "expected: one compiled program; "
    f"actual: {sum(built.values())}, of {', '.join(built) or 'none'}"
)


# %% solution
@jax.jit
def scale(x):
    return 3 * x + 1


@jax.jit
def bend(x):
    return jnp.tanh(x)


@jax.jit
def total(x):
    return jnp.sum(x)


def model(x):
    return total(bend(scale(x)))


model = jax.jit(model)
result = model(x)
print(result)


# %% wrong
"""
expected: no operation outside of jit; actual:
"""


def scale(x):
    return 3 * x + 1


def bend(x):
    return jnp.tanh(x)


def total(x):
    return jnp.sum(x)


def model(x):
    return total(bend(scale(x)))


result = model(x)


# %% wrong
"""
expected: one compiled program; actual: 2
"""


@jax.jit
def scale_and_bend(x):
    return jnp.tanh(3 * x + 1)


@jax.jit
def total(x):
    return jnp.sum(x)


def model(x):
    return total(scale_and_bend(x))


result = model(x)


# %% wrong
"""
actual: 2.50
"""


@jax.jit
def model(x):
    return jnp.sum(3 * x + 1) / 1000


result = model(x)

# %% Chapter 2: what do you expect?  id="chapter-two", traces={"cost": 2}, compiles={"cost": 2}, cache="miss hit miss hit", equations={"cost": 3}, holds=["len(run.eager) >= 1", "run.calls[0].call.compile_ms is not None"]
"""
Four questions to look back at chapter 2. Read the code, then answer.

`cost` gets an array of 100 numbers twice, then an array of 50 numbers
twice. The input is made by NumPy the first two times. The last two times
it is made by `jnp.arange`, outside of `jit`.

If one of the questions is hard: what a first call pays for stands in "The
first call and the next ones" and in "Four bars, four knobs"; eager
compiles are in "The benchmark that lies"; fusion is in this lesson.
"""


@jax.jit
def cost(x):
    return jnp.sum(jnp.sin(x) * x)


hundred = np.arange(100, dtype=np.float32) / 100
cost(hundred)
cost(hundred)
cost(jnp.arange(50, dtype=jnp.float32))
cost(jnp.arange(50, dtype=jnp.float32))

# %% predict: How often is cost compiled?  answer="run.compiles('cost')"
"""
- `1`: 100 numbers and 50 numbers are two shapes.
- `2`: one program for each shape. The repeated calls are hits.
- `4`: a repeated call finds the program that its shape already has.
"""

# %% predict: jnp.arange is called twice with the same length, outside of jit. How often is its program compiled?  answer="len([e for e in run.eager if e.function == run.eager[0].function])"
"""
- `0`: an operation outside of `jit` is a small program too, and has to be
  compiled.
- `1`: compiled before call 3. Before call 4, JAX finds it again: these
  small programs have a cache as well.
- `2`: the length is the same, so the second time it is found.
"""

# %% predict: What does `cost(hundred)` wait for before it comes back the second time?  answer="'only for handing over the work' if run.calls[1].call.compile_ms is None and run.calls[1].execute_ms is None else 'for the result'"
"""
- `for the compiler`: it was done in the first call.
- `for the result`: nobody asked for the numbers, so the call comes back
  while the device may still be working.
- `only for handing over the work`: dispatch is asynchronous.
  `block_until_ready`, `print` or `float` would wait.
"""

# %% predict: How many operations has the jaxpr of cost?  answer="run.equations('cost')"
"""
- `1`: after fusion there may be one or two instructions. The jaxpr is what
  was recorded, before XLA.
- `3`: `sin`, the multiplication, and the sum.
- `300`: one operation works on the whole array.
"""
