"""Loops that end by themselves, and their gradients

`scan` makes a fixed number of rounds. When the data decides how many, there
are two other loops. One program then serves any number of rounds, but you
may lose the gradient.
"""

import jax
import jax.numpy as jnp
import numpy as np

# %% As many rounds as it takes  id="while-and-fori", traces={"halvings": 1, "power": 1}, compiles={"halvings": 1, "power": 1}, cache={"halvings": "miss hit", "power": "miss hit"}, trace_prints=2, prints=["halvings of 100: 7", "halvings of 1000: 10", "3 to the 4: 81.0", "3 to the 2: 9.0"], holds=["'while[' in run.jaxpr('halvings')", "'while[' in run.jaxpr('power')"]
"""
- `lax.while_loop(condition, body, start)` repeats as long as the condition
  holds. It is what a Python `while` cannot be under `jit`.
- `lax.fori_loop(first, last, body, start)` counts: `body` gets the number
  of the round and the carry. `last` may be a traced value.

Both keep the contract of the carry, as `scan` does, but they collect
nothing.

The second call of each function below is a hit, though it makes a different
number of rounds. In the jaxprs, both loops are one `while` with the two
small programs inside.

How often does Python run the body, and how often the device?
"""


@jax.jit
def halvings(x):
    def body(state):
        print("tracing the body of halvings")
        value, rounds = state
        return value / 2, rounds + 1

    return jax.lax.while_loop(lambda s: s[0] > 1, body, (x, 0))[1]


@jax.jit
def power(x, n):
    def body(_, y):
        print("tracing the body of power")
        return y * x

    return jax.lax.fori_loop(0, n, body, jnp.float32(1))


print("halvings of 100:", halvings(np.float32(100)))
print("halvings of 1000:", halvings(np.float32(1000)))
print("3 to the 4:", power(np.float32(3), np.int32(4)))
print("3 to the 2:", power(np.float32(3), np.int32(2)))

# %% predict: How many lines are printed while JAX traces, for 7, 10, 4 and 2 rounds?  answer="len(run.lines('trace'))"
"""
- `23`: the device makes 23 rounds, but Python reads each body only once.
- `4`: the number of rounds is not in the key, so the second call of each
  function is a hit.
- `2`: one look at each body; then one program serves any number of rounds.
"""

# %% Which loop has a gradient?  id="which-loop-has-a-gradient", raises="ValueError", raises_at="jax.grad(with_while)", prints=["scan: 12.0", "fori: 12.0"]
"""
To compute a gradient, JAX goes through the loop backwards. For that it has
to keep a value from each round, so it must know the number of rounds while
it traces.

- `scan` has a fixed length: it works, and so does `fori_loop` when both
  bounds are plain numbers. JAX then turns it into a `scan`.
- `while_loop` may make any number of rounds, and so may `fori_loop` with a
  traced bound.

All three functions below compute `x` to the power 3. Its slope at 2 is 12.
The gradient is asked for on the last three lines. Which of them will work?
"""


def with_scan(x):
    return jax.lax.scan(lambda y, _: (y * x, None), 1.0, length=3)[0]


def with_fori(x):
    return jax.lax.fori_loop(0, 3, lambda _, y: y * x, 1.0)


def with_while(x):
    def body(state):
        return state[0] * x, state[1] + 1

    return jax.lax.while_loop(lambda s: s[1] < 3, body, (1.0, 0))[0]


print("scan:", jax.grad(with_scan)(2.0))
print("fori:", jax.grad(with_fori)(2.0))
print("while:", jax.grad(with_while)(2.0))

# %% predict: with_while always makes 3 rounds. Does its gradient work?  answer="'it raises an error' if run.error else 'it prints 12.0'"
"""
- `it prints 12.0`: you can see that there are 3 rounds. JAX sees only a
  condition, whose value is not known while it traces.
- `it raises an error`: the number of rounds is not known, so JAX cannot
  tell how much it has to keep.
- `it prints 0.0`: JAX does not guess a gradient that it cannot compute.
"""

# %% Your turn: get the gradient back  id="gradient-back", raises="ValueError", raises_at="jax.grad(settle)", traces={"slope": 1}, compiles={"slope": 0}
"""
`settle` repeats a formula `n` times, with `n` between 1 and 8. `slope`
should give its slope, and cannot: `n` is traced, so the loop becomes a
`while`.

Repair it, so that

- the slopes are right for each `n`;
- `slope` is compiled only once for all `n`: so `n` stays an ordinary
  argument.

A loop of fixed length can do this: always make 8 rounds, and in each round
select whether it counts. You know how to make a choice as data.
"""

LONGEST = 8


def settle(x, n):
    return jax.lax.fori_loop(0, n, lambda i, y: jnp.cos(y), x)


@jax.jit
def slope(x, n):
    return jax.grad(settle)(x, n)


slopes = []
for n in (1, 3, 8):
    slopes.append(float(slope(np.float32(0.5), n)))
print(slopes)

# %% hint
"""
Give the loop the plain number `LONGEST` as its end. `i` is the number of
the round: the round counts if `i < n`.
"""

# %% hint
"""
The body: `lambda i, y: jnp.where(i < n, jnp.cos(y), y)`. The loop:
`jax.lax.fori_loop(0, LONGEST, body, x)`.
"""

