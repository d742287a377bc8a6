"""Errors of grad and vmap: what can be differentiated, and what can be mapped."""

from jittutor.advice.rule import Rule

RULES = (
    Rule(
        type="ValueError",
        words="Reverse-mode differentiation does not work",
        say="grad goes through a loop backwards and must keep the values of every round, so the number of "
        "rounds must be known; in this loop it is not",
        fix="use jax.lax.scan, or jax.lax.fori_loop with limits that are Python numbers",
        lesson="loops-and-gradients",
    ),
    Rule(
        type="TypeError",
        words=r"Gradient only defined for scalar-output functions\. Output had shape: (?P<shape>\([\d, ]*\))",
        say="grad answers how one number changes, and the function gives an array of the shape $shape",
        fix="make it one number, such as jnp.sum(…) or jnp.mean(…), or use jax.jacobian",
        lesson="grad-and-vmap",
    ),
    Rule(
        type="TypeError",
        words=r"Gradient only defined for scalar-output functions\. Output was None",
        say="grad answers how one number changes, and the function gives back None",
        fix="write a `return` with the number",
        lesson="grad-and-vmap",
    ),
    Rule(
        type="TypeError",
        words=r"Gradient only defined for scalar-output functions",
        say="grad answers how one number changes, and the function gives back several values",
        fix="return the number first and the rest beside it, and write jax.grad(f, has_aux=True)",
        lesson="grad-and-vmap",
    ),
    Rule(
        type="TypeError",
        words=r"grad requires real-valued outputs .*, but got (?P<dtype>u?int\d*|bool)",
        say="a gradient needs a result that changes smoothly, and $dtype moves in steps",
        fix="keep the computation in floating point: no .astype(int), no comparison as the result",
        lesson="grad-and-vmap",
    ),
    Rule(
        type="TypeError",
        words=r"grad requires real-valued outputs .*, but got complex",
        say="grad answers how one real number changes, and the function gives a complex one",
        fix="return a real number, such as jnp.abs(…) or jnp.real(…)",
        lesson="grad-and-vmap",
    ),
    Rule(
        type="TypeError",
        words=r"grad requires real- or complex-valued inputs .*, but got (?P<dtype>\w+)",
        say="a gradient needs an input that changes smoothly, and $dtype moves in steps",
        fix="hand over a floating-point number: 3.0 instead of 3, or .astype(float)",
        lesson="grad-and-vmap",
    ),
    Rule(
        type="ValueError",
        words="callbacks? do(es)? not support JVP",
        say="JAX cannot differentiate a Python function that it only calls back",
        fix="write it with jax.numpy, or give its derivative with jax.custom_jvp or jax.custom_vjp",
        lesson="grad-and-vmap",
    ),
    Rule(
        type="TypeError",
        words=r"differentiating with respect to argnums=(?P<numbers>.+?) requires at least (?P<many>\d+)",
        say="argnums counts the positional arguments from 0, and the call has fewer than $many",
        fix="count from 0, and hand over by position what is differentiated",
        lesson="grad-and-vmap",
    ),
    Rule(
        type="AttributeError",
        words=r"No (?P<kind>VJP|JVP) defined for custom_\w+ function (?P<function>\w+)",
        say="$function says it has a derivative of its own, and none was given",
        fix="give it: $function.defvjp(forward, backward) for custom_vjp, @$function.defjvp for custom_jvp",
        lesson="grad-and-vmap",
    ),
    Rule(
        type="TypeError",
        words="Custom VJP bwd rule must produce an output",
        say="the backward function of a custom_vjp must give one derivative for each argument of the "
        "function",
        fix="return a tuple with one entry for each argument; with one argument, return (d,)",
        lesson="grad-and-vmap",
    ),
    Rule(
        type="ValueError",
        words="vmap got inconsistent sizes for array axes to be mapped",
        say="vmap goes over one axis of all its inputs together, and the lengths of these axes differ",
        fix="give inputs of one length, or say with in_axes=None which input is the same for all",
        lesson="grad-and-vmap",
    ),
    Rule(
        type="ValueError",
        words=r"vmap was requested to map its argument along axis (?P<axis>-?\d+)",
        say="vmap goes over axis $axis of its inputs, and one of them has no such axis",
        fix="say with in_axes which inputs are mapped: in_axes=(0, None)",
        lesson="grad-and-vmap",
    ),
    Rule(
        type="ValueError",
        words=r"vmap in_axes must be an int, None, or a tuple",
        say="in_axes must have one entry for each argument of the call, and it has another number of entries",
        fix="write one entry for each argument: 0 for mapped, None for the same for all",
        lesson="grad-and-vmap",
    ),
)
