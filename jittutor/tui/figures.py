"""A record -> the rows, cells and bars of the calls pane, as plain facts and content. No widget in here."""

from collections.abc import Iterator, Sequence
from itertools import groupby

import msgspec
from textual.content import Content

from jittutor.event import Called
from jittutor.record import Record, Row
from jittutor.tui.say import fit, join, say_line

TRACE, BUILD, RUN, MUTED = "$trace", "$build", "$run", "$muted"
FOLD = 4
"""So many equal hits in a row are shown as one."""
FIXED = 17
"""Cells of a row that are neither name nor word nor bar: number, time, spaces."""
_EIGHTHS = " ▏▎▍▌▋▊▉"
TIMES = "\N{MULTIPLICATION SIGN}"


class Entry(msgspec.Struct, frozen=True):
    """A line of the calls pane: one call, or many equal hits told as one."""

    row: Row
    number: int | None
    """None for a call that was inlined into another trace."""
    many: int = 1
    depth: int = 0
    ms: float = 0.0
    """What it cost, for one call of many."""


def entries(record: Record, *, folded: bool) -> list[Entry]:
    """The calls of a run in order; equal hits in a row become one entry when folded."""
    shown: list[Entry] = []
    number = 0
    for _, group in groupby(record.rows, key=_alike):
        rows = list(group)
        if rows[0].call.within is not None:
            shown += (Entry(row, None, row.call.repeats, 1, row.total_ms) for row in rows)
            continue
        many = sum(row.call.repeats for row in rows)
        if folded and many >= FOLD and rows[0].call.hit:
            shown.append(Entry(rows[0], number + 1, many, 0, _middle([row.running_ms for row in rows])))
            number += many
            continue
        for row in rows:
            shown.append(Entry(row, number + 1, row.call.repeats, 0, row.total_ms))
            number += row.call.repeats
    return shown


def _alike(row: Row) -> tuple[object, ...]:
    call = row.call
    if not call.hit or call.within is not None or call.raised:
        return (call.n, call.within, call.function)
    return (call.function, call.signature, call.line)


