"""Errors of where arrays are: devices, meshes and their axes, transfers."""

from jittutor.advice.rule import Rule

RULES = (
    Rule(
        type="ValueError",
        words=r"Received incompatible devices for jitted computation\. Got argument (?P<one>\S+) of .*?"
        r"device ids (?P<here>\[[\d, ]*\]) .*? and argument (?P<other>\S+) of .*?"
        r"device ids (?P<there>\[[\d, ]*\])",
        say="one program runs on one set of devices, and `$one` was put on $here, `$other` on $there",
        fix="put both on the same devices before the call, with one sharding: "
        "jax.device_put($other, sharding)",
        lesson="device",
    ),
    Rule(
        type="IndivisibleError|ValueError",
        words=r"cannot select an axis to squeeze out which has size not equal to one, "
        r"got shape=\((?P<size>\d+),.*dimensions=\(0,\)"
        r"|_internal_pmap_axis_name(?s:.*)but the dimension size is (?P<more>\d+)",
        code="^(?!.*squeeze)",
        say="pmap gives each device one element of the first axis, and that has $size$more elements, "
        "which is not the number of devices here",
        fix="make the first axis jax.local_device_count() long, or use jax.vmap or jax.jit with a sharding",
        lesson="device",
    ),
    Rule(
        type="IndivisibleError|ValueError",
        words=r"partitioned (?P<many>\d+) times, but (the dimension size is|does not evenly divide the "
        r"dimension size) (?P<size>\d+)",
        say="the sharding cuts an axis into $many equal parts, and its length is $size",
        fix="pad the axis to a multiple of $many, or shard another axis",
    ),
    Rule(
        type="IndivisibleError|ValueError",
        words=r"dim_size=(?P<size>\d+) is not divisible by axis_size=(?P<many>\d+)|"
        "axis sizes that are not evenly divisible by the corresponding mesh axis sizes",
        say="each device of a mesh axis gets an equal part of an array axis, and its length cannot be "
        "divided so",
        fix="pad the axis to a multiple of the number of devices, or shard another axis",
    ),
    Rule(
        type="ValueError",
        words=r"in_specs passed to shard_map: (?P<asked>.+?) does not match the specs of the input: "
        r"(?P<given>P\(.*?\)) for",
        say="on a mesh with explicit axes shard_map does not move its inputs: in_specs says $asked, and "
        "the input is $given",
        fix="reshard it first, jax.reshard(x, $asked), or make the mesh with AxisType.Auto",
    ),
    Rule(
        type="ValueError",
        words="can only refer to Auto axes of the mesh",
        say="with_sharding_constraint is a hint to the compiler, for Auto axes; these axes are Explicit, and "
        "their shardings belong to the types",
        fix="use jax.reshard(x, spec), or make the mesh with axis_types=(AxisType.Auto,)",
    ),
    Rule(
        type="RuntimeError",
        words="requires a non-empty mesh in context",
        say="a PartitionSpec names axes of a mesh, and no mesh is set here",
        fix="write `with jax.set_mesh(mesh):` around it, or hand over NamedSharding(mesh, spec)",
    ),
    Rule(
        type="NameError",
        words=r"unbound axis name: (?P<axis>\w+)",
        say="`$axis` names an axis of devices or of a vmap, and nothing around this call makes it",
        fix='call it inside jax.shard_map over that axis, or inside jax.vmap(…, axis_name="$axis")',
        lesson="grad-and-vmap",
    ),
    Rule(
        type="ValueError",
        words=r"out_specs which require replication which can't be statically inferred",
        say="out_specs says that every device has the same result, and JAX cannot see that it is so",
        fix="name the mesh axis in out_specs, or make the results the same with jax.lax.psum or all_gather",
    ),
    Rule(
        type="JaxRuntimeError|XlaRuntimeError",
        words=r"Disallowed (?P<way>[\w-]+) transfer",
        say="jax.transfer_guard forbids moving data between host and device here, and this line does ($way)",
        fix="move it outside the guard, or write it out: jax.device_put(x) or jax.device_get(x)",
    ),
)
