"""Ahead of time, and across restarts

A program that answers requests should not compile while somebody waits.
Here you compile before the first call, and keep compiled programs on disk
for the next start.
"""

import tempfile
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.compilation_cache import compilation_cache

x = np.arange(4, dtype=np.float32)

# %% One phase at a time  id="one-phase-at-a-time", traces={"f": 1}, compiles={"f": 1}, cache="", trace_prints=1, prints=["1 jaxpr", "tracing", "2 StableHLO", "3 executable", "4 result: [1. "], holds=["'sine' in str(lowered.as_text())", "len(traced.jaxpr.eqns) == 2"]
"""
A call of a jitted function does four things. You can ask for each of them
alone:

- `traced = f.trace(x)` has the jaxpr;
- `lowered = traced.lower()` has the StableHLO;
- `compiled = lowered.compile()` has the executable;
- `compiled(x)` executes it.

`f.lower(x).compile()` is the short form. This is called *ahead of time*, in
short AOT. The arguments of `trace` only give shapes and dtypes, so you need
no real data: `jax.ShapeDtypeStruct((4,), np.float32)` stands for any array
of that kind.

Note the list of calls: it stays empty. `compiled` is the program itself. It
asks no cache.
"""


@jax.jit
def f(x):
    print("tracing")
    return jnp.sin(x) + 1


print("1 jaxpr")
traced = f.trace(jax.ShapeDtypeStruct((4,), np.float32))
print("2 StableHLO")
lowered = traced.lower()
print("3 executable")
compiled = lowered.compile()
print("4 result:", compiled(x))
print("5 result:", compiled(x + 1))

# %% predict: `trace` gets a shape and a dtype, but no numbers. Does Python run f?  answer="'yes' if run.lines('trace') else 'no'"
"""
- `yes`: a trace needs no numbers. It never has them, in no call.
- `no`: it has to, because there is no other way to record what f does.
"""

# %% A program takes one kind of input  id="one-kind-of-input", raises="TypeError", raises_at="compiled(np.ones(5", prints=["four: [0. 2. 4. 6.]"], traces={"double": 1}, compiles={"double": 1}
"""
A jitted function adapts: for a new shape it compiles a new program. What
you have now is one such program by itself, without the function around it.
It was made for one kind of input. Here it gets another one.

To be strict may be just what you want. A service that gets a new shape by
mistake should stop at once with a clear message. To become slow without
telling anybody is worse.

A program is as strict with dtypes: four integers are not four floats.
"""


@jax.jit
def double(x):
    return 2 * x


compiled = double.lower(x).compile()
print("four:", compiled(x))
print("five:", compiled(np.ones(5, dtype=np.float32)))

# %% predict: compiled was made for 4 numbers. What happens with 5?  answer="run.error.type.rpartition('.')[2] if run.error else 'it works'"
"""
- `it compiles again`: a jitted function would. `compiled` is one program.
- `TypeError`: the shape does not fit, and there is nothing to fall back on.
- `it works`: the sizes are built into the program.
"""

# %% The cache on disk  id="on-disk", traces={"slow": 2}, compiles={"slow": 2}, cache={"slow": "miss miss"}, reasons="cache cleared", prints=["files: 1", "restart", "files: 1"], holds=["[c.from_disk for c in run.compiled if c.function == 'slow'] == [False, True]"]
"""
All caches so far live in the memory of the process. After a restart
everything is compiled again. The *persistent* compilation cache keeps the
executables in a folder, so that the next process finds them.

`jax.config.update` sets the folder, before the first compile; that is all a
real program needs. The rest is for this lesson: the tutor keeps this cache
off, JAX does not store what compiled in less than a second, and
`compilation_cache.reset_cache()` makes JAX look at the settings again.

`jax.clear_caches()` plays the restart here: it drops all that is in memory,
traces, executables and also the small eager programs. Compare the bars of
the two misses: which part is much shorter in the second one?
"""


@jax.jit
def slow(x):
    for _ in range(30):
        x = jnp.sin(x) + x
    return x


folder = tempfile.TemporaryDirectory()
for setting, value in (
    ("jax_enable_compilation_cache", True),
    ("jax_compilation_cache_dir", folder.name),
    ("jax_persistent_cache_min_compile_time_secs", 0.0),
    ("jax_persistent_cache_min_entry_size_bytes", -1),
):
    jax.config.update(setting, value)
