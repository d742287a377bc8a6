"""Two calls, two runs or two texts side by side: what to compare, and the lines. No widget in here."""

import difflib
import re
from collections.abc import Iterator, Sequence

import msgspec
from textual.content import Content

from jittutor import difference
from jittutor.difference import Pair
from jittutor.event import Program
from jittutor.key import Key
from jittutor.record import Record
from jittutor.tui.figures import Entry, count, entries, label, strip
from jittutor.tui.say import fit, join, say_line

LINES = 3000
"""Longer programs are compared only up to here: finding the differences takes time with the square of it."""
NEAR = 3
"""Equal lines that are shown around a difference."""
BESIDE = 96
"""Two columns need so many cells; with fewer the lines stand below each other."""
STYLES = {" ": "", "-": "$wrong", "+": "$right", "~": "$build"}
LONGEST = 400
"""Letters of a line in which words are compared."""
_WORD = re.compile(r"\w+|\W")


class Side(msgspec.Struct, frozen=True):
    """One of the two things that are compared."""

    name: str
    function: str
    key: Key | None = None
    program: Program | None = None


# ---------------------------------------------------------------- what there is to compare


def of_calls(record: Record) -> list[Side]:
    """The calls of a run that have a key or a program; equal hits are told once."""
    programs = {program.id: program for program in record.programs}
    keys = _keys(record)
    return [
        _of(entry, keys, programs)
        for entry in entries(record, folded=True)
        if entry.number is not None and not entry.row.call.raised
    ]


def _of(entry: Entry, keys: dict[int, Key], programs: dict[int, Program]) -> Side:
    row = entry.row
    word = "hit" if row.call.hit else "MISS"
    program = row.program or row.call.program
    key = row.call.key or keys.get(program or 0)
    return Side(
        f"call {entry.number}  {label(entry)}  {word}", row.call.function, key, programs.get(program or 0)
    )


def of_programs(record: Record) -> list[Side]:
    """The programs of a run."""
    keys = _keys(record)
    return [
        Side(f"program {n}  {p.function}({p.signature})", p.function, keys.get(p.id), p)
        for n, p in enumerate(record.programs, 1)
    ]


def _keys(record: Record) -> dict[int, Key]:
    """The key each program was built for."""
    built = {row.call.program: row.call.key for row in record.rows if row.call.key is not None}
    return {number: key for number, key in built.items() if number is not None and key is not None}


def other(sides: Sequence[Side], at: int) -> int:
    """The one to compare with: of the same function, before if possible, with the fewest differences."""
    here = sides[at]
    same = [n for n, side in enumerate(sides) if n != at and side.function == here.function] or [
        n for n in range(len(sides)) if n != at
    ]
    if here.key is None:
        return max((n for n in same if n < at), default=same[0])
    return min(same, key=lambda n: (n > at, _distance(sides[n].key, here.key), -n))


def _distance(before: Key | None, now: Key | None) -> int:
    if before is None or now is None:
        return 1000
    changes = len(difference.keys(before, now))
    return changes or 500  # an equal key has nothing to show


# ---------------------------------------------------------------- the lines


def two_sides(before: Side, now: Side, width: int) -> Iterator[Content]:
    """The names, what differs in the keys, and the two jaxprs."""
    yield join(("- ", "bold $wrong"), before.name)
    yield join(("+ ", "bold $right"), now.name)
    yield Content("")
    yield join(("What JAX looks up", "bold underline"))
    yield from _key_lines(before.key, now.key)
    if before.program is None or now.program is None:
        return
    yield Content("")
    yield join(("The programs", "bold underline"), ("  jaxpr; renamed variables count as equal", "$muted"))
    if before.program is now.program:
        yield join("Both calls use one and the same program.")
        return
    yield from programs(before.program, now.program, width)


def _key_lines(before: Key | None, now: Key | None) -> Iterator[Content]:
    if before is None or now is None:
        yield join(("not known for one of the two", "$muted"))
        return
    if before.function != now.function:
        yield join("two different functions")
        return
    if before.identity != now.identity:
        yield join("two function objects, made from the same code")
    found = difference.keys(before, now)
    if not found and before.identity == now.identity:
        yield join("no difference: the second one finds the program of the first")
    for d in found:
        change = ((d.before or "nothing", ""), (" → ", "$muted"), (d.now or "nothing", "bold $build"))
        yield join((f"{d.argument or ''}  ", "bold"), (f"{d.kind}  ", "$muted"), *change)


