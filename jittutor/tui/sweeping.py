"""One step over a list of values: find the number to change, and draw what each value cost.

The chart is made of our own bars: they show the number beside its length, need no colours, and a
screen reader can read them; a plot of points has none of that and would be a dependency more.
"""

import ast
import warnings
from collections.abc import Callable, Iterator, Sequence

import msgspec
from textual.content import Content

from jittutor.record import Record
from jittutor.tui.figures import block, duration
from jittutor.tui.say import fit, join

FACTORS = (0.25, 0.5, 1, 2, 4, 10)
MOST = 12
"""Values of one sweep."""
FUNCTIONS = 4
"""Functions that are drawn."""


class Setting(msgspec.Struct, frozen=True):
    """A line `NAME = number` at the top level of the code."""

    name: str
    value: int
    line: int

    @property
    def usual(self) -> tuple[int, ...]:
        """Values around the one in the code."""
        return tuple(dict.fromkeys(max(1, round(self.value * factor)) for factor in FACTORS))


class Cost(msgspec.Struct, frozen=True):
    """What one function cost with one value."""

    equations: int
    compile_ms: float
    """Tracing, lowering and compiling, all calls together."""
    run_ms: float
    """The last call."""


class Point(msgspec.Struct, frozen=True):
    """One run of the sweep; `trouble` says how it ended when not well."""

    value: int
    costs: dict[str, Cost] = {}
    trouble: str = ""


def settings(source: str) -> list[Setting]:
    """The numbers that can be swept; those in capital letters first."""
    try:
        with warnings.catch_warnings():
            # Whether the code is good is for the run to say.
            warnings.simplefilter("ignore")
            body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    found = [
        Setting(node.targets[0].id, node.value.value, node.lineno)
        for node in body
        if isinstance(node, ast.Assign)
        and len(node.targets) == 1
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant)
        and type(node.value.value) is int
        and node.value.value > 0
    ]
    return sorted(found, key=lambda setting: not setting.name.isupper())


def changed(source: str, setting: Setting, value: int) -> str:
    """The code with another number in that line."""
    lines = source.split("\n")
    line = lines[setting.line - 1]
    head, equals, tail = line.partition("=")
    comment = f"  #{tail.partition('#')[2]}" if "#" in tail else ""
    lines[setting.line - 1] = f"{head}{equals} {value}{comment}"
    return "\n".join(lines)


def values(text: str) -> list[int] | None:
    """The values that were typed; None when they are no list of whole numbers above 0."""
    words = text.replace(",", " ").split()
    if not words or len(words) > MOST or not all(word.isdecimal() and int(word) for word in words):
        return None
    return sorted({int(word) for word in words})


def point(value: int, record: Record) -> Point:
    """What a run says about one value."""
    if record.done is None or record.done.outcome != "ok":
        error = record.error.type if record.error else record.done.outcome if record.done else "ended"
        return Point(value, trouble=error)
    costs = {}
    for name in list(dict.fromkeys(row.call.function for row in record.calls))[:FUNCTIONS]:
        rows = [row for row in record.calls if row.call.function == name]
        built = sum(row.total_ms - row.running_ms for row in rows)
        costs[name] = Cost(record.equations(name), built, rows[-1].running_ms)
    return Point(value, costs)


def chart(points: Sequence[Point], name: str, width: int) -> Iterator[Content]:
    """Three blocks of bars: equations, the cost of the first call, the cost of the last call."""
    names = list(dict.fromkeys(function for p in points for function in p.costs))
    views: tuple[tuple[str, str, Callable[[Cost], float]], ...] = (
        ("equations in the program", "$trace", lambda cost: cost.equations),
        ("trace + lower + compile, ms", "$build", lambda cost: cost.compile_ms),
        ("run of the last call, ms", "$run", lambda cost: cost.run_ms),
    )
    for title, style, of in views:
        yield join((title, "bold underline"), (f"  against {name}", "$muted"))
        yield from _bars(points, names, of, style, width)
        yield Content("")
    yield from (join((f"{p.value}: ", "bold"), (p.trouble, "$wrong")) for p in points if p.trouble)


def _bars(
    points: Sequence[Point], names: Sequence[str], of: Callable[[Cost], float], style: str, width: int
) -> Iterator[Content]:
    word = min(24, max((len(name) for name in names), default=0))
    longest = max((of(cost) for p in points for cost in p.costs.values()), default=0.0) or 1.0
    room = max(5, width - word - 22)
    for p in points:
        for n, function in enumerate(names):
            if (cost := p.costs.get(function)) is None:
                continue
            amount = of(cost)
            number = f"{amount:,.0f}" if isinstance(amount, int) else duration(amount)
            who = fit(join(function), word)
            bar = (block(amount / longest * room), style)
            yield join((f"{p.value if n == 0 else '':>8}  ", "bold"), who, " ", bar, f" {number}")
