"""A real branch: cond

`where` always computes both sides. When a side is expensive, you want a
branch that is really taken or left. `jax.lax.cond` puts one into the
program.
"""

import jax
import jax.numpy as jnp
import numpy as np

x = np.float32([-1.0, 0.5, 2.0])
yes, no = np.bool_(True), np.bool_(False)

# %% Both are recorded, one is run  id="lax-cond", traces={"soft_or_sharp": 1}, compiles={"soft_or_sharp": 1}, cache="miss hit", trace_prints=2, prints=["tracing sharp", "tracing soft", "sharp=True: [0.  0.5 2. ]", "sharp=False: [0.31"], holds=["sorted(line for line in run.lines('run') if line[0] == 'r') == ['running sharp', 'running soft']", "'cond[' in run.jaxpr('soft_or_sharp')"]
"""
`jax.lax.cond(which, if_true, if_false, x)` gets a truth value, two
functions and what to call them with. `which` may be traced.

JAX has to *record* both functions, because it does not know which one will
be wanted: look for the trace prints. When the program *runs*, the device
executes only the chosen one: look for the run prints.

In the jaxpr you find one `cond` with both branches inside. Note that you
give the functions themselves, without calling them: `sharp_relu`, not
`sharp_relu(x)`.
"""


def sharp_relu(x):
    print("tracing sharp")
    jax.debug.print("running sharp")
    return jnp.where(x > 0, x, 0.0)


def soft_relu(x):
    print("tracing soft")
    jax.debug.print("running soft")
    return jax.nn.softplus(x)


@jax.jit
def soft_or_sharp(x, sharp):
    return jax.lax.cond(sharp, sharp_relu, soft_relu, x)


print("sharp=True:", soft_or_sharp(x, yes))
print("sharp=False:", soft_or_sharp(x, no))

# %% predict: In two calls, how many branches are traced, and how many are run?  answer="f\"{len(run.lines('trace'))} traced, {len([line for line in run.lines('run') if line.startswith('running')])} run\""
"""
- `2 traced, 2 run`: both are recorded once. Each call then runs the branch
  that it asks for.
- `4 traced, 2 run`: the second call is a hit: `sharp` is an array, and
  its value is not in the key.
- `2 traced, 4 run`: that is what `jnp.where` would do: both sides are
  computed, every time.
- `1 traced, 2 run`: JAX cannot know in advance which branch will be
  wanted, so it records both.
"""

# %% Both must return the same type  id="same-type", raises="TypeError", raises_at="jax.lax.cond", prints="plus_two: [1.  2.5 4. ]", traces={"first_only": 1}
"""
The program goes on after the `cond`, so the type of its result must be
known while JAX traces. Both branches must give the same shape, the same
dtype and the same structure (both a tuple of two, for example).

`plus_two` keeps to this. In `first_only`, one branch returns the whole
vector, the other only its first entry. In plain Python nobody would mind.

When the types do not fit, the message lists both. Repairs are nearly always
small: make a full result with `jnp.zeros_like`
or `jnp.full_like`, or convert with `.astype`.
"""


@jax.jit
def plus_two(x, which):
    return jax.lax.cond(which, lambda x: x + 2, lambda x: x * 2, x)


@jax.jit
def first_only(x, which):
    return jax.lax.cond(which, lambda x: x, lambda x: x[0], x)


print("plus_two:", plus_two(x, yes))
print("first_only:", first_only(x, yes))

# %% predict: first_only is asked for the whole vector only. Does it work?  answer="run.error.type.rpartition('.')[2] if run.error else 'it works'"
"""
- `it works`: the other branch is not run, but it is recorded, and its type
  does not fit.
- `TypeError`: the type of the result has to be known before anybody knows
  which branch is taken.
- `TracerBoolConversionError`: `cond` may decide by a traced value. That is
  what it is made for.
"""

# %% Your turn: do not pay for both  id="pay-for-one", traces={"smooth": 1}, cache={"smooth": "miss hit hit"}, holds=["len([line for line in run.lines('run') if line == 'expensive'])== 3"]
"""
`smooth` needs the expensive side only now and then, but it computes it in
each of its three calls: count the run prints.

Repair it, so that

- `expensive` runs exactly once, in the one call that asks for it;
- the results stay the same;
- `smooth` is still traced only once.

`rough` is always an array with one truth value in it.
"""


def expensive(x):
    jax.debug.print("expensive")
    return jnp.exp(-jnp.square(x))


def cheap(x):
    return 1 - jnp.abs(x)


@jax.jit
def smooth(x, rough):
    return jnp.where(rough, cheap(x), expensive(x))


results = [smooth(x, rough) for rough in (yes, no, yes)]

# %% hint
"""
`jax.lax.cond` needs the condition, the function for true, the function for
false, and then the argument of both.
"""

# %% hint
"""
`return jax.lax.cond(rough, cheap, expensive, x)`. No brackets after
`cheap` and `expensive`.
"""

# %% check
times = run.lines("run").count("expensive")
assert run.traces("smooth") == 1, (
    "expected: smooth is jitted and traced once for its three calls; "
    f"actual: traced {run.traces('smooth')} times"
)
assert times == 1, (
    "expected: expensive runs once, in the second call; "
    f"actual: it runs {times} times"
)
for rough, found in zip((yes, no, yes), results, strict=True):
    wanted = 1 - np.abs(x) if rough else np.exp(-np.square(x))
    assert np.allclose(found, wanted, atol=1e-4), (
        f"x={x.tolist()}, rough={rough}; expected: {wanted.tolist()}; "
        f"actual: {np.asarray(found).tolist()}"
    )


# %% solution
def expensive(x):
    jax.debug.print("expensive")
    return jnp.exp(-jnp.square(x))


def cheap(x):
    return 1 - jnp.abs(x)


@jax.jit
def smooth(x, rough):
    return jax.lax.cond(rough, cheap, expensive, x)


results = [smooth(x, rough) for rough in (yes, no, yes)]

# %% wrong
"""
true_fun and false_fun arguments should be callable
"""


def expensive(x):
    jax.debug.print("expensive")
    return jnp.exp(-jnp.square(x))


def cheap(x):
    return 1 - jnp.abs(x)


@jax.jit
def smooth(x, rough):
    return jax.lax.cond(rough, cheap(x), expensive(x))


results = [smooth(x, rough) for rough in (yes, no, yes)]

# %% wrong
"""
expensive runs once, in the second call; actual: it runs 2 times
"""


def expensive(x):
    jax.debug.print("expensive")
    return jnp.exp(-jnp.square(x))


def cheap(x):
    return 1 - jnp.abs(x)


@jax.jit
def smooth(x, rough):
    return jax.lax.cond(rough, expensive, cheap, x)


results = [smooth(x, rough) for rough in (yes, no, yes)]

# %% wrong
"""
TracerBoolConversionError
"""


def expensive(x):
    jax.debug.print("expensive")
    return jnp.exp(-jnp.square(x))


def cheap(x):
    return 1 - jnp.abs(x)


@jax.jit
def smooth(x, rough):
    return cheap(x) if rough else expensive(x)


results = [smooth(x, rough) for rough in (yes, no, yes)]

# %% wrong
"""
traced once for its three calls; actual: traced 2 times
"""


def expensive(x):
    jax.debug.print("expensive")
    return jnp.exp(-jnp.square(x))


def cheap(x):
    return 1 - jnp.abs(x)


@jax.jit(static_argnums=1)
def smooth(x, rough):
    return cheap(x) if rough else expensive(x)


results = [smooth(x, bool(rough)) for rough in (yes, no, yes)]
