"""Small makers of keys and events for tests of the domain."""

from jittutor.event import Called, Traced
from jittutor.key import Argument, Form, Key, Leaf


def leaf(path: str = "x", *shape: int, dtype: str = "f32", weak: bool = False, placed: str = "") -> Leaf:
    return Leaf(path, shape, dtype, weak, placed)


def key(
    *leaves: Leaf,
    static: dict[str, str] | None = None,
    form: Form = "positional",
    tree: str = "*",
    identity: int = 1,
    code: str = "f@file.py:1",
    epoch: int = 0,
    **context: str,
) -> Key:
    arguments = [Argument(one.path, form, tree=tree) for one in leaves]
    arguments += [Argument(name, "positional", value) for name, value in (static or {}).items()]
    return Key("f", identity, code, tuple(arguments), leaves, tuple(context.items()), (), epoch)


def miss(n: int, of: Key, run: int = 1) -> tuple[Traced, Called]:
    """A call that traced; the trace has the call's number."""
    traced = Traced(run, n, of, line=n)
    called = Called(run, n, "f", n, of.signature, hit=False, trace=n, key=of, compile_ms=10.0, program=n)
    return traced, called


def hit(n: int, of: Key, run: int = 1) -> Called:
    return Called(run, n, "f", n, of.signature, dispatch_ms=0.1)
