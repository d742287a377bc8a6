"""The carry keeps its type

`scan` records its body once. So what goes into a round must look like what
comes out of it: same shape, same dtype, same structure. Here you read the
error that says so.
"""

import jax
import jax.numpy as jnp
import numpy as np

prices = np.float32([4.0, 8.0, 6.0, 2.0])

# %% In as int, out as float  id="int-and-float", raises="TypeError", raises_at="jax.lax.scan(add", traces={"total": 1}, compiles=0, trace_prints=1
"""
`scan` hands the carry from round to round. Round 2 gets what round 1
returned, and both rounds are the *same* recording. So the carry may change
its numbers, but not its type.

Here the carry goes in as an `int32`, and a price of dtype `float32` is
added to it. Plain Python and NumPy would not mind.

If you get a message, find three things in it: the part of the carry, its
type as *input*, and its type as *output*. Then you choose: convert in the
body, or start with the right type. Nearly always the start is what is
wrong.
"""


@jax.jit
def total(prices):
    def add(sum_so_far, price):
        print("carry:", sum_so_far.dtype, "price:", price.dtype)
        return sum_so_far + price, None

    start = jnp.zeros((), dtype=jnp.int32)
    return jax.lax.scan(add, start, prices)[0]


print(total(prices))

# %% predict: What becomes of this sum, which starts with an integer 0?  answer="run.error.type.rpartition('.')[2] if run.error else '20.0'"
"""
- `20.0`: in NumPy it would. Here the second round would need another
  recording than the first one.
- `TypeError`: the carry goes in as int32 and comes out as float32.
- `ValueError`: no value is wrong; it is the types that differ.
"""

# %% In as one, out as two  id="growing", raises="TypeError", raises_at="jax.lax.scan(append", prints=["with the pair: [ 4. 12. 18. 20.]"], traces={"running": 1, "growing": 1}
"""
The shape belongs to the type as well. A list that grows by one entry in
each round is a common pattern in Python. As a carry it cannot work: no
round would look like the one before it.

This is what the second half of the pair is for. `body` returns a new carry
*and* something to collect. `scan` stacks what is collected into an array
with one entry for each round, and returns both: the last carry, and the
stack.

`running` does it in this way. `growing` tries to append; look at the two
shapes in its message.
"""


@jax.jit
def running(prices):
    def add(sum_so_far, price):
        new = sum_so_far + price
        return new, new

    last, all_of_them = jax.lax.scan(add, jnp.float32(0), prices)
    return all_of_them


@jax.jit
def growing(prices):
    def append(sums, price):
        return jnp.append(sums, sums[-1] + price), None

    return jax.lax.scan(append, jnp.zeros(1), prices)[0]


print("with the pair:", running(prices))
print("with append:", growing(prices))

# %% predict: `running` collects one number in each of 4 rounds. What is the shape of the stack?  answer="str(running(prices).shape)"
"""
- `()`: that is the shape of the carry, the last sum.
- `(4,)`: one entry for each round, stacked along a new first axis.
- `(5,)`: the start value is not collected, only what the rounds return.
"""

# %% Your turn: repair the carry  id="repair-the-carry", raises="TypeError", raises_at="jax.lax.scan(step", traces={"mean_and_highest": 1}
"""
This function goes over the prices once and finds two things: the mean, and
the highest price so far at each moment. Its carry is a tuple of two, and
both parts break the contract.

Repair it, so that

- it returns the mean, a number of dtype float32, and an array with the
  highest price after each round;
- it works for any number of prices, with one `scan`.

The message tells about both parts; the pane Why (`w`) shows it.
"""


@jax.jit
def mean_and_highest(prices):
    def step(carry, price):
        total, highest = carry
        new = jnp.maximum(highest[-1], price)
        return (total + price, jnp.append(highest, new)), None

    start = (jnp.int32(0), jnp.zeros(1))
    (total, highest), _ = jax.lax.scan(step, start, prices)
    return total / len(prices), highest[1:]


mean, highest = mean_and_highest(prices)
print(mean, highest)

# %% hint
"""
Start the sum with `jnp.float32(0)`. Carry only *one* highest price, a
number: `jnp.float32(0)`.
"""

# %% hint
"""
`new = jnp.maximum(highest, price)`, then
`return (total + price, new), new`: the second part of the pair is
collected.
"""

# %% hint
"""
`(total, _), highest = jax.lax.scan(step, start, prices)`, and
`return total / len(prices), highest`.
"""

# %% check
assert run.traces("mean_and_highest") == 1, (
    "expected: mean_and_highest is jitted and called once; "
    f"actual: traced {run.traces('mean_and_highest')} times"
)
for case in (prices, np.float32([5, 1.5, 7])):
    average, top = mean_and_highest(case)
    wanted = np.maximum.accumulate(case).tolist()
    assert np.asarray(top).tolist() == wanted, (
        f"prices: {case.tolist()}; expected highest: {wanted}; "
        f"actual: {np.asarray(top).tolist()}"
    )
    assert average.dtype == np.float32, (
        f"expected: a mean of dtype float32; actual: {average.dtype}"
    )
    assert abs(float(average) - float(case.mean())) < 1e-3, (
        f"prices: {case.tolist()}; expected mean: {case.mean():.3f}; "
        f"actual: {float(average):.3f}"
    )
assert "scan[" in run.jaxpr("mean_and_highest"), (
    "expected: one scan in the jaxpr; actual: there is none"
)


# %% solution
@jax.jit
def mean_and_highest(prices):
    def step(carry, price):
        total, highest = carry
        new = jnp.maximum(highest, price)
        return (total + price, new), new

    start = (jnp.float32(0), jnp.float32(0))
    (total, _), highest = jax.lax.scan(step, start, prices)
    return total / len(prices), highest


mean, highest = mean_and_highest(prices)
print(mean, highest)

# %% wrong
"""
carry input and carry output must have equal types
"""


@jax.jit
def mean_and_highest(prices):
    def step(carry, price):
        total, highest = carry
        new = jnp.maximum(highest, price)
        return (total + price, new), new

    start = (jnp.int32(0), jnp.float32(0))
    (total, _), highest = jax.lax.scan(step, start, prices)
    return total / len(prices), highest


mean, highest = mean_and_highest(prices)

# %% wrong
"""
expected highest: [4.0, 8.0, 8.0, 8.0]; actual: 8.0
"""


@jax.jit
def mean_and_highest(prices):
    def step(carry, price):
        total, highest = carry
        return (total + price, jnp.maximum(highest, price)), None

    start = (jnp.float32(0), jnp.float32(0))
    (total, highest), _ = jax.lax.scan(step, start, prices)
    return total / len(prices), highest


mean, highest = mean_and_highest(prices)

# %% wrong
"""
prices: [5.0, 1.5, 7.0]; expected mean: 4.500; actual: 4.333
"""


@jax.jit
def mean_and_highest(prices):
    def step(carry, price):
        total, highest = carry
        total = total + price.astype(jnp.int32)
        new = jnp.maximum(highest, price)
        return (total, new), new

    start = (jnp.int32(0), jnp.float32(0))
    (total, _), highest = jax.lax.scan(step, start, prices)
    return total / len(prices), highest


mean, highest = mean_and_highest(prices)

# %% wrong
"""
expected: one scan in the jaxpr; actual: there is none
"""


@jax.jit
def mean_and_highest(prices):
    total, highest, all_of_them = 0.0, prices[0], []
    for price in prices:
        total = total + price
        highest = jnp.maximum(highest, price)
        all_of_them.append(highest)
    return total / len(prices), jnp.stack(all_of_them)


mean, highest = mean_and_highest(prices)
