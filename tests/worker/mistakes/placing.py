"""Mistakes of those who compute on several devices."""

from tests.worker.mistakes.mistake import Mistake

MESH = """
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((jax.device_count(),), ("part",), axis_types=(AxisType.Auto,))
exact = jax.make_mesh((jax.device_count(),), ("part",), axis_types=(AxisType.Explicit,))
"""

MISTAKES = (
    Mistake(
        "two devices",
        """
one, other = (jax.device_put(jnp.ones(3), device) for device in jax.devices())
add = jax.jit(lambda x, y: x + y)
add(one, other)  # here
""",
        "ValueError",
        traced=None,
        say="`x` was put on [0], `y` on [1]",
        fix="jax.device_put(y, sharding)",
        lesson="device",
        devices=2,
    ),
    Mistake(
        "uneven parts",
        MESH + 'jax.device_put(jnp.ones(3), NamedSharding(mesh, P("part")))  # here\n',
        "IndivisibleError",
        traced=None,
        say="into 2 equal parts, and its length is 3",
        fix="a multiple of 2",
        lesson=None,
        devices=2,
    ),
    Mistake(
        "uneven shards",
        MESH
        + """
f = jax.shard_map(lambda x: 2 * x, mesh=mesh, in_specs=P("part"), out_specs=P("part"))
f(jnp.ones(3))  # here
""",
        "ValueError",
        traced=None,
        say="gets an equal part",
        fix="pad the axis",
        lesson=None,
        devices=2,
    ),
    Mistake(
        "input elsewhere",
        MESH
        + """
f = jax.shard_map(lambda x: 2 * x, mesh=exact, in_specs=P("part"), out_specs=P("part"))
f(jnp.ones(4))  # here
""",
        "ValueError",
        traced=None,
        say="in_specs says P('part',), and the input is P(None,)",
        fix="jax.reshard(x, P('part',))",
        lesson=None,
        devices=2,
    ),
    Mistake(
        "hint on explicit axes",
        MESH
        + """
@jax.jit
def f(x):
    return jax.lax.with_sharding_constraint(x, NamedSharding(exact, P("part")))  # here
f(jnp.ones(4))
""",
        "ValueError",
        traced="x: float32[4], argument of f",
        say="these axes are Explicit",
        fix="jax.reshard(x, spec)",
        lesson=None,
    ),
    Mistake(
        "no mesh",
        MESH
        + """
@jax.jit
def f(x):
    return jax.lax.with_sharding_constraint(x, P("part"))  # here
f(jnp.ones(4))
""",
        "RuntimeError",
        traced="x: float32[4], argument of f",
        say="no mesh is set here",
        fix="with jax.set_mesh(mesh):",
        lesson=None,
    ),
    Mistake(
        "unbound axis",
        """
@jax.jit
def f(x):
    return jax.lax.psum(x, "batch")  # here
f(jnp.ones(4))
""",
        "NameError",
        traced="x: float32[4], argument of f",
        say="`batch` names an axis",
        fix='axis_name="batch"',
        lesson="grad-and-vmap",
    ),
    Mistake(
        "result not the same everywhere",
        MESH
        + """
f = jax.shard_map(lambda x: 2 * x, mesh=mesh, in_specs=P("part"), out_specs=P())
f(jnp.ones(4))  # here
""",
        "ValueError",
        traced=None,
        say="every device has the same result",
        fix="jax.lax.psum",
        lesson=None,
        devices=2,
    ),
    Mistake(
        "array put on devices that cannot share it",
        """
mesh = jax.make_mesh((2,), ("part",), axis_types=(jax.sharding.AxisType.Explicit,))
jax.device_put(jnp.ones(3), jax.NamedSharding(mesh, jax.P("part")))  # here
""",
        "ValueError",
        traced=None,
        say="into 2 equal parts, and its length is 3",
        fix="a multiple of 2",
        lesson=None,
        devices=2,
    ),
    Mistake(
        "pmap over another number",
        """
many = jax.pmap(lambda x: 2 * x)
many(jnp.ones((3, 2)))  # here
""",
        "IndivisibleError",
        traced=None,
        say="has 3 elements, which is not the number of devices",
        fix="jax.vmap",
        lesson="device",
        devices=2,
    ),
    Mistake(
        "pmap over several on one device",
        """
jax.pmap(lambda x: 2 * x)(jnp.ones((3, 2)))  # here
""",
        "ValueError",
        traced=None,
        say="has 3 elements, which is not the number of devices",
        fix="jax.local_device_count()",
        lesson="device",
    ),
    Mistake(
        "forbidden transfer",
        """
f = jax.jit(lambda x: 2 * x)
with jax.transfer_guard("disallow"):
    f(np.ones(3))  # here
""",
        "JaxRuntimeError",
        traced=None,
        say="this line does (host-to-device)",
        fix="jax.device_put(x)",
        lesson=None,
    ),
)
