"""Small training programs on libraries that people use: same output, right counts, no crash."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.worker.tools import bare, run, tutored

OPTAX = """
import jax, jax.numpy as jnp, optax

optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(optax.cosine_decay_schedule(0.1, 20)))


def loss(w, x, y):
    return jnp.mean((x @ w["w"] + w["b"] - y) ** 2)


@jax.jit
def step(w, state, x, y):
    value, gradient = jax.value_and_grad(loss)(w, x, y)
    updates, state = optimizer.update(gradient, state)
    return optax.apply_updates(w, updates), state, value


x = jax.random.normal(jax.random.key(0), (16, 3))
y = x @ jnp.array([1.0, 2.0, 3.0]) + 0.5
w = {"w": jnp.zeros(3), "b": jnp.zeros(())}
state = optimizer.init(w)
for n in range(20):
    w, state, value = step(w, state, x, y)
print(f"{value:.6f}", {k: v.tolist() for k, v in w.items()})
"""
LINEN = """
import jax, jax.numpy as jnp
import flax.linen as nn


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.relu(nn.Dense(8)(x))
        x = nn.Dropout(0.5, deterministic=not train)(x)
        return nn.Dense(1)(nn.LayerNorm()(x))


net = Net()
x = jnp.ones((4, 3))
weights = net.init(jax.random.key(0), x, False)


@jax.jit
def step(weights, x):
    return jax.grad(lambda w: net.apply(w, x, True, rngs={"dropout": jax.random.key(1)}).sum())(weights)


for n in range(3):
    gradient = step(weights, x)
print(jax.tree.map(lambda v: round(float(v.sum()), 4), gradient))
"""
NNX = """
import jax, jax.numpy as jnp
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.first, self.second = nnx.Linear(3, 8, rngs=rngs), nnx.Linear(8, 1, rngs=rngs)

    def __call__(self, x):
        return self.second(nnx.relu(self.first(x)))


@nnx.jit
def step(net, x):
    print("body")
    value, gradient = nnx.value_and_grad(lambda n: (n(x) ** 2).mean())(net)
    nnx.update(net, jax.tree.map(lambda w, g: w - 0.1 * g, nnx.state(net, nnx.Param), gradient))
    return value


net = Net(nnx.Rngs(0))
for n in range(4):
    value = step(net, jnp.ones((2, 3)))
print(f"{value:.6f}")
step(net, jnp.ones((5, 3)))
"""
EQUINOX = """
import equinox as eqx, jax, jax.numpy as jnp

net = eqx.nn.MLP(in_size=2, out_size=1, width_size=8, depth=2, key=jax.random.key(0))


@eqx.filter_jit
def step(net, x, rate):
    print("body")
    value, gradient = eqx.filter_value_and_grad(lambda n: jnp.mean(jax.vmap(n)(x) ** 2))(net)
    return value, eqx.apply_updates(net, jax.tree.map(lambda g: -rate * g, gradient))


for n in range(4):
    value, net = step(net, jnp.ones((3, 2)), 0.1)
print(f"{value:.6f}")
step(net, jnp.ones((4, 2)), 0.1)
step(net, jnp.ones((4, 2)), 0.2)
"""
PROGRAMS = {
    "optax": (OPTAX, "step", 1),
    "linen": (LINEN, "step", 1),
    "nnx": (NNX, "step", 2),
    "equinox": (EQUINOX, "step", 3),
}
NEEDS = {"linen": "flax", "nnx": "flax"}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_of_a_library_does_what_it_does_and_is_counted(tmp_path: Path, name: str) -> None:
    library = NEEDS.get(name, name)
    if find_spec(library) is None:
        pytest.skip(
            f"{library} is not installed: uv run --group libraries pytest tests/worker/test_libraries.py"
        )
    source, function, traces = PROGRAMS[name]
    (tmp_path / "train.py").write_text(source)
    expected = run(bare("train.py"), tmp_path)
    found = run(tutored("--json", "train.py"), tmp_path)
    assert expected.code == 0, expected.error
    assert (found.code, found.stderr) == (0, expected.stderr)
    record = found.record
    printed = "".join(line["text"] + "\n" for line in record["output"] if line["stream"] == "stdout")
    assert printed == expected.stdout.decode()
    assert record["functions"][function]["traces"] == traces
    assert record["functions"][function]["compiles"] == traces
