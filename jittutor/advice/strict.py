"""Errors where JAX was asked to be strict: programs compiled ahead, promotion, forbidden traces, keys."""

from jittutor.advice.rule import Rule

RULES = (
    Rule(
        type="TypeError",
        words=r"differ from the types for which this computation was compiled(?s:.*)"
        r"Argument '(?P<name>[^']+)' compiled with (?P<before>\S+) and called with (?P<now>\S+)",
        say="a program that was compiled ahead is for one kind of input: `$name` was $before, and is $now",
        fix="compile it for this kind too, or call the jitted function itself, which compiles when it must",
        lesson="ahead-of-time",
    ),
    Rule(
        type="TypeError",
        words="Function compiled with input pytree does not match",
        say="a program that was compiled ahead takes its arguments in one way only: so many of them, with "
        "these containers and names",
        fix="call it as it was lowered, static arguments left out; or call the jitted function itself",
        lesson="ahead-of-time",
    ),
    Rule(
        type="TypeError",
        words="Cannot apply JAX transformations to a function lowered and compiled",
        say="a program that was compiled ahead is finished: jit, grad and vmap cannot look into it",
        fix="call the jitted function itself inside other functions",
        lesson="ahead-of-time",
    ),
    Rule(
        type="RuntimeError",
        words=r"^re-tracing function (?P<function>\S+) at",
        say="jax.no_tracing forbids traces here, and this call of $function needs one: it is not in "
        "the cache",
        fix="call it once before with the same kinds of inputs; the calls tell why it was a miss",
        lesson="what-triggers-a-recompile",
    ),
    Rule(
        type="TypePromotionError",
        words=r"Input dtypes (?P<dtypes>\(.*?\)) have no available implicit dtype promotion path",
        say="jax_numpy_dtype_promotion is strict: the dtypes $dtypes are not made equal",
        fix="convert one of them: x.astype(y.dtype)",
        lesson="dtypes-not-values",
    ),
    Rule(
        type="ValueError",
        words="jax_numpy_rank_promotion='raise'",
        say="jax_numpy_rank_promotion is on: arrays with different numbers of axes are not broadcast",
        fix="add the missing axes: x[None, :]",
    ),
    Rule(
        type="ValueError",
        words="Comparator raised exception while sorting pytree dictionary keys",
        say="JAX sorts the keys of a dict, and these cannot be compared with each other",
        fix="use keys of one type, such as only strings",
        lesson="trees-and-calls",
    ),
    Rule(
        type="ValueError",
        words=r"accepts a single key, but was given a key array of shape (?P<shape>\(.*?\)) !=",
        say="jax.random takes one key, and this is an array of keys with the shape $shape",
        fix="take one of them, keys[0], or go over all: jax.vmap(jax.random.normal)(keys)",
    ),
    Rule(
        type="TypeError",
        words=r"^(?P<operation>\w+) does not accept dtypes? .*key<",
        say="a random key is no number: $operation cannot take it",
        fix="make new keys with jax.random.split or jax.random.fold_in, and numbers with jax.random.uniform",
    ),
    Rule(
        type="AttributeError",
        words=r"Unrecognized config option: (?P<option>\w+)",
        say="this version of JAX has no setting `$option`",
        fix="look for its name with jax.config.values",
    ),
)