def programs(before: Program, now: Program, width: int) -> Iterator[Content]:
    """Two jaxprs, equation beside equation."""
    pairs = difference.jaxprs(_head(before.jaxpr), _head(now.jaxpr))
    yield join((f"{count(before.equations, 'equation')} → {now.equations}", "$muted"))
    if difference.is_same(pairs):
        yield join("no equation differs")
        return
    for pair in _near(pairs):
        if isinstance(pair, int):
            yield join((f"  … {count(pair, 'equal line')}", "$muted"))
        else:
            yield from _pair(pair, width)
    if max(len(p.jaxpr.splitlines()) for p in (before, now)) > LINES:
        yield join((f"only the first {LINES} lines are compared", "$muted"))


def _head(jaxpr: str) -> str:
    return "\n".join(jaxpr.splitlines()[:LINES])


def _near(pairs: Sequence[Pair]) -> Iterator[Pair | int]:
    """The pairs near a difference; a number stands for so many that are left out."""
    changed = [n for n, pair in enumerate(pairs) if pair.mark != " "]
    keep = {k for n in changed for k in range(n - NEAR, n + NEAR + 1)}
    hidden = 0
    for n, pair in enumerate(pairs):
        if n in keep:
            if hidden:
                yield hidden
            hidden = 0
            yield pair
        else:
            hidden += 1
    if hidden:
        yield hidden


def _pair(pair: Pair, width: int) -> Iterator[Content]:
    style = STYLES[pair.mark]
    before, now = say_line(pair.before, style), say_line(pair.now, style)
    if width >= BESIDE:
        if pair.mark == "~":
            before, now = marked(pair.before, pair.now, style), marked(pair.now, pair.before, style)
        half = (width - 3) // 2
        yield join((f"{pair.mark} ", style), fit(before, half), " ", fit(now, half))
    elif pair.mark == "~":
        yield join(("- ", STYLES["-"]), marked(pair.before, pair.now, STYLES["-"]))
        yield join(("+ ", STYLES["+"]), marked(pair.now, pair.before, STYLES["+"]))
    else:
        yield say_line(f"{pair.mark} {pair.now if pair.mark == '+' else pair.before}", style)


def marked(text: str, other: str, style: str) -> Content:
    """A line in which the words that the other one has not are underlined."""
    mine, others = (_WORD.findall(line[:LONGEST]) for line in (text, other))
    found = difflib.SequenceMatcher(None, mine, others, autojunk=False)
    pieces = [
        ("".join(mine[a:b]), style if tag == "equal" else f"{style} bold underline")
        for tag, a, b, _, _ in found.get_opcodes()
    ]
    return join(*pieces, (text[LONGEST:], style))


# ---------------------------------------------------------------- two runs, two texts


def two_runs(before: Record, now: Record, width: int) -> Iterator[Content]:
    """What each function cost in the run before and in this one."""
    yield join(("- ", "bold $wrong"), "the run before")
    yield join(("+ ", "bold $right"), "this run")
    yield Content("")
    names = [
        name for name in dict.fromkeys([*now.functions, *before.functions]) if _is_told(name, before, now)
    ]
    for name in names:
        yield join((f"{name}  ", "bold"), *_counts(name, before, now))
    if not names:
        yield join("no function was traced or called in either run")
    yield from (
        join((f"{mark} ", style), strip(entries(record, folded=True), width - 2))
        for mark, style, record in (("-", "$wrong", before), ("+", "$right", now))
        if record.calls
    )
    for mark, style, record in (("-", "$wrong", before), ("+", "$right", now)):
        if record.error is not None:
            yield join((f"{mark} ", style), f"ended by {record.error.type}")
    for name in names:
        old, new = before.program(name), now.program(name)
        if old is not None and new is not None:
            yield Content("")
            yield join((f"The newest program of {name}", "bold underline"))
            yield from programs(old, new, width)


def _is_told(name: str, before: Record, now: Record) -> bool:
    return any(name in record.functions for record in (before, now))


def _counts(name: str, before: Record, now: Record) -> Iterator[Content]:
    for word in ("calls", "traces", "compiles", "hits"):
        old, new = (getattr(r.functions.get(name), word, 0) for r in (before, now))
        yield (
            join(f"{word} {old}")
            if old == new
            else join(f"{word} {old}", (" → ", "$muted"), (str(new), "bold $build"))
        )
        yield join("  ")


def two_texts(before: str, now: str) -> Iterator[Content]:
    """Two texts line by line: - is only in the first, + only in the second."""
    if before == now:
        yield join("no difference")
        return
    for line in difflib.ndiff(before.splitlines(), now.splitlines()):
        if not line.startswith("?"):
            yield say_line(line, {"-": "$wrong", "+": "$right"}.get(line[0], ""))
