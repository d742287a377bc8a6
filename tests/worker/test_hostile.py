"""Classes of the program's own: the watch runs none of their code, and tells of them all the same."""

import textwrap
from pathlib import Path

import pytest

from tests.worker.tools import bare, run, tutored

TREE = """
    import jax, jax.numpy as jnp

    class Fixed:
        def __init__(self, n):
            self.n = n
        def __repr__(self):
            print("asked for text")
            raise RuntimeError("no text")
        def __eq__(self, other):
            return self.n == other.n
        def __hash__(self):
            return self.n

    class Box:
        def __init__(self, value, n):
            self.value, self.n = value, n

    jax.tree_util.register_pytree_node(
        Box, lambda box: ((box.value,), Fixed(box.n)), lambda fixed, parts: Box(parts[0], fixed.n)
    )

    @jax.jit
    def double(box):
        return 2 * box.value

    for n in (1, 1, 2):
        print(double(Box(jnp.ones(3), n)))
    """
STATIC = """
    import functools
    import jax, jax.numpy as jnp

    class Options:
        def __init__(self, n):
            object.__setattr__(self, "known", {"n": n})
        def __getattr__(self, name):
            return self.known[name]
        def __repr__(self):
            raise RuntimeError("no text")
        def __call__(self):
            pass

    @functools.partial(jax.jit, static_argnums=1)
    def scale(x, options):
        return x * options.n

    for n in (1, 2):
        print(scale(jnp.ones(3), Options(n)))
    """


@pytest.mark.parametrize(
    ("source", "kind", "before", "now"),
    [
        (TREE, "pytree", "Box[Fixed(n=1)](*)", "Box[Fixed(n=2)](*)"),
        (STATIC, "static value", "Options(known={'n': 1})", "Options(known={'n': 2})"),
    ],
    ids=["tree", "static"],
)
def test_objects_are_told_without_running_their_code(
    tmp_path: Path, source: str, kind: str, before: str, now: str
) -> None:
    (tmp_path / "own.py").write_text(textwrap.dedent(source))
    alone, watched = run(bare("own.py"), tmp_path), run(tutored("--json", "own.py"), tmp_path)
    assert (watched.code, watched.stderr) == (alone.code, alone.stderr)
    record = watched.record
    assert "".join(f"{one['text']}\n" for one in record["output"]).encode() == alone.stdout
    assert record["unwatched"] == []
    again = [call["reason"] for call in record["calls"] if call["reason"]][-1]
    assert again["kind"] == kind
    assert (again["before"], again["now"].partition(", another")[0]) == (before, now)


def test_arrays_inside_a_class_that_is_a_pytree_are_told_by_their_place(tmp_path: Path) -> None:
    source = """
        import dataclasses
        import jax, jax.numpy as jnp

        @jax.tree_util.register_dataclass
        @dataclasses.dataclass
        class Layer:
            weights: jax.Array

        double = jax.jit(lambda layer: 2 * layer.weights)
        double(Layer(jnp.ones(3)))
        double(Layer(jax.device_put(jnp.ones(3), jax.devices()[0])))
        """
    (tmp_path / "own.py").write_text(textwrap.dedent(source))
    record = run(tutored("--json", "own.py"), tmp_path).record
    again = record["calls"][1]["reason"]
    assert (again["kind"], again["argument"]) == ("device or sharding", "layer.weights")


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        ("Way.UP", "Way.DOWN", ("Way.UP", "Way.DOWN")),
        ("np.int64(2)", "np.int64(3)", ("int64(2)", "int64(3)")),
        ("np.float32", "jnp.float32", ("numpy.float32", "jax.float32")),
        ("np.dtype('int32')", "np.dtype('int8')", ("dtype('int32')", "dtype('int8')")),
        ("(2, (3,))", "(2, (4,))", ("(2, (3,))", "(2, (4,))")),
    ],
)
def test_a_static_value_is_told_as_people_write_it(
    tmp_path: Path, before: str, now: str, told: tuple[str, str]
) -> None:
    source = f"""
        import enum
        import jax, jax.numpy as jnp, numpy as np

        class Way(enum.Enum):
            UP = 1
            DOWN = 2

        keep = jax.jit(lambda x, way: x, static_argnums=1)
        keep(1.0, {before})
        keep(1.0, {now})
        """
    (tmp_path / "own.py").write_text(textwrap.dedent(source))
    again = run(tutored("--json", "own.py"), tmp_path).record["calls"][1]["reason"]
    assert (again["before"], again["now"]) == told
