"""All that JAX compares before it reuses a traced program, as plain frozen text."""

from typing import Literal

import msgspec

LONGEST = 80
"""Letters of a static value in a signature."""

type Form = Literal["positional", "keyword", "left out"]


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece of a message."""


class Leaf(Part, frozen=True):
    """One array that a call hands over: where it stands in the arguments and what JAX sees of it."""

    path: str
    """Such as `x` or `params['w'][0]`."""
    shape: tuple[int | str, ...]
    dtype: str
    weak: bool = False
    placed: str = ""
    """Device or sharding the array is committed to; empty when JAX is free to choose."""

    @property
    def short(self) -> str:
        """The way JAX writes it, `~` marking a weak type: `f32[3,2]`, `~i32[]`."""
        return f"{'~' if self.weak else ''}{self.dtype}[{','.join(map(str, self.shape))}]"


class Argument(Part, frozen=True):
    """One parameter of the function as this call fills it."""

    name: str
    form: Form
    static: str | None = None
    """The value as text when the argument is static, else None."""
    object: int = 0
    """Number of the static object: two that look alike may still be unequal."""
    tree: str = ""
    """The pytree around the arrays: `*` for a bare array, `None`, `[*, *]`, `{'b': *, 'w': *}`."""


class Transformed(Part, frozen=True):
    """An argument that grad, jvp or vmap put in place of an array."""

    path: str
    by: str
    """Such as `vmap`, `vmap of grad`."""
    value: str
    """The array below, with the axes that vmap takes away."""


class Key(Part, frozen=True):
    """All that JAX compares before it reuses a traced program, as plain text."""

    function: str
    identity: int
    """Number of the function object: the same code in a new object gets a new number."""
    code: str
    """Where the function is written: `name@file:line`."""
    arguments: tuple[Argument, ...] = ()
    leaves: tuple[Leaf, ...] = ()
    context: tuple[tuple[str, str], ...] = ()
    """JAX settings that are part of the key, by name."""
    usual: tuple[tuple[str, str], ...] = ()
    """What those settings were when the run began, where earlier keys may not tell."""
    epoch: int = 0
    """How often the caches were cleared before this call."""
    options: tuple[tuple[str, str], ...] = ()
    """What jit was asked for beside the function, such as donated arguments."""
    transformed: tuple[Transformed, ...] = ()
    """What a transformation around the call made of its arguments; the trace is the same, not the program."""

    def leaves_of(self, name: str) -> list[Leaf]:
        """The arrays of one argument: `params['w']` is of `params`, and `xs[0].a` of `xs[0]`."""
        below = f"{name}[", f"{name}."
        return [leaf for leaf in self.leaves if leaf.path == name or leaf.path.startswith(below)]

    @property
    def signature(self) -> str:
        """One line for people: `f32[100], n=3`."""
        shown: list[str] = []
        for argument in self.arguments:
            mine = self.leaves_of(argument.name)
            if argument.form == "left out":
                continue
            if argument.static is not None:
                shown.append(f"{argument.name}={_short(argument.static)}")
            elif argument.tree in ("", "*") and len(mine) == 1:
                shown.append(f"{argument.name}: {mine[0].short}")
            else:
                shown.append(f"{argument.name}: {fill(argument.tree, mine)}")
        return ", ".join(shown)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def fill(tree: str, leaves: list[Leaf]) -> str:
    """The tree with each `*` replaced by its leaf; the bare tree when the counts differ."""
    holes = tree.split("*")
    if len(holes) != len(leaves) + 1:
        return tree
    return "".join(hole + leaf.short for hole, leaf in zip(holes, leaves, strict=False)) + holes[-1]
