"""Errors of sizes and numbers that must be known while JAX traces: shapes, slices, axes, Python numbers."""

from jittutor.advice.rule import SETTING, Rule

CONCRETE = "ConcretizationTypeError"

RULES = (
    Rule(
        type=CONCRETE,
        words="`(int|float|complex)` function",
        code=r"""["']\s*%\s*[\w(]|\.format\(""",
        say="a text needs the number itself, but while JAX traces there is none",
        fix='print with jax.debug.print("{x}", x=x), which waits for the number',
        lesson="printing-at-run-time",
    ),
    Rule(
        type=CONCRETE,
        words="`(int|float|complex)` function",
        code=r"\b(math|cmath)\.",
        say="the functions of `math` need the number itself, but while JAX traces there is none",
        fix="use the jax.numpy function of the same name: jnp.sin instead of math.sin",
        lesson="branches",
    ),
    Rule(
        type=CONCRETE,
        words="`(?P<kind>int|float|complex)` function",
        say="$kind() needs the number itself, but while JAX traces there is none",
        fix="change the dtype inside JAX with x.astype($kind), or call $kind() outside, on the result",
        lesson="branches",
    ),
    Rule(
        type=CONCRETE,
        words=r"(?:in the|The) (?P<method>item|tolist)\(\) method",
        say=".$method() gives Python numbers, but while JAX traces there are none",
        fix="keep the array, and call .$method() outside, on the result",
        lesson="branches",
    ),
    Rule(
        type=CONCRETE,
        words=r"total number of repeats",
        say="how many elements come out depends on a value, and JAX must know every shape while it traces",
        fix="give the number of elements that come out: total_repeat_length=…; or mark the repeats static",
        lesson="data-dependent-shapes",
    ),
    Rule(
        type=CONCRETE,
        words=r"size argument|value for the size",
        say="how many elements come out depends on the values, and JAX must know every shape while it traces",
        fix="fix the number with size=…; a place without an element is filled with fill_value",
        lesson="data-dependent-shapes",
    ),
    Rule(
        type=CONCRETE,
        words="axis argument|static index or sequence",
        say="an axis is part of the program itself, so JAX must know it while it traces",
        fix="mark $argument static: $static",
        lesson="static-arguments",
    ),
    Rule(
        type=CONCRETE,
        words=r"jnp\.arange|'num' argument|num_classes|numpy\.split|pad_width",
        say="a size must be a Python number, as JAX must know every shape while it traces",
        fix="mark $argument static, $static, or take the size from x.shape, which is known",
        lesson="static-arguments",
    ),
    Rule(
        type=CONCRETE,
        words="`length` argument to `scan`",
        say="the number of rounds of scan is part of the program itself, so JAX must know it while it traces",
        fix="mark $argument static, $static, or use jax.lax.fori_loop or jax.lax.while_loop",
        lesson="loops",
    ),
    Rule(
        type=CONCRETE,
        traced=SETTING,
        say="this operation needs a Python value, and while JAX traces there are only shapes and dtypes",
        fix="mark $argument static: $static",
        lesson="static-arguments",
    ),
    Rule(
        type=CONCRETE,
        say="this operation needs the numbers themselves, and while JAX traces there are only shapes "
        "and dtypes",
        fix="see whether it takes a fixed size (size=… or length=…), or call it outside the jitted function",
        lesson="data-dependent-shapes",
    ),
    Rule(
        type="TypeError",
        words="Shapes must be 1D sequences of concrete values",
        code=r"jnp\.\w+\(.*\.shape",
        say="jax.numpy makes a traced value even from a shape, and a shape must be made of Python numbers",
        fix="compute with shapes in plain Python: math.prod(x.shape)",
        lesson="what-the-function-got",
    ),
    Rule(
        type="TypeError",
        words="Shapes must be 1D sequences of concrete values",
        say="a shape must be made of Python numbers, as JAX must know every shape while it traces",
        fix="mark $argument static, $static, or take the size from x.shape, which is known",
        lesson="static-arguments",
    ),
    Rule(
        type="IndexError",
        words="must have static start/stop/step",
        say="the length of a slice must be known while JAX traces, and here its limits are traced values",
        fix="for a fixed length use jax.lax.dynamic_slice_in_dim(x, start, length); for a length that varies "
        "keep the full shape and mask it with jnp.where",
        lesson="data-dependent-shapes",
    ),
)
