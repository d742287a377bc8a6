"""Writes random programs of jits in jits, transformations, loops and all kinds of arguments.

A program counts what it does itself: `TRACES` in the body of each jitted function, `CALLS` beside each
call in its own code. It is made from a `random.Random` alone, so the same seed writes the same program.
"""

from random import Random

HEAD = """
import gc
import jax
import jax.numpy as jnp
import numpy as np
from collections import Counter
from functools import partial

TRACES, CALLS = Counter(), Counter()
if not hasattr(jax, "compiles_heard"):
    jax.compiles_heard = []
    jax.monitoring.register_event_duration_secs_listener(
        lambda event, *_, **more: "backend_compile" in event and jax.compiles_heard.append(event)
    )


def called(name, value):
    CALLS[name] += 1
    return value
"""

VALUES = (
    "1.5", "2", "True", "np.float32(1)", "np.int8(3)", "np.arange(3.0)", "np.ones((2, 3), np.float32)",
    "jnp.ones(3)", "jnp.ones((2, 3))", "jnp.arange(4)", "jnp.ones(3, jnp.bfloat16)", "jnp.float32(2)",
    "np.ones((2, 3), np.int16)", "jnp.zeros((0, 3))", "jax.device_put(np.ones(3, np.float32))",
    "jax.device_put(jnp.ones(3), jax.devices()[0])", "jnp.array([True, False])", "1j",
)  # fmt: skip
SHAPED = ("jnp.ones(3)", "np.ones((2, 3), np.float32)", "jnp.ones((4, 2))")


KINDS = ["plain", "plain", "static", "lambda", "partial", "method", "grad", "vmap", "tree", "again", "object"]
"""The ways to make a jitted function; plain ones are the most frequent."""


class Function:
    """A jitted function of the program: how it is named, and how it is called."""

    def __init__(
        self, name: str, variable: str, *, static: bool = False, tree: bool = False, named: bool = True
    ) -> None:
        """`name` is what JAX calls it; `variable` what the program does."""
        self.name, self.variable, self.static, self.tree, self.named = name, variable, static, tree, named


