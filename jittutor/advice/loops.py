"""Errors of scan, while_loop, fori_loop, cond and switch: their parts must fit together."""

from jittutor.advice.rule import Rule

RULES = (
    Rule(
        type="TypeError",
        words=r"[Tt]he input carry (component )?(?P<carry>\S+) has type (?P<before>\S+) but the "
        r"corresponding output carry component has type (?P<now>[^\s,]+), so the dtypes",
        say="each round hands its carry to the next, so its type must stay the same; `$carry` goes in as "
        "$before and comes out as $now",
        fix="start with the dtype that comes out, such as 0.0 instead of 0, or convert in the body with "
        ".astype(start.dtype)",
        lesson="carry",
    ),
    Rule(
        type="TypeError",
        words=r"[Tt]he input carry (component )?(?P<carry>\S+) has type (?P<before>\S+) but the "
        r"corresponding output carry component has type (?P<now>\S+), so",
        say="each round hands its carry to the next, so its shape must stay the same; `$carry` goes in as "
        "$before and comes out as $now",
        fix="start with an array of the final shape and fill it with .at[i].set(…), or give the growing part "
        "back as the second result of scan",
        lesson="carry",
    ),
    Rule(
        type="TypeError",
        words="carry input and carry output must have the same pytree structure",
        say="each round hands its carry to the next, so its structure must stay the same, and the body gives "
        "back another structure than it got",
        fix="return the carry built in the same way as the start value: the same tuples, dicts and number of "
        "parts",
        lesson="carry",
    ),
    Rule(
        type="TypeError",
        words=r"scan body output must be a pair, got (?P<got>[^\n]*?)\.?$",
        say="the body of scan must give back two things, the new carry and a result of this round; it gave "
        "$got",
        fix="write return carry, result (or return carry, None)",
        lesson="loops",
    ),
    Rule(
        type="ValueError",
        words=r"scan got values with different leading axis sizes: (?P<sizes>[\d, ]+\d)",
        say="scan goes over the first axis of all its inputs together, and their lengths differ: $sizes",
        fix="cut or pad the inputs to one length",
        lesson="loops",
    ),
    Rule(
        type="ValueError",
        words="scan got no values to scan over",
        say="scan does not know how many rounds to make: there is no input to go over, and no length",
        fix="write length=…",
        lesson="loops",
    ),
    Rule(
        type="ValueError",
        words="scan got value with no leading axis",
        say="scan goes over the first axis of its inputs, and a single number has no axis",
        fix="give an array, such as jnp.arange(n), or None with length=n",
        lesson="loops",
    ),
    Rule(
        type="TypeError",
        words=r"cond_fun must return a boolean scalar, but got (?:output type\(s\) )?(?P<got>[^\n]*?)\.?$",
        say="the condition of while_loop must give one True or False for each round; it gave $got",
        fix="compare and reduce: jnp.any(x < limit), jnp.all(…), or x != 0",
        lesson="loops",
    ),
    Rule(
        type="TypeError",
        words="lower and upper arguments to fori_loop must have equal types",
        say="the two limits of fori_loop have different types",
        fix="make both whole numbers of one dtype",
        lesson="loops",
    ),
    Rule(
        type="TypeError",
        words=r"[Tt]he output of (?P<one>.+?) has type (?P<before>\S+) but the corresponding output of "
        r"(?P<other>.+?) has type (?P<now>[^\s,]+), so the dtypes",
        say="both branches become one program with one output type; $one gives $before and $other gives $now",
        fix="make the dtypes equal, such as 0.0 instead of 0, or .astype(x.dtype)",
        lesson="both-branches",
    ),
    Rule(
        type="TypeError",
        words=r"[Tt]he output of (?P<one>.+?) has type (?P<before>\S+) but the corresponding output of "
        r"(?P<other>.+?) has type (?P<now>[^\s,]+), so",
        say="both branches become one program with one output shape; $one gives $before and $other "
        "gives $now",
        fix="make the shapes equal: pad, reduce or broadcast in one of the branches",
        lesson="both-branches",
    ),
    Rule(
        type="TypeError",
        words="branch outputs must have the same pytree structure",
        say="both branches become one program, so they must give back the same structure, and one gives "
        "another (None, a tuple or a single array)",
        fix="return the same number of values, built in the same way, from each branch",
        lesson="both-branches",
    ),
    Rule(
        type="TypeError",
        words=r"Pred must be a scalar, got .* of shape (?P<shape>\([\d, ]*\))",
        say="lax.cond takes one branch, so its condition must be a single True or False; this one has the "
        "shape $shape",
        fix="choose for each element with jnp.where, or reduce the condition with .any() or .all()",
        lesson="both-branches",
    ),
    Rule(
        type="TypeError",
        words="true_fun and false_fun arguments should be callable",
        say="lax.cond takes two functions and runs one of them, and it was given values",
        fix="hand over functions, lax.cond(condition, lambda x: x, lambda x: -x, x), or use "
        "jnp.where(condition, a, b) with values",
        lesson="both-branches",
    ),
    Rule(
        type="TypeError",
        words="Index type must be an integer",
        say="lax.switch counts its branches from 0, so its first argument must be a whole number",
        fix="convert it with .astype(int)",
        lesson="both-branches",
    ),
)
