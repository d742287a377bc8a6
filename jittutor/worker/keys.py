"""A call of a jitted function -> its cache Key as plain text, and the signature of a hit.

Only what JAX has already taken apart is read: no code of the learner runs here (no __repr__, no
flattening of their own pytrees), so that watching changes nothing.
"""

import itertools
import re
import types
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import jax
import msgspec

from jittutor.key import Argument, Form, Key, Leaf, Transformed
from jittutor.worker import functions, internals
from jittutor.worker.trees import PLAIN, is_foreign, leaves_of, text_of, text_of_tree, tree_of

if TYPE_CHECKING:
    import inspect


class Numbers:
    """Numbers for objects, given out in order of first sight; a new object never gets an old number."""

    def __init__(self) -> None:
        """Start at 1."""
        self._next = itertools.count(1)
        self._known: dict[int, tuple[int, Any]] = {}
        self._together: dict[tuple[int, ...], int] = {}

    def of_all(self, things: Sequence[object]) -> int:
        """One number for several objects together; 0 for none."""
        if not things:
            return 0
        numbers = tuple(map(self.of, things))
        return self._together.setdefault(numbers, len(self._together) + 1)

    def of(self, thing: object) -> int:
        """The number of this object."""
        found = self._known.get(id(thing))
        if found is not None and found[1]() is thing:
            return found[0]
        try:
            alive: Any = weakref.ref(thing)
        except TypeError:  # no weak references to it: keep it, so that its id stays its own
            alive = lambda: thing  # noqa: E731 - a reference with the same call form
        number = next(self._next)
        self._known[id(thing)] = (number, alive)
        return number


class Keys:
    """Makes keys; knows how often the caches were cleared."""

    def __init__(self) -> None:
        """Take the settings as they are now for granted: only changed ones are told."""
        self._numbers = Numbers()
        self._usual = dict(internals.context())
        self._cleared = 0
        self._cleared_one: dict[int, int] = {}

    def _number_of(self, value: Any) -> int:
        return 0 if type(value) in PLAIN else self._numbers.of(value)

    def clear(self, function: Any = None) -> None:
        """The caches are cleared: all of them, or those of one function."""
        if function is None:
            self._cleared += 1
        else:
            number = self._numbers.of(function)
            self._cleared_one[number] = self._cleared_one.get(number, 0) + 1

    @staticmethod
    def is_foreign(frame: types.FrameType) -> bool:
        """Whether a static argument or a fixed part of a tree is an object of somebody's own class.

        `frame` runs `Inside.trace_call`.
        """
        here = frame.f_locals
        info, args, kwargs = here["ji"], here["args"], here["kwargs"]
        passed = [*enumerate(args), *kwargs.items()]
        fixed = [value for at, value in passed if _is_static(info, at)]
        return any(
            map(is_foreign, [*fixed, *(part for tree in _trees(frame) for part in text_of_tree(tree)[1])])
        )

    def of_trace(self, frame: types.FrameType) -> Key:
        """The key that JAX is tracing for; `frame` runs `Inside.trace_call`."""
        here = frame.f_locals
        leaves = tuple(
            leaf_of(str(path), aval)
            for path, aval in zip(_paths(here["dbg"], len(here["avals"])), here["avals"], strict=False)
        )
        trees = [self._tree(tree) for tree in _trees(frame)]
        return self._key(here["fun"], here["ji"], here["args"], here["kwargs"], leaves, trees)

    def of_call(self, frame: types.FrameType) -> Key:
        """The key of a call that JAX answered from its cache of traces, with where its arrays are placed.

        `frame` runs `Inside.slow_call`, and is at its end.
        """
        here = frame.f_locals
        function, info, args, kwargs = here["fun"], here["jit_info"], here["args"], here["kwargs"]
        flat = internals.flattened(here)
        if flat is None:
            bound = _bound(info, args, kwargs)
            pairs = [pair for name, value in bound for pair in leaves_of(name, value)]
            trees = [(tree_of(value), 0) for _, value in bound]
        else:
            pairs = list(zip(_paths(flat, len(flat.values)), flat.values, strict=True))
            trees = [self._tree(tree) for tree in flat.trees]
        leaves = tuple(leaf_of(path, _aval(leaf), leaf) for path, leaf in pairs)
        key = self._key(function, info, args, kwargs, leaves, trees)
        made = tuple(_transformed(pairs))
        return msgspec.structs.replace(key, transformed=made) if made else key

    def _tree(self, tree: Any) -> tuple[str, int]:
        text, objects = text_of_tree(tree)
        return text, self._numbers.of_all(objects)

    def _key(  # noqa: PLR0917 - the parts of one key
        self,
        function: Any,
        info: Any,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
        leaves: tuple[Leaf, ...],
        trees: Sequence[tuple[str, int]],
    ) -> Key:
        number = self._numbers.of(function)
        changed = tuple(
            (name, value)
            for name, value in internals.context()
            if name in internals.ALWAYS or self._usual.get(name) != value
        )
        arguments = tuple(_arguments(info, args, kwargs, trees, self._number_of))
        leaves = _named(info, leaves)
        if internals.pmapped(function) is not None:
            arguments = tuple(msgspec.structs.replace(a, name=_numbered(a.name)) for a in arguments)
            leaves = tuple(msgspec.structs.replace(leaf, path=_numbered(leaf.path)) for leaf in leaves)
        return Key(
            internals.name_of(function),
            number,
            functions.place_of(function),
            arguments,
            leaves,
            changed,
            tuple((name, self._usual.get(name, "")) for name, _ in changed if name not in internals.ALWAYS),
            self._cleared + self._cleared_one.get(number, 0),
            internals.options_of(info),
        )