compilation_cache.reset_cache()

slow(x)
print("files:", len(list(Path(folder.name).glob("*-cache"))))
print("restart")
jax.clear_caches()
slow(x)
print("files:", len(list(Path(folder.name).glob("*-cache"))))

# %% predict: After the restart, the program is on disk. Does JAX still trace slow?  answer="'yes' if run.traces('slow') == 2 else 'no'"
"""
- `yes`: JAX looks it up by its StableHLO, and for that it has to trace and
  lower first.
- `no`: the folder knows nothing of your Python function, only of programs.
"""

# %% Your turn: ready before the first request  id="ready-before", traces={"answer": 3}, compiles={"answer": 3}, cache={"answer": "miss miss hit miss hit hit"}, prints="open"
"""
This service gets requests of three sizes: 8, 16 and 32. The first request
of each size waits for a compile.

Fill `programs` before the service opens, one executable for each size, and
use it for each request:

- all three sizes are compiled ahead of time;
- `answer` itself is called by no request;
- the answers stay the same.

`requests` holds arrays of dtype float32.
"""

requests = [np.full(n, n, np.float32) for n in (8, 16, 8, 32, 16, 8)]
programs = {}


@jax.jit
def answer(x):
    return jnp.sum(jnp.sqrt(x))


print("open")
answers = [answer(x) for x in requests]

# %% hint
"""
Before the service opens: a loop over 8, 16 and 32 that puts
`answer.lower(...).compile()` into `programs[size]`.
"""

# %% hint
"""
`jax.ShapeDtypeStruct((size,), np.float32)` is what to lower it with.
"""

# %% hint
"""
Each request takes the program of its size out of `programs`, and calls it
with `x`.
"""

# %% check
assert not run.calls, (
    "expected: no request calls answer itself; "
    f"actual: {len(run.calls)} of {len(requests)} do"
)
assert run.compiles("answer") == 3, (
    "expected: answer is compiled for three sizes; "
    f"actual: {run.compiles('answer')} times"
)
found = [round(float(value), 2) for value in answers]
wanted = [round(len(x) ** 1.5, 2) for x in requests]
assert np.allclose(found, wanted, rtol=1e-3), (
    f"sizes: {[len(x) for x in requests]}; expected: {wanted}; "
    f"actual: {found}"
)

# %% solution
requests = [np.full(n, n, np.float32) for n in (8, 16, 8, 32, 16, 8)]
programs = {}


@jax.jit
def answer(x):
    return jnp.sum(jnp.sqrt(x))


for size in (8, 16, 32):
    kind = jax.ShapeDtypeStruct((size,), np.float32)
    programs[size] = answer.lower(kind).compile()
print("open")
answers = [programs[len(x)](x) for x in requests]

# %% wrong
"""
'Lowered' object is not callable
"""

requests = [np.full(n, n, np.float32) for n in (8, 16, 8, 32, 16, 8)]
programs = {}


@jax.jit
def answer(x):
    return jnp.sum(jnp.sqrt(x))


for size in (8, 16, 32):
    kind = jax.ShapeDtypeStruct((size,), np.float32)
    programs[size] = answer.lower(kind)
answers = [programs[len(x)](x) for x in requests]

# %% wrong
"""
compiled with int32[8] and called with float32[8]
"""

requests = [np.full(n, n, np.float32) for n in (8, 16, 8, 32, 16, 8)]
programs = {}


@jax.jit
def answer(x):
    return jnp.sum(jnp.sqrt(x))


for size in (8, 16, 32):
    programs[size] = answer.lower(np.arange(size)).compile()
answers = [programs[len(x)](x) for x in requests]

# %% wrong
"""
expected: no request calls answer itself; actual: 6 of 6 do
"""

requests = [np.full(n, n, np.float32) for n in (8, 16, 8, 32, 16, 8)]
programs = {}


@jax.jit
def answer(x):
    return jnp.sum(jnp.sqrt(x))


for size in (8, 16, 32):
    kind = jax.ShapeDtypeStruct((size,), np.float32)
    programs[size] = answer.lower(kind).compile()
answers = [answer(x) for x in requests]
