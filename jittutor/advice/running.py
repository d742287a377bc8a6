"""Errors while a program runs: buffers, memory, numbers, callbacks, and text made of traced values."""

from jittutor.advice.rule import Rule

CALLBACK = r"error calling callback"

RULES = (
    Rule(
        type="RuntimeError|ValueError",
        words="(Array|Buffer) has been deleted",
        say="the memory of this array is gone: the array was donated to a jitted function (donate_argnums or "
        "donate_argnames), or deleted",
        fix="go on with the result of the call, x = f(x), or do not donate an array that is still needed",
    ),
    Rule(
        type="JaxRuntimeError|ValueError",
        words="donate the same buffer twice",
        say="one array is donated through two arguments, and its memory can be given away only once",
        fix="hand over a copy as one of them: jnp.array(x, copy=True)",
    ),
    Rule(
        type="JaxRuntimeError|XlaRuntimeError",
        words="RESOURCE_EXHAUSTED",
        say="the device has not enough free memory for this program or array",
        fix="make arrays or batches smaller, drop what is no longer needed (del x), or donate inputs "
        "that are "
        "replaced",
    ),
    Rule(
        type="FloatingPointError",
        words=r"\(nan\) encountered in (?P<operation>[\w-]+)",
        say="jax_debug_nans is on, and `$operation` gave a value that is not a number (nan), such as "
        "from 0/0, "
        "sqrt(-1) or log(-1)",
        fix="keep the input in the allowed range before the operation, jnp.where(x > 0, x, 1.0), or look at "
        "the input first",
        lesson="nan-never-taken",
    ),
    Rule(
        type="FloatingPointError",
        words=r"\(inf\) encountered in (?P<operation>[\w-]+)",
        say="jax_debug_infs is on, and `$operation` gave an infinite value, such as from 1/0 or exp(1000)",
        fix="keep the input in the allowed range before the operation, jnp.where(x != 0, x, 1.0)",
        lesson="nan-never-taken",
    ),
    Rule(
        type="OverflowError",
        words=r"whose argument path is (?P<path>\S+)\. Got <class 'int'> with value (?P<value>-?\d+)",
        say="a Python number becomes an int32 in JAX, and $value is too large for it",
        fix="write it as a float, or set jax_enable_x64 at the start of the program",
        lesson="dtypes-not-values",
    ),
    Rule(
        type="OverflowError",
        words=r"Python int(eger)? (?P<value>-?\d+) (too large to convert to|out of bounds for) "
        r"(?P<dtype>\w+)",
        say="$value does not fit into $dtype",
        fix="use a wider dtype or a float; 64-bit numbers need jax_enable_x64 at the start of the program",
        lesson="dtypes-not-values",
    ),
    Rule(
        type="KeyReuseError",
        say="a random key was used a second time, which would give the same random numbers again",
        fix="make a new key for each use: key, subkey = jax.random.split(key)",
    ),
    Rule(
        type="JaxRuntimeError|XlaRuntimeError|ValueError",
        words=CALLBACK + r"(?s:.*)\bin (run_debugger|do_quit|_breakpoint_callback)\b",
        say="jax.debug.breakpoint() waits for commands, and there is nobody to type them: the input "
        "has ended",
        fix="run the script with python in a terminal, or print with jax.debug.print instead",
        lesson="printing-at-run-time",
    ),
    Rule(
        type="JaxRuntimeError|XlaRuntimeError|ValueError",
        words=CALLBACK + r"(?s:.*)Incorrect output (?P<what>shape|dtype) for return value #\d+: "
        r"Expected: (?P<before>[^\n]+), Actual: (?P<now>[^\n]+)",
        say="the Python function that JAX calls back must give the $what it was announced with; expected is "
        "$before, and it gave $now",
        fix="change the announced jax.ShapeDtypeStruct, or convert the result in the function",
    ),
    Rule(
        type="JaxRuntimeError|XlaRuntimeError|ValueError",
        words=CALLBACK
        + r'(?s:.*)\n  File "[^\n]*\n(    [^\n]*\n)*(?P<problem>[A-Za-z_][\w.]*(: [^\n]*)?)(\n|\Z)',
        say="a Python function that the running program calls back stopped with $problem; JAX passes that on "
        "as text, in an error of its own",
        fix="catch the error in that function; the caller cannot catch it by its own type",
    ),
    Rule(
        type="TypeError",
        words=r"unsupported format string passed to \w*Tracer\.__format__|format: .* is required, not "
        r"\w*Tracer",
        say="a text needs the number itself, but while JAX traces there is none",
        fix='print with jax.debug.print("{x:.2f}", x=x), which waits for the number',
        lesson="printing-at-run-time",
    ),
    Rule(
        type="TypeError",
        words=r"unsupported format string passed to (numpy\.ndarray|ArrayImpl)\.__format__",
        say="a format such as .2f is for one number, and this array has several",
        fix="print the array without it, or round it first: jnp.round(x, 2)",
    ),
    Rule(
        type="ValueError",
        words=r"Unused keyword arguments to `jax\.debug\.print`",
        say="an f-string puts its values in while JAX traces, so jax.debug.print finds no {…} left to fill",
        fix='take the f away: jax.debug.print("x is {x}", x=x)',
        lesson="printing-at-run-time",
    ),
    Rule(
        type="ValueError",
        words=r"Unused positional arguments to `jax\.debug\.print`",
        say="jax.debug.print was given more values than its text has {}; an f-string leaves none",
        fix='take the f away, and write one {} for each value: jax.debug.print("x is {}", x)',
        lesson="printing-at-run-time",
    ),
    Rule(
        type="KeyError|IndexError",
        words=r"^'\w*'$|index out of range|[Rr]eplacement index",
        code=r"\bdebug\.print\(",
        say="the text of jax.debug.print asks in {…} for a value that was not handed over",
        fix='hand over each value by the name in the text: jax.debug.print("x is {x}", x=x)',
        lesson="printing-at-run-time",
    ),
    Rule(
        type="TypeError",
        words="PRNG key",
        say="jax.random needs a key first, and was given something else",
        fix="make a key with jax.random.key(0), and a new one for each use with jax.random.split(key)",
    ),
    Rule(
        type="ValueError",
        words="checkify.check which was not functionalized",
        say="checkify.check works only in a function that was wrapped with checkify.checkify",
        fix="write error, result = jax.jit(checkify.checkify(f))(x), then error.throw()",
    ),
    Rule(
        type="RuntimeError",
        words=r"Unknown backend: '(?P<name>\w+)' requested",
        say="JAX finds no device of the kind `$name` here",
        fix="see what there is with jax.devices(), or with jittutor doctor",
        lesson="device",
    ),
)