class Writer:
    """One program."""

    def __init__(self, random: Random) -> None:
        """Write a program by these throws of the dice."""
        self._random = random
        self._lines: list[str] = []
        self._functions: list[Function] = []
        for number in range(random.randint(1, 4)):
            self._define(number)
        for _ in range(random.randint(2, 7)):
            self._act()

    @property
    def text(self) -> str:
        """The program, without its head."""
        return "\n".join(["jax.compiles_heard.clear()", *self._lines]) + "\n"

    # ------------------------------------------------------------ definitions

    def _define(self, number: int) -> None:
        name = f"f{number}"
        kind = self._random.choice(KINDS)
        body = self._body()
        function = Function(name, name, static=kind == "static", tree=kind == "tree", named=kind != "grad")
        if kind in ("plain", "tree"):
            self._def(name, "x", body, "@jax.jit", tree=kind == "tree")
        elif kind == "static":
            how = self._random.choice(('static_argnames="n"', "static_argnums=1"))
            self._def(
                name, "x, n=2", [*body, "for _ in range(n):", "    y = y * 2"], f"@partial(jax.jit, {how})"
            )
        elif kind == "lambda":
            function.name = "<lambda>"
            inner = self._inner("x") or "x"
            self._lines.append(f"{name} = jax.jit(lambda x: (TRACES.update(['<lambda>']), {inner} * 2)[1])")
        elif kind == "partial":
            self._def(name, "a, x", body)
            self._lines.append(f"{name} = jax.jit(partial({name}, 2.0))")
        elif kind in ("method", "object"):
            self._class(function, number, kind, body)
        elif kind == "grad":
            self._def(name, "x", [*body, "y = jnp.sum(jnp.real(y)).astype(float)"])
            self._lines.append(f"{name} = jax.jit(jax.grad({name}, allow_int=True))")
        elif kind == "vmap":
            self._def(name, "x", body)
            self._lines.append(
                f"{name} = (lambda g: lambda x: g(jnp.atleast_1d(x)))(jax.jit(jax.vmap({name})))"
            )
            return
        elif kind == "again":
            self._def(name, "x", body, "@jax.jit")
            self._lines.append(f"{name} = jax.jit({name})")
        self._functions.append(function)

    def _def(
        self, name: str, parameters: str, body: list[str], decorator: str = "", *, tree: bool = False
    ) -> None:
        self._lines += [decorator] if decorator else []
        self._lines += [f"def {name}({parameters}):", f"    TRACES['{name}'] += 1"]
        self._lines += ["    x = jax.tree.leaves(x)[0]"] if tree else []
        self._lines += ["    y = x * 2", *(f"    {line}" for line in body), "    return y"]

    def _class(self, function: Function, number: int, kind: str, body: list[str]) -> None:
        method, jitted = ("__call__", False) if kind == "object" else (f"m{number}", True)
        self._lines.append(f"class C{number}:")
        self._lines += ["    @partial(jax.jit, static_argnums=0)"] if jitted else []
        name = function.name = f"C{number}" if kind == "object" else f"m{number}"
        self._lines += [f"    def {method}(self, x):", f"        TRACES['{name}'] += 1", "        y = x * 2"]
        self._lines += [*(f"        {line}" for line in body), "        return y"]
        made = f"jax.jit(C{number}())" if kind == "object" else f"C{number}()"
        self._lines.append(f"o{number} = {made}")
        function.variable = f"o{number}" if kind == "object" else f"o{number}.{method}"

    def _body(self) -> list[str]:
        return [f"y = {inner}" for _ in range(self._random.randint(0, 2)) if (inner := self._inner("y"))]

    def _inner(self, value: str) -> str | None:
        """An expression inside a traced body, which may call an earlier function."""
        simple = f"jnp.where({value} == 1, {value}, {value} * 2)"
        if not self._functions:
            return self._random.choice((f"jnp.sin({value})", f"{value} + jnp.ones_like({value})", simple))
        other = self._random.choice(self._functions)
        call = self._call(other, "v")
        array, real = f"jnp.asarray({value})", f"jnp.asarray({value}, float)"
        return self._random.choice(
            (
                f"jnp.cos({value})",
                simple,
                self._call(other, value),
                f"jax.lax.scan(lambda v, _: ({call}.astype(v.dtype), None), {array}, None, length=3)[0]",
                f"jax.lax.fori_loop(0, 3, lambda i, v: {call}.astype(v.dtype), {array})",
                f"jax.lax.cond(True, lambda v: {call}.astype(v.dtype), lambda v: v, {array})",
                f"(lambda v: {call})(jax.checkpoint(lambda v: v * 3)({array}))",
                f"jax.checkpoint(lambda v: {call})({value})",
                f"jax.vmap(lambda v: {call})(jnp.atleast_1d({value}))",
                f"jax.jvp(lambda v: {call}, ({real},), ({real},))[0]",
                f"jax.grad(lambda v: jnp.sum({call}).real.astype(float))({real})",
            )
        )

    def _call(self, function: Function, value: str) -> str:
        """A call made by the program's own code, counted."""
        where = f"x={value}" if self._random.random() < 0.15 and function.named else value
        if function.tree:
            where = f"{{'b': {value}}}" if self._random.random() < 0.5 else f"({value}, None)"
        if function.static:
            where += self._random.choice(("", ", n=2", ", n=3"))
        return f"called('{function.name}', {function.variable})({where})"

    # ------------------------------------------------------------ actions

    def _act(self) -> None:
        chosen = self._random
        if not self._functions:
            self._lines.append("jnp.sin(jnp.ones(3))")
            return
        function = chosen.choice(self._functions)
        value = chosen.choice(VALUES)
        call = self._call(function, value)
        simple = not (function.tree or function.static)
        shaped = chosen.choice(SHAPED)
        many = chosen.randint(2, 4)
        through = function.variable if simple else f"(lambda v: {self._call(function, 'v')})"
        counted = f"lambda v: (TRACES.update(['<lambda>']), {self._call(function, 'v')})[1]"
        actions = [
            [call],
            [f"for _ in range({many}):", f"    r = {call}"],
            [f"for v in ({value}, {chosen.choice(VALUES)}, {value}):", f"    {self._call(function, 'v')}"],
            [f"jax.block_until_ready({call})"],
            [f"jax.vmap({through})({shaped})"],
            [f"jax.grad(lambda v: jnp.sum({self._call(function, 'v')}).real.astype(float))({shaped})"],
            [f"called('<lambda>', jax.jit(jax.vmap({counted})))({shaped})"],
            [f"jax.lax.map({through}, {shaped})"],
            ["jax.clear_caches()"],
            [f"jax.make_jaxpr({through})({shaped})"],
            [f"jax.eval_shape({through}, {shaped})"],
            [f"for _ in range({many}):", f"    called('<lambda>', jax.jit({counted}))({value})"],
            [f"with jax.enable_x64({chosen.random() < 0.7}):", f"    {call}"],
            [f"list(map(lambda v: {self._call(function, 'v')}, [{value}] * {many}))"],
            ["gc.collect()"],
        ]
        if simple and "." not in function.variable:
            actions += [
                [f"{function.variable}.clear_cache()"],
                [f"{function.variable}.lower({shaped}).compile()({shaped})"],
                [f"{function.variable}.trace({shaped})"],
                [f"jax.linearize({function.variable}, {shaped})"],
            ]
        self._lines += chosen.choice(actions)


def program(seed: int) -> str:
    """The program of a seed."""
    return Writer(Random(seed)).text  # noqa: S311 - no secret