def _middle(times: list[float]) -> float:
    return sorted(times)[len(times) // 2]


def change(before: Record | None, now: Record) -> str:
    """How the traces of a function differ from those of the run before; empty when they do not."""
    for name, counts in now.functions.items():
        old = before.functions.get(name) if before else None
        if old is not None and old.traces != counts.traces:
            return f"{name}: {old.traces} → {count(counts.traces, 'trace')} since the last run"
    return ""


def summary(record: Record) -> str:
    """`f: 5 calls · 3 traces · 3 compiles`, for each function."""
    parts = [
        f"{name}: {count(c.calls, 'call')} · {count(c.traces, 'trace')} · {count(c.compiles, 'compile')}"
        for name, c in record.functions.items()
        if c.calls and any(row.call.function == name and row.call.within is None for row in record.rows)
    ]
    return "   ".join(parts)


def count(number: int, word: str) -> str:
    """`1 call`, `2 calls`."""
    plural = f"{word}es" if word.endswith("ss") else f"{word}s"
    return f"{number} {word if number == 1 else plural}"


def eager(record: Record) -> str:
    """What was compiled outside jit, in one line; empty when nothing was."""
    found = [event for event in record.eager if not event.from_disk]
    if not found:
        return ""
    tally: dict[str, int] = {}
    for event in found:
        tally[event.function] = tally.get(event.function, 0) + 1
    names = ", ".join(name if n == 1 else f"{name} {TIMES}{n}" for name, n in list(tally.items())[:3])
    more = ", …" if len(tally) > 3 else ""
    ms = duration(sum(event.ms for event in found))
    return f"outside jit: {count(len(found), 'small compile')}, {ms} ms ({names}{more})"


def strip(shown: Sequence[Entry], width: int) -> Content:
    """One cell a call, `M` for a miss and `h` for a hit; long runs of hits are counted."""
    cells = [_cell(entry) for entry in shown if entry.number is not None]
    used = 0
    for at, cell in enumerate(cells):
        used += cell.cell_length + 1
        if used > width - 5 and at < len(cells) - 1:
            return Content(" ").join([*cells[:at], say_line(f"+{len(cells) - at}", MUTED)])
    return Content(" ").join(cells)


def _cell(entry: Entry) -> Content:
    if not entry.row.call.hit:
        return say_line("M", f"bold {BUILD}")
    return say_line("h" if entry.many == 1 else f"h{TIMES}{entry.many}", RUN)


def parts(call: Called, run_ms: float) -> Iterator[tuple[str, str, float]]:
    """The phases a call went through: letter, colour, milliseconds."""
    phases = (
        ("T", TRACE, call.trace_ms),
        ("L", BUILD, call.lower_ms),
        ("C", BUILD, call.compile_ms),
    )
    yield from ((letter, style, ms) for letter, style, ms in phases if ms is not None)
    if call.within is None and not call.raised:
        yield "R", RUN, run_ms


def bar(entry: Entry, cell_ms: float) -> Content:
    """A stacked bar: each phase has its letter and its length; a cell is worth `cell_ms`."""
    call = entry.row.call
    run_ms = entry.ms if call.hit else entry.row.running_ms
    return join(
        *(join((letter, f"bold {c}"), (block(ms / cell_ms), c)) for letter, c, ms in parts(call, run_ms))
    )


def block(cells: float) -> str:
    """A bar of this many cells, never nothing."""
    eighths = max(1, round(cells * 8))
    full, rest = divmod(eighths, 8)
    return "█" * full + (_EIGHTHS[rest] if rest else "")


def scale(shown: Sequence[Entry], width: int) -> float:
    """What one cell is worth so that the longest bar fits, a round number."""
    longest = max(
        (entry.row.total_ms if not entry.row.call.hit else entry.ms for entry in shown), default=0.0
    )
    least = max(longest / max(1, width - 8), 1e-3)
    power = 1e-3
    while True:
        for step in (1, 1.5, 2, 3, 4, 5, 6, 8):
            if step * power >= least:
                return step * power
        power *= 10


class Columns(msgspec.Struct, frozen=True):
    """How wide the parts of a row are, and what a cell of its bar is worth."""

    label: int
    word: int
    bar: int
    cell_ms: float


def columns(shown: Sequence[Entry], width: int) -> Columns:
    """Names take what they need, bars take the rest, and never less than a few cells."""
    longest = max((len(label(entry)) for entry in shown), default=0)
    word = max((_word(entry).cell_length for entry in shown), default=4)
    names = min(max(longest, 6), max(6, width - FIXED - word - 10))
    bars = max(8, width - FIXED - word - names)
    return Columns(names, word, bars, scale(shown, bars))


def line(entry: Entry, columns: Columns) -> Content:
    """One row of the pane."""
    number = "  ↳" if entry.number is None else f"{entry.number:>3}"
    name = fit(say_line(label(entry)), columns.label)
    bars = fit(bar(entry, columns.cell_ms), columns.bar)
    return join((f"{number} ", MUTED), name, " ", fit(_word(entry), columns.word), " ", bars, _cost(entry))


def label(entry: Entry) -> str:
    """`f(x: f32[100])`."""
    call = entry.row.call
    signature = call.signature or (call.key.signature if call.key else "")
    return f"{call.function}({signature})"


def _word(entry: Entry) -> Content:
    if entry.number is None:
        return say_line("inlined", MUTED)
    if entry.row.call.raised:
        return say_line("RAISED", "bold $wrong")
    if not entry.row.call.hit:
        return say_line("MISS", f"bold {BUILD}")
    return say_line("hit" if entry.many == 1 else f"hit{TIMES}{entry.many}", RUN)


def _cost(entry: Entry) -> Content:
    return say_line(f" {duration(entry.ms):>7} ms")


def duration(ms: float) -> str:
    """Milliseconds with three digits that matter."""
    if ms >= 100:
        return f"{ms:,.0f}"
    return f"{ms:.1f}" if ms >= 10 else f"{ms:.2f}" if ms >= 0.1 else f"{ms:.3f}"


def detail(entry: Entry, width: int) -> Content:
    """The phases of one call in words, closer together where there is little room."""
    call = entry.row.call
    words = {"T": "trace", "L": "lower", "C": "compile", "R": "run"}
    if entry.row.execute_ms is None:
        words["R"] = "dispatched"
    run_ms = entry.ms if call.hit else entry.row.running_ms
    shown: list[Content] = []
    for letter, style, ms in parts(call, run_ms):
        shown.append(join((words[letter], style), f" {duration(ms)}"))
    who = "inlined" if entry.number is None else f"{entry.number}"
    wide = join((f"{who}  ", MUTED), Content("  ").join(shown), " ms" if shown else "")
    if wide.cell_length <= width:
        return wide
    return join((f"{who} ", MUTED), Content(" ").join(shown), " ms")
