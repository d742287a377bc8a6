"""Errors of traced values: Python or NumPy asks for a number, and while JAX traces there is none."""

from jittutor.advice.rule import SETTING, Rule

BOOL = "TracerBoolConversionError"
INTEGER = "TracerIntegerConversionError"
ARRAY = "TracerArrayConversionError"
CONCRETE = "ConcretizationTypeError"

IF = r"^(el)?if\b|\bif\b.*\belse\b|\bfor\b.*\bif\b"

RULES = (
    Rule(
        type=f"{BOOL}|{INTEGER}|{ARRAY}|{CONCRETE}",
        traced="kept from the trace",
        say="this value was kept after its trace was over: it is a placeholder and never gets a number",
        fix="return the value from the jitted function instead of storing it (in a list, a global or an "
        "attribute)",
        lesson="leaks",
    ),
    Rule(
        type=f"{INTEGER}|{CONCRETE}|TypeError",
        words="__index__|Abstract tracer value|Shapes must be 1D sequences of concrete values",
        traced=r", traced for (scan|while|fori)",
        say="this value belongs to the body of a loop: it is another one in each round, so it can never be a "
        "Python number",
        fix="use an operation that takes a traced value: index an array with it, jnp.where with a mask, or "
        "jax.lax.dynamic_slice_in_dim",
        lesson="loops",
    ),
    Rule(
        type=BOOL,
        words="VmapTracer|BatchTracer",
        say="under vmap this value stands for all elements of the batch at once, and Python can take only "
        "one branch",
        fix="choose for each element with jnp.where(condition, a, b)",
        lesson="cond-under-vmap",
    ),
    Rule(
        type=BOOL,
        code=r"^while\b",
        say="Python's `while` needs True or False before each round, but while JAX traces there are only "
        "shapes and dtypes, no numbers",
        fix="use jax.lax.while_loop(condition, body, start), or jax.lax.fori_loop when the rounds "
        "are counted",
        lesson="loops",
    ),
    Rule(
        type=BOOL,
        code=r"^assert\b",
        say="`assert` needs True or False, but while JAX traces there are only shapes and dtypes, no numbers",
        fix="check the value outside the jitted function, or inside it with jax.experimental.checkify",
        lesson="branches",
    ),
    Rule(
        type=BOOL,
        code=IF,
        traced=SETTING,
        say="Python's `if` needs True or False, but while JAX traces there are only shapes and dtypes, no "
        "numbers",
        fix="choose with jnp.where(condition, a, b) or branch with jax.lax.cond; or, if $argument is a "
        "setting that rarely changes, mark it static: $static",
        lesson="branches",
    ),
    Rule(
        type=BOOL,
        code=IF,
        say="Python's `if` needs True or False, but while JAX traces there are only shapes and dtypes, no "
        "numbers",
        fix="choose with jnp.where(condition, a, b) or branch with jax.lax.cond",
        lesson="branches",
    ),
    Rule(
        type=BOOL,
        code=r"\b(max|min|sorted|any|all)\(",
        say="Python's max, min, sorted, any and all compare values one by one and need True or False each "
        "time, but while JAX traces there are no numbers",
        fix="use the function of JAX: jnp.maximum, jnp.minimum, jnp.sort, jnp.any, jnp.all",
        lesson="branches",
    ),
    Rule(
        type=BOOL,
        code=r"\b(and|or|not)\b",
        say="Python's `and`, `or` and `not` need True or False, but while JAX traces there are no numbers",
        fix="use jnp.logical_and, jnp.logical_or and jnp.logical_not (or &, | and ~)",
        lesson="branches",
    ),
    Rule(
        type=BOOL,
        code=r"\bin\b",
        say="Python's `in` compares one by one and needs True or False each time, but while JAX traces there "
        "are no numbers",
        fix="use jnp.isin(value, jnp.array([…]))",
        lesson="branches",
    ),
    Rule(
        type=BOOL,
        code=r"\b(jax|jnp|lax)\.\w",
        traced=SETTING,
        say="this function of JAX needs a Python value here, and while JAX traces there is none",
        fix="if $argument is a setting, mark it static: $static",
        lesson="static-arguments",
    ),
    Rule(
        type=BOOL,
        say="Python needs True or False here, but while JAX traces there are only shapes and dtypes, no "
        "numbers",
        fix="choose with jnp.where(condition, a, b) or branch with jax.lax.cond",
        lesson="branches",
    ),
    Rule(
        type=INTEGER,
        code=r"\brange\(",
        say="range() needs a whole number, but while JAX traces there are only shapes and dtypes, no numbers",
        fix="mark $argument static, $static, or loop with jax.lax.fori_loop",
        lesson="loops",
    ),
    Rule(
        type=INTEGER,
        code=r"\w\[",
        say="a Python list or tuple needs a whole number as its index, but while JAX traces there is none",
        fix="make the list an array and index that: jnp.array(…)[…]; for a list of functions use "
        "jax.lax.switch",
        lesson="branches",
    ),
    Rule(
        type=INTEGER,
        say="Python needs a whole number here, but while JAX traces there are only shapes and dtypes",
        fix="mark $argument static: $static",
        lesson="branches",
    ),
    Rule(
        type=ARRAY,
        code=r"\b(np|numpy)\.random\b",
        say="NumPy's random functions need the numbers themselves, but while JAX traces there are none",
        fix="use jax.random with a key",
        lesson="frozen-at-trace",
    ),
    Rule(
        type=ARRAY,
        code=r"\b(np|numpy)\.",
        say="NumPy needs the numbers themselves, but while JAX traces there are none",
        fix="use the jax.numpy function of the same name: jnp.sin instead of np.sin",
        lesson="branches",
    ),
    Rule(
        type=ARRAY,
        code=r"\w\[",
        say="a NumPy array needs a number as its index, but while JAX traces there is none",
        fix="make the table a JAX array before it is indexed: jnp.asarray(table)[…]",
        lesson="branches",
    ),
    Rule(
        type=ARRAY,
        say="a library that works on NumPy arrays needs the numbers themselves, but while JAX traces there "
        "are none",
        fix="use a jax.numpy function, or call the library outside the jitted function",
        lesson="branches",
    ),
    Rule(
        type="NonConcreteBooleanIndexError",
        say="how many elements a boolean mask selects depends on the values, and JAX must know every shape "
        "while it traces",
        fix="keep the full shape with jnp.where(mask, x, 0)",
        lesson="data-dependent-shapes",
    ),
    Rule(
        type="UnexpectedTracerError",
        say="a traced value was kept after its trace was over (in a list, a global or an attribute), and "
        "is used now; it is a placeholder and never gets a number",
        fix="return the value from the traced function instead of storing it",
        lesson="leaks",
    ),
    Rule(
        type="Exception",
        words=r"^Leaked trace",
        say="the check for leaks is on, and a traced value is still kept somewhere after its trace was over",
        fix="return the value from the traced function instead of storing it (in a list, a global or an "
        "attribute)",
        lesson="leaks",
    ),
    Rule(
        type="TypeError",
        words=r"parameters to jaxpr equations must have __hash__",
        say="this parameter is part of the program itself, so JAX must know it while it traces",
        fix="mark $argument static: $static",
        lesson="static-arguments",
    ),
    Rule(
        type="TypeError",
        words=r"unhashable type: '\w*Tracer'",
        code=r"\b(jax|jnp|lax)\.\w",
        say="this parameter is part of the program itself, so JAX must know it while it traces",
        fix="mark $argument static: $static",
        lesson="static-arguments",
    ),
    Rule(
        type="TypeError",
        words=r"unsupported operand .*'\w+Tracer'",
        say="a Python list, text or tuple cannot be combined with a traced value, which has no number yet",
        fix="work on arrays instead: jnp.array(…), jnp.full(shape, value), jnp.where",
        lesson="branches",
    ),
    Rule(
        type="TypeError",
        words=r"unhashable type: '\w*Tracer'",
        say="a traced value cannot be a key of a dict or a member of a set: it has no number to compare",
        fix="use a Python value as the key, or choose with jnp.where or jax.lax.switch",
        lesson="branches",
    ),
    Rule(
        type="AttributeError",
        words=r"^\w+Tracer has no attribute (?P<what>\w+)|^The '(?P<method>\w+)' method is not available on "
        "traced",
        say="while JAX traces, the value is a placeholder, and what needs the numbers themselves is missing",
        fix="do this outside, with the result of the jitted function",
        lesson="what-the-function-got",
    ),
)