# %% check
assert len(slopes) == 3, f"expected: 3 slopes; actual: {len(slopes)}"
for n, found in zip((1, 3, 8), slopes, strict=True):
    value, wanted = 0.5, 1.0
    for _ in range(n):
        wanted, value = wanted * -np.sin(value), np.cos(value)
    assert abs(found - wanted) < 1e-3, (
        f"x=0.5, n={n}; expected slope: {wanted:.4f}; "
        f"actual: {found:.4f}"
    )
assert run.compiles("slope") == 1, (
    "expected: slope is compiled once for three values of n; "
    f"actual: compiled {run.compiles('slope')} times"
)


# %% solution
LONGEST = 8


def settle(x, n):
    def body(i, y):
        return jnp.where(i < n, jnp.cos(y), y)

    return jax.lax.fori_loop(0, LONGEST, body, x)


@jax.jit
def slope(x, n):
    return jax.grad(settle)(x, n)


slopes = []
for n in (1, 3, 8):
    slopes.append(float(slope(np.float32(0.5), n)))
print(slopes)

# %% wrong
"""
compiled 3 times
"""


def settle(x, n):
    return jax.lax.fori_loop(0, n, lambda i, y: jnp.cos(y), x)


@jax.jit(static_argnums=1)
def slope(x, n):
    return jax.grad(settle)(x, n)


slopes = []
for n in (1, 3, 8):
    slopes.append(float(slope(np.float32(0.5), n)))

# %% wrong
"""
x=0.5, n=1; expected slope: -0.4794; actual:
"""


def settle(x, n):
    return jax.lax.fori_loop(0, 8, lambda i, y: jnp.cos(y), x)


@jax.jit
def slope(x, n):
    return jax.grad(settle)(x, n)


slopes = []
for n in (1, 3, 8):
    slopes.append(float(slope(np.float32(0.5), n)))

# %% wrong
"""
Reverse-mode differentiation does not work for lax.while_loop
"""


def settle(x, n):
    def body(state):
        return jnp.cos(state[0]), state[1] + 1

    return jax.lax.while_loop(lambda s: s[1] < n, body, (x, 0))[0]


@jax.jit
def slope(x, n):
    return jax.grad(settle)(x, n)


slopes = []
for n in (1, 3, 8):
    slopes.append(float(slope(np.float32(0.5), n)))

# %% What you know about loops  id="mixed-loops", traces={"unrolled": 2, "scanned": 1, "counted": 1}, cache={"unrolled": "miss miss", "scanned": "miss hit", "counted": "miss hit"}, equations={"scanned": 1}, trace_prints=9, prints="scanned: [ 4. 12. 36.]"
"""
The end of the chapter: four questions about one short program. Three
functions multiply by 3 again and again:

- `unrolled` has a Python loop over a static number of rounds;
- `scanned` has a `scan` of length 3, which also collects each carry;
- `counted` has a `fori_loop` up to a traced number.

Each is called twice. Answer first, then run and see. Look at the prints
marked `T`, at the strip of hits and misses, and at the sizes of the three
jaxprs.
"""


def triple(y):
    print("reading triple")
    return 3 * y


@jax.jit(static_argnums=1)
def unrolled(x, rounds):
    for _ in range(rounds):
        x = triple(x)
    return x


@jax.jit
def scanned(x):
    def body(y, _):
        return triple(y), y

    return jax.lax.scan(body, x, length=3)[1]


@jax.jit
def counted(x, rounds):
    return jax.lax.fori_loop(0, rounds, lambda _, y: triple(y), x)


four = np.float32(4)
unrolled(four, 2)
unrolled(four, 5)
scanned(four)
print("scanned:", scanned(four))
counted(four, np.int32(2))
counted(four, np.int32(5))

# %% predict: unrolled: 2 rounds, then 5. How often does Python read `triple` for it?  answer="len(run.lines('trace')) - 2"
"""
- `2`: each trace reads it once a round, not once.
- `5`: the second call is a miss, and its trace starts from the beginning.
- `7`: 2 rounds in the first program, 5 in the second.
"""

# %% predict: counted: 2 rounds, then 5. What does the strip show?  answer="' '.join(run.cache('counted'))"
"""
- `miss hit`: the number of rounds is a traced value. It is not in the key.
- `miss miss`: that is what a static number of rounds would cost.
- `error`: `range` would fail with a traced number; `fori_loop` is made for
  it.
"""

# %% predict: scanned starts with 4 and collects the carry *before* each round. What does it print?  answer="' '.join(str(int(v)) for v in scanned(four))"
"""
- `12 36 108`: that would be the carry after each round. Look at what the
  body returns as its second value.
- `4 12 36`: one entry for each of three rounds, taken before multiplying.
- `108`: that is the last carry. `[1]` takes the stack, not the carry.
"""

# %% predict: How many equations are at the top level of scanned's jaxpr?  answer="run.equations('scanned')"
"""
- `1`: the whole loop is one `scan`, with its body inside.
- `3`: `scan` does not unroll. Its body is recorded once, inside.
- `0`: a loop is an operation too, so there is something to see.
"""