def _named(info: Any, leaves: tuple[Leaf, ...]) -> tuple[Leaf, ...]:
    """The arrays, those that two stars gather by the name they were passed with: `a`, not `options['a']`."""
    signature: inspect.Signature | None = getattr(info, "fun_signature", None)
    for parameter in signature.parameters.values() if signature else ():
        if parameter.kind is parameter.VAR_KEYWORD:
            start = re.compile(rf"^{parameter.name}\['(\w+)'\]")
            return tuple(msgspec.structs.replace(a, path=start.sub(r"\1", a.path)) for a in leaves)
    return leaves


def _numbered(path: str) -> str:
    """The name of an array that pmap has taken out of its tree: it has none of its own."""
    return re.sub(r"^\w+\[(\d+)\]$", lambda found: f"array {int(found[1]) + 1}", path)


def signature_of(info: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str | None:
    """The signature of a call that was a hit, as Key.signature would write it; None when unsure."""
    trees: list[tuple[str, int]] = []
    leaves: list[Leaf] = []
    for name, value in _bound(info, args, kwargs):
        tree = tree_of(value)
        if "?" in tree:
            return None
        trees.append((tree, 0))
        leaves += [leaf_of(path, _aval(leaf), leaf) for path, leaf in leaves_of(name, value)]
    arguments = tuple(_arguments(info, args, kwargs, trees))
    return Key("", 0, "", arguments, tuple(leaves)).signature


def leaf_of(path: str, aval: Any, value: Any = None) -> Leaf:
    """What JAX sees of one array."""
    shape = getattr(aval, "shape", None)
    if shape is None:
        return Leaf(path, (), type(value if value is not None else aval).__name__)
    dtype = internals.dtype_name(getattr(aval, "dtype", None))
    sizes = tuple(size if isinstance(size, int) else str(size) for size in shape)
    return Leaf(path, sizes, dtype, bool(getattr(aval, "weak_type", False)), _placed(aval, value))


def _transformed(pairs: Sequence[tuple[str, Any]]) -> Iterator[Transformed]:
    """What transformations made of the arrays that a call hands over."""
    for path, value in pairs:
        by, below = internals.transformations(value)
        if by:
            yield Transformed(path, by, leaf_of(path, _aval(below)).short)


def _placed(aval: Any, value: Any) -> str:
    """Where an array must stay: its explicit mesh, or the device it is committed to."""
    committed = isinstance(value, jax.Array) and getattr(value, "_committed", False)
    sharding = getattr(aval, "sharding", None)
    if committed and isinstance(value.sharding, jax.sharding.NamedSharding):
        # The type of an array does not tell of axes that the compiler may shard as it likes.
        sharding = value.sharding
    mesh = getattr(sharding, "mesh", None)
    if mesh is not None and not getattr(mesh, "empty", True):
        return f"on the mesh {getattr(sharding, 'spec', '')} of {dict(mesh.shape)}"
    if committed:
        try:
            return ", ".join(sorted(str(device) for device in value.devices()))
        except (RuntimeError, AttributeError):
            return "committed"
    return ""


def _aval(value: Any) -> Any:
    try:
        return jax.typeof(value)
    except (TypeError, OverflowError):
        return None


def _trees(frame: types.FrameType) -> Sequence[Any]:
    """The trees of the arguments that are not static; `frame` runs `Inside.trace_call`."""
    above = frame.f_back
    found: Sequence[Any] = getattr(
        above.f_locals.get("arg_signature") if above else None, "dynamic_arg_treedefs", ()
    )
    return found


def _paths(debug: Any, count: int) -> Sequence[str]:
    names = getattr(debug, "arg_names", None)
    if names is None or len(names) != count:
        return [f"argument {n}" for n in range(1, count + 1)]
    return [str(name) for name in names]


def _is_static(info: Any, at: int | str) -> bool:
    return at in (info.static_argnums if isinstance(at, int) else info.static_argnames)


def _names(info: Any, count: int) -> list[str]:
    """Names for positional arguments: of the parameters, `rest[0]` where they are gathered by a star."""
    names: list[str] = []
    signature: inspect.Signature | None = getattr(info, "fun_signature", None)
    for parameter in signature.parameters.values() if signature else ():
        if parameter.kind is parameter.VAR_POSITIONAL:
            names += [f"{parameter.name}[{n}]" for n in range(count - len(names))]
        elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            names.append(parameter.name)
    return [names[n] if n < len(names) else f"argument {n + 1}" for n in range(count)]


def _bound(info: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The arguments that are not static, with their names, in JAX's order."""
    names = _names(info, len(args))
    positional = [(names[n], value) for n, value in enumerate(args) if not _is_static(info, n)]
    named = [(name, kwargs[name]) for name in sorted(kwargs) if not _is_static(info, name)]
    return positional + named


def _arguments(
    info: Any,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    trees: Sequence[tuple[str, int]],
    number_of: Callable[[Any], int] = lambda _: 0,
) -> list[Argument]:
    """Each parameter: how it was passed, its value if static, else its tree."""
    rest = iter(trees)
    names = _names(info, len(args))
    passed: list[tuple[int | str, str, Form, Any]] = [
        (at, name, "positional", value) for at, (name, value) in enumerate(zip(names, args, strict=True))
    ]
    passed += [(name, name, "keyword", kwargs[name]) for name in sorted(kwargs)]
    found: list[Argument] = []
    for at, name, form, value in passed:
        if _is_static(info, at):
            found.append(Argument(name, form, text_of(value), number_of(value)))
        else:
            tree, number = next(rest, ("", 0))
            found.append(Argument(name, form, object=number, tree=tree))
    given = {argument.name for argument in found}
    signature: inspect.Signature | None = getattr(info, "fun_signature", None)
    for parameter in signature.parameters.values() if signature else ():
        single = parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        if single and parameter.name not in given:
            found.append(Argument(parameter.name, "left out"))
    return found
