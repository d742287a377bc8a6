"""Pytrees and static values as text, without running the learner's code: no __repr__, no flattening."""

import enum
import sys
import zlib
from collections import OrderedDict, defaultdict
from typing import Any

import jax
import numpy as np

from jittutor.worker import internals

LONGEST = 1_000
"""Letters of a static value."""
MANY, FIELDS = 30, 6
"""Parts of a container, and attributes of an object, that are told."""
MOST = 4_000
"""Letters of a tree that are kept."""
PLAIN = (bool, int, float, complex, str, bytes, type(None))
"""Types whose text tells all: equal text, equal value."""


def text_of_tree(tree: Any) -> tuple[str, list[object]]:
    """The text of a PyTreeDef, and the objects in its metadata whose text does not tell all of them."""
    objects: list[object] = []
    text = _node(tree, objects)
    if len(text) > MOST:
        # What the rest holds still counts when two trees are compared.
        text = f"{text[:MOST]}… {zlib.crc32(text.encode()):08x}"
    return text, objects


def _node(tree: Any, objects: list[object]) -> str:
    data = tree.node_data()
    if data is None:
        return "*"
    kind, metadata = data
    inner = [_node(child, objects) for child in tree.children()]
    if kind is type(None):
        return "None"
    if kind is list:
        return f"[{', '.join(inner)}]"
    if kind is tuple:
        return f"({inner[0]},)" if len(inner) == 1 else f"({', '.join(inner)})"
    if kind in (dict, OrderedDict, defaultdict):
        before = "" if kind is dict else kind.__name__
        if kind is defaultdict:
            factory, metadata = metadata
            before = f"defaultdict({_metadata(factory, objects)})"
        shown = (f"{_metadata(name, objects)}: {one}" for name, one in zip(metadata, inner, strict=True))
        return f"{before}{{{', '.join(shown)}}}"
    fields = getattr(kind, "_fields", ())
    if metadata is None and len(fields) == len(inner):
        inner = [f"{name}={one}" for name, one in zip(fields, inner, strict=True)]
    known = "" if metadata is None else _metadata(metadata, objects)
    return f"{kind.__name__}{f'[{known}]' if known else ''}({', '.join(inner)})"


def _metadata(value: object, objects: list[object]) -> str:
    """The text of a fixed part of a tree; what is not plain is put to the objects."""
    if type(value) is tuple:
        return ", ".join(_metadata(part, objects) for part in value)
    if type(value) not in PLAIN:
        objects.append(value)
    return text_of(value)


def tree_of(value: Any) -> str:
    """The pytree of plain containers, as JAX writes it; `?` for a class that only JAX can take apart."""
    if value is None:
        return "None"
    if type(value) is dict:
        try:
            names = sorted(value)
        except TypeError:
            return "?"
        return "{" + ", ".join(f"{text_of(name)}: {tree_of(value[name])}" for name in names) + "}"
    if type(value) is list:
        return "[" + ", ".join(map(tree_of, value)) + "]"
    if type(value) is tuple:
        inner = ", ".join(map(tree_of, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return "*" if is_array(value) else "?"


def is_array(value: Any) -> bool:
    """Whether JAX takes the value as one array."""
    return isinstance(value, (jax.Array, np.ndarray, np.generic, bool, int, float, complex)) or hasattr(
        type(value), "aval"
    )


def leaves_of(path: str, value: Any) -> list[tuple[str, Any]]:
    """The arrays in plain containers, with their paths."""
    if value is None:
        return []
    if type(value) is dict:
        try:
            names = sorted(value)
        except TypeError:
            return []
        return [leaf for name in names for leaf in leaves_of(f"{path}[{text_of(name)}]", value[name])]
    if type(value) in (list, tuple):
        return [leaf for n, part in enumerate(value) for leaf in leaves_of(f"{path}[{n}]", part)]
    return [(path, value)] if is_array(value) else []


def is_foreign(value: object, depth: int = 4) -> bool:
    """Whether writing the value as text could run code that is neither Python's own nor JAX's."""
    if isinstance(value, (tuple, list, set, frozenset)) and depth:
        return any(is_foreign(part, depth - 1) for part in value)
    if isinstance(value, dict) and depth:
        return any(is_foreign(part, depth - 1) for pair in value.items() for part in pair)
    return type(value).__module__.partition(".")[0] not in _KNOWN


_KNOWN = sys.stdlib_module_names | {"jax", "jaxlib", "ml_dtypes", "numpy"}


def text_of(value: Any, depth: int = 6) -> str:
    """A static value as text, without running the learner's own __repr__."""
    text = _plain_text(value, depth) or _name(value) or _object_text(value, depth)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _plain_text(value: Any, depth: int) -> str | None:
    """The text of Python's own values and containers; None for anything else."""
    if type(value) in PLAIN:
        return repr(value)
    if type(value) in _BRACKETS:
        start, end = _BRACKETS[type(value)]
        parts = [text_of(part, depth - 1) for part in list(value)[:MANY]] if depth else ["…"]
        if not isinstance(value, (tuple, list)):
            # Equal sets can stand in different orders.
            parts.sort()
        return f"{start}{', '.join(parts)}{',' if type(value) is tuple and len(value) == 1 else ''}{end}"
    if type(value) is dict:
        pairs = list(value.items())[:MANY] if depth else []
        return f"{{{', '.join(f'{text_of(k, depth - 1)}: {text_of(v, depth - 1)}' for k, v in pairs)}}}"
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{internals.stored(value, '_name_')}"
    return _array_text(value)


def _array_text(value: Any) -> str | None:
    """The text of what belongs to arrays; None for anything else."""
    if isinstance(value, np.generic):
        return f"{type(value).__name__}({value.item()!r})"
    if isinstance(value, np.dtype):
        return f"dtype({value.name!r})"
    if isinstance(value, np.ndarray) or hasattr(type(value), "aval"):
        return f"{type(value).__name__}{list(value.shape)}"
    return text_of_tree(value)[0] if type(value) is jax.tree_util.PyTreeDef else None


def _name(value: Any) -> str | None:
    """The name of a function or a class; None for anything else."""
    name = internals.stored(value, "__name__")
    if type(name) is not str:
        return None
    home = str(internals.stored(value, "__module__")).partition(".")[0]
    # There are scalar types of one name in both.
    return f"{home}.{name}" if isinstance(value, type) and home in ("jax", "numpy") else name


def _object_text(value: Any, depth: int) -> str:
    """The text of an object: its class and what it holds."""
    fields = internals.stored(value, "__dict__") if depth else None
    shown = ", ".join(f"{k}={text_of(v, depth - 1)}" for k, v in list((fields or {}).items())[:FIELDS])
    return f"{type(value).__name__}({shown})"


_BRACKETS: dict[type, tuple[str, str]] = {
    tuple: ("(", ")"),
    list: ("[", "]"),
    set: ("{", "}"),
    frozenset: ("frozenset({", "})"),
}
