"""Errors of shapes and types: arrays that do not fit together, and values that are no arrays."""

from jittutor.advice.rule import Rule

SHAPE = r"\([\d, ]*\)"

RULES = (
    Rule(
        type="TypeError|ValueError",
        words=rf"incompatible shapes for broadcasting:? (?P<shapes>{SHAPE}(, {SHAPE})*)"
        rf"|Incompatible shapes for broadcasting: shapes=\[(?P<more>[^\]]*)\]",
        say="two shapes fit together when, counted from the right, each pair of sizes is equal or "
        "one of them "
        "is 1; these do not: $shapes$more",
        fix="change one shape, with x[:, None] or x.reshape(…), or take another axis",
    ),
    Rule(
        type="ValueError",
        words=r"Incompatible types for broadcasting: input type=(?P<one>\S+) and requested "
        r"type=(?P<other>\S+)",
        say="$one cannot be spread to $other: counted from the right, each size must be equal, or 1 in the "
        "first",
        fix="give a value of the wanted shape, or one with size 1 where it is repeated",
    ),
    Rule(
        type="TypeError",
        words=r"contracting dimensions to have the same shape, got (?P<one>\([\d, ]*\)) and "
        r"(?P<other>\([\d, ]*\))",
        say="a product multiplies the last axis of the left array with the first but one of the right, and "
        "their sizes differ: $one and $other",
        fix="turn one of them, x.T, or name the axes with jnp.einsum",
    ),
    Rule(
        type="ValueError",
        words=r"Size of label '(?P<label>\w)'",
        say="in an einsum one letter stands for one size, and `$label` has two different ones",
        fix="use another letter, or give arrays whose sizes agree",
    ),
    Rule(
        type="TypeError",
        words=rf"Cannot concatenate arrays .* along dimension (?P<axis>\d+) for shapes "
        rf"(?P<shapes>{SHAPE}.*)\.$",
        say="arrays that are joined along axis $axis must have equal sizes in all other axes: $shapes",
        fix="join along another axis, axis=…, or pad to equal sizes",
    ),
    Rule(
        type="ValueError",
        words=r"All input arrays must have the same shape\. Got (?P<shapes>.*?)\.?$",
        say="arrays that are stacked must have the same shape: $shapes",
        fix="pad to one shape, or use jnp.concatenate, where one axis may differ",
    ),
    Rule(
        type="TypeError",
        words=rf"cannot reshape array of shape (?P<one>{SHAPE}) \(size (?P<before>\d+)\) into shape "
        rf"(?P<other>.*?) \(size (?P<now>\d+)\)",
        say="a reshape keeps all elements: $one has $before, and $other would have $now",
        fix="give a shape with $before elements; -1 stands for the size that is left",
    ),
    Rule(
        type="ValueError",
        words=r"axis (?P<axis>-?\d+) is out of bounds for array of dimension (?P<rank>\d+)",
        say="axes are counted from 0, and the array has no axis $axis: the number of its axes is $rank",
        fix="name an axis the array has; -1 is the last",
    ),
    Rule(
        type="IndexError",
        words=r"Too many indices: array is (?P<rank>\d+)-dimensional, but (?P<many>\d+) were indexed",
        say="the index has $many parts, and the number of axes of the array is $rank",
        fix="use at most one index for each axis",
    ),
    Rule(
        type="TypeError",
        words=r"(?P<name>lax\.\w+) requires arguments to have the same dtypes, got (?P<types>.*?)\. ",
        say="$name does not convert, and the dtypes differ: $types",
        fix="use the function of jax.numpy, which converts, or .astype(…)",
    ),
    Rule(
        type="TypeError",
        words="Using a non-tuple sequence for multidimensional indexing",
        say="JAX does not take a list as an index",
        fix="make it an array: x[jnp.array([0, 1])]",
    ),
    Rule(
        type="TypeError",
        words=r"Indexer must have integer or boolean type, got indexer with type (?P<dtype>\w+)",
        say="an index must be whole numbers or a mask of True and False, and this one is $dtype",
        fix="convert it with .astype(int), or divide with // instead of /",
    ),
    Rule(
        type="TypeError",
        words=r"requires ndarray or scalar arguments, got <class 'NoneType'>",
        say="a function of jax.numpy takes arrays and numbers, and it was given None",
        fix="see where the value comes from: a function without `return` gives None",
    ),
    Rule(
        type="TypeError",
        words=r"requires ndarray or scalar arguments, got <class '(?P<kind>[^']*)'>",
        say="a function of jax.numpy takes arrays and numbers, and does not convert a $kind by itself",
        fix="convert it once with jnp.array(…)",
    ),
    Rule(
        type="TypeError",
        words="is not a valid JAX array type",
        say="JAX arrays hold only numbers and True or False",
        fix="turn text into numbers first, for example an index for each text",
    ),
    Rule(
        type="ValueError|TypeError",
        words="None is not a valid value for jnp.array",
        say="JAX arrays hold only numbers and True or False, and one of the values is None",
        fix="put a number in its place, such as jnp.nan, and keep a mask of what is missing",
        lesson="data-dependent-shapes",
    ),
    Rule(
        type="TypeError",
        words=r"Argument .* of type <class '(?P<kind>[^']*)'> is not a valid JAX type",
        say="JAX takes arrays, numbers and pytrees of them, and here it was given a value of type $kind",
        fix="take this value out of the pytree, or hand it over as an argument that is not traced",
    ),
    Rule(
        type="ValueError",
        words="truth value of an array with more than one element is ambiguous",
        say="Python needs one True or False, and this array has several elements",
        fix="say which is meant, .any() or .all(); or choose for each element with jnp.where",
        lesson="branches",
    ),
    Rule(
        type="TypeError",
        words="[Oo]nly .*arrays can be converted to Python scalars",
        say="only an array of one element can become a Python number, and this one has several",
        fix="take one element, x[0], or make it one number first: jnp.sum(x), jnp.max(x)",
    ),
    Rule(
        type="TypeError",
        words="iteration over a 0-d array",
        say="a Python loop goes over the first axis of an array, and a single number has no axis",
        fix="for a number of rounds use jax.lax.fori_loop(0, n, body, start), or range(int(n)) outside jit",
        lesson="loops",
    ),
    Rule(
        type="ValueError",
        words="assignment destination is read-only",
        say="a NumPy view of a JAX array cannot be changed, as a JAX array never changes",
        fix="make a copy that can be changed: np.array(x)",
    ),
    Rule(
        type="ValueError",
        words="^pytree structure error",
        say="trees that are used together must have one structure, and these differ in keys, lengths "
        "or types",
        fix="build both in the same way; jax.tree.structure(x) shows the structure of x",
        lesson="trees-and-calls",
    ),
    Rule(
        type="TypeError",
        words="JAX arrays are immutable",
        say="a JAX array never changes, so nothing can be assigned to a part of it",
        fix="make a changed copy: x = x.at[i].set(value)",
    ),
    Rule(
        type="TypeError",
        words=r"unhashable type: '[\w.]*ArrayImpl'",
        say="an array cannot be a key of a dict or a member of a set: it has no hash",
        fix="use a Python number, int(x) or x.item(), or a tuple",
    ),
)
