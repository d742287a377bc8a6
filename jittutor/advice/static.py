"""Errors of what jit accepts: static arguments, other arguments, and the function itself."""

from jittutor.advice.rule import Rule

UNHASHABLE = r"Non-hashable static arguments.*hash an object of type <class '"
INSIDE = r"(?s:.*)unhashable type: '"
"""The part of a value that has no hash."""
ARGUMENT = r"Error interpreting argument.*problematic value is of type <class '"

RULES = (
    Rule(
        type="ValueError",
        words=UNHASHABLE + "(?P<kind>list|set|bytearray)'",
        say="a static argument is part of the cache key and must have a hash; a $kind has none, as it can "
        "change",
        fix="hand over a tuple: tuple(…)",
        lesson="hash-and-self",
    ),
    Rule(
        type="ValueError",
        words=UNHASHABLE + "dict'",
        say="a static argument is part of the cache key and must have a hash; a dict has none, as it can "
        "change",
        fix="hand over a tuple, tuple(sorted(options.items())), or an object of a frozen dataclass",
        lesson="hash-and-self",
    ),
    Rule(
        type="ValueError",
        words=UNHASHABLE + r"[\w.]*(Array\w*|ndarray)'",
        say="a static argument is part of the cache key and must have a hash; an array has none",
        fix="hand the array over as a normal argument: take it out of static_argnames or static_argnums",
        lesson="hash-and-self",
    ),
    Rule(
        type="ValueError",
        words=UNHASHABLE + r"[\w.]*Tracer'",
        say="a static argument needs a value now, but the value handed over is itself traced by the outer "
        "function",
        fix="mark $argument static in the outer function too: $static",
        lesson="static-arguments",
    ),
    Rule(
        type="ValueError",
        words=UNHASHABLE + r"(__main__\.)?(?P<kind>[\w.<>]+)'" + INSIDE + "(?P<inner>list|set|bytearray)'",
        say="a static argument is part of the cache key and must have a hash; this $kind holds a $inner, "
        "which has none, as it can change",
        fix="put a tuple in place of the $inner: tuple(…)",
        lesson="hash-and-self",
    ),
    Rule(
        type="ValueError",
        words=UNHASHABLE + r"(__main__\.)?(?P<kind>[\w.<>]+)'" + INSIDE + "dict'",
        say="a static argument is part of the cache key and must have a hash; this $kind holds a dict, which "
        "has none, as it can change",
        fix="put a tuple in place of the dict, tuple(sorted(options.items())), or an object of a frozen "
        "dataclass",
        lesson="hash-and-self",
    ),
    Rule(
        type="ValueError",
        words=UNHASHABLE + r"(__main__\.)?(?P<kind>[\w.<>]+)'" + INSIDE + r"[\w.]*(Array\w*|ndarray)'",
        say="a static argument is part of the cache key and must have a hash; this $kind holds an array, "
        "which has none",
        fix="hand the array over as a normal argument of its own, and keep only plain values in the $kind",
        lesson="hash-and-self",
    ),
    Rule(
        type="ValueError",
        words=UNHASHABLE + r"(__main__\.)?(?P<kind>[\w.<>]+)'",
        say="a static argument is part of the cache key and must have a hash; an object of $kind has none",
        fix="make its class a frozen dataclass: @dataclasses.dataclass(frozen=True)",
        lesson="hash-and-self",
    ),
    Rule(
        type="ValueError",
        words="static arguments should be comparable",
        say="JAX compares a static argument with the one of the call before, and its == gives no single True "
        "or False",
        fix="give its class an __eq__ that returns True or False, or hand its arrays over as normal "
        "arguments",
        lesson="hash-and-self",
    ),
    Rule(
        type="ValueError",
        words=r"equality of metadata fields of pytree node of type <class '(__main__\.)?(?P<kind>[^']*)'>",
        say="the fixed part (metadata) of the pytree $kind holds an array; JAX compares it between "
        "calls, and "
        "arrays give no single True or False",
        fix="move the array to the data fields (the children), and keep only plain values as metadata",
        lesson="trees-and-calls",
    ),
    Rule(
        type="TypeError",
        words=ARGUMENT + r"(__main__\.)?(?P<kind>[^']*)'> .* at path self\b",
        say="`self` is an object of $kind, and jit takes only arrays, numbers and pytrees of them",
        fix="register the class as a pytree (jax.tree_util.register_dataclass), or jit a function that gets "
        "the arrays it needs",
        lesson="hash-and-self",
    ),
    Rule(
        type="TypeError",
        words=ARGUMENT + r"[\w.]*ndarray'> .* at path (?P<path>\S+)\.\s",
        say="`$path` is a NumPy array of text or objects, and JAX has only numbers and True or False",
        fix="turn it into numbers first, for example an index for each text",
        lesson="static-arguments",
    ),
    Rule(
        type="TypeError",
        words=ARGUMENT
        + r"(function|builtin_function_or_method|method|functools\.partial|[\w.]*PjitFunction|numpy\.ufunc|"
        r"type|jax\.[\w.]*(ufunc|custom_\w+))'> .* at path (?P<path>[\w.]*\w)(?=\.\s)",
        say="`$path` is a function, and jit takes only arrays, numbers and pytrees of them",
        fix='mark it static, static_argnames="$path", and hand over the same function object each time',
        lesson="static-arguments",
    ),
    Rule(
        type="TypeError",
        words=ARGUMENT + r"(__main__\.)?(?P<kind>[^']*)'> .* at path (?P<path>[\w.]*\w)(?=\.\s)",
        say="`$path` is a value of type $kind, and jit takes only arrays, numbers and pytrees of them",
        fix='if it is a setting, mark it static: static_argnames="$path"',
        lesson="static-arguments",
    ),
    Rule(
        type="TypeError",
        words=ARGUMENT + r"(__main__\.)?(?P<kind>[^']*)'> .* at path (?P<path>\S+)\.\s",
        say="`$path` is a value of type $kind, and jit takes only arrays, numbers and pytrees of them",
        fix="leave it out of the pytree, and hand it over as a static argument of its own",
        lesson="trees-and-calls",
    ),
    Rule(
        type="TypeError",
        words=r"returned a value of type <class '(__main__\.)?(?P<kind>[^']*)'>.*not a valid JAX type",
        say="a traced function can return only arrays, numbers and pytrees of them, and it returned "
        "a value of "
        "type $kind",
        fix="return the arrays, and make the other values outside the function",
        lesson="tracing-once",
    ),
    Rule(
        type="ValueError",
        words=r"has (?P<option>\w+_argnums)=\S+, but only accepts (?P<many>\d+) positional",
        say="$option counts the arguments from 0, and it names one more than the function has ($many)",
        fix='name the argument instead of counting: static_argnames="…" or donate_argnames="…"',
        lesson="static-arguments",
    ),
    Rule(
        type="ValueError",
        words=r"has invalid argnames (?P<names>\{.*?\}) in (?P<option>\w+)",
        say="$option names an argument that the function does not have: $names",
        fix="write the name as it stands in the function's `def`",
        lesson="static-arguments",
    ),
    Rule(
        type="TypeError",
        words="'str' object cannot be interpreted as an integer",
        code="(static|donate)_argnums",
        say="static_argnums and donate_argnums take positions, and they were given a name",
        fix='for names write static_argnames="…" or donate_argnames="…"',
        lesson="static-arguments",
    ),
    Rule(
        type="TypeError",
        words="'int' object is not iterable",
        code="(static|donate)_argnames",
        say="static_argnames and donate_argnames take names, and they were given a position",
        fix="for positions write static_argnums=… or donate_argnums=…",
        lesson="static-arguments",
    ),
    Rule(
        type="ValueError",
        words="static_argnames and donate_argnames cannot intersect",
        say="an argument is marked both static and donated: a static one is a Python value, it has no buffer "
        "to give away",
        fix="take it out of one of the two",
        lesson="static-arguments",
    ),
    Rule(
        type="TypeError",
        words=r"^Expected a callable value, got",
        code=r"\bjit\(",
        say="jit takes the function itself, and it was given a value",
        fix="write jax.jit(f)(x) instead of jax.jit(f(x))",
        lesson="tracing-once",
    ),
    Rule(
        type="TypeError",
        words="got a generator function",
        say="jit cannot trace a function that contains `yield`: its body does not run when it is called",
        fix="collect the results in an array and return it, for example with jax.lax.scan",
        lesson="loops",
    ),
    Rule(
        type="RecursionError",
        words="^Recursively calling",
        say="the function calls itself while it is traced, and a trace follows every branch, so it "
        "never ends",
        fix="write it as a loop: jax.lax.while_loop or jax.lax.fori_loop",
        lesson="both-branches",
    ),
)
