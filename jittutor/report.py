"""A Record as text to read, paste and send: what it cost, what recompiled and why, worst first."""

from collections import defaultdict
from pathlib import Path

from jittutor.advice import advise
from jittutor.clean import clean_line
from jittutor.record import Record, Row

WORST = 12
"""Functions that are told one by one."""
LONGEST = 300
"""Letters of a line about an error."""


def report(record: Record, file: str, *, ascii_only: bool = False) -> str:
    """The report of a script's run."""
    lines = [_head(record, file), *_unwatched(record), *_cost(record)]
    lines += _recompiles(record, Path(file).name)
    lines += _eager(record)
    lines += _error(record, Path(file).name)
    text = "\n".join(lines)
    if ascii_only:
        for fancy, plain in (("→", "->"), ("·", "-"), ("…", "..."), ("─", "-")):
            text = text.replace(fancy, plain)
        text = text.encode("ascii", "backslashreplace").decode()
    return text


def _head(record: Record, file: str) -> str:
    seconds = record.done.seconds if record.done else 0.0
    device = f" on {record.device.kind}" if record.device and record.device.platform else ""
    jax = f" · jax {record.versions.jax}" if record.versions and record.versions.jax else ""
    return f"\n── jittutor ── {Path(file).name} · {_time(seconds * 1e3)}{device}{jax}"


def _unwatched(record: Record) -> list[str]:
    return [f"not seen: {sentence}" for sentence in record.unwatched]


def _cost(record: Record) -> list[str]:
    if not record.compiled and not record.rows:
        return ["nothing was compiled: no jitted function was called, and no array operation"]
    ms = sum(event.ms for event in record.compiled)
    names = [name for name, counts in record.functions.items() if counts.compiles]
    again = sum(max(0, record.functions[name].compiles - 1) for name in names)
    jitted = sum(record.functions[name].compiles for name in names)
    total = record.done.seconds if record.done else 0.0
    disk = sum(event.from_disk for event in record.compiled)
    first = (
        f"compiling took {_time(ms)} of {_time(total * 1e3)}: {_many(jitted, 'compile')} of "
        f"{_many(len(names), 'jitted function')} ({again} more than one each)"
    )
    if disk:
        first += f", {disk} of them found in the compilation cache on disk"
    calls = sum(counts.calls for counts in record.functions.values())
    hits = sum(counts.hits for counts in record.functions.values())
    return [first, f"{_many(calls, 'call')} of jitted functions, {hits} answered from the cache"]


def _recompiles(record: Record, file: str) -> list[str]:
    """Every function that was traced or compiled again, the most expensive first."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in record.rows:
        if row.reason is not None and row.reason.kind != "first call":
            groups[row.call.function].append(row)
    ranked = sorted(groups.items(), key=lambda item: -sum(map(_price, item[1])))
    lines: list[str] = []
    for number, (name, rows) in enumerate(ranked[:WORST], 1):
        price = sum(map(_price, rows))
        call = rows[0].call
        where = f"  {file}:{call.line}" if call.line else ""
        lines.append("")
        extra = _many(len(rows), "extra trace or compile", "extra traces or compiles")
        lines.append(f"{number:2}  {name}  {extra}, {_time(price)}{where}")
        lines += _told(rows)
    if len(ranked) > WORST:
        lines.append(f"… and {len(ranked) - WORST} more functions")
    return lines


def _told(rows: list[Row]) -> list[str]:
    """Each reason once, the most frequent first, with an example and the change that helps."""
    kinds: dict[tuple[str, str | None], list[Row]] = defaultdict(list)
    for row in rows:
        assert row.reason is not None
        kinds[row.reason.kind, row.reason.argument].append(row)
    lines = []
    for found in sorted(kinds.values(), key=len, reverse=True):
        reason = found[0].reason
        assert reason is not None
        times = f" ({len(found)} times)" if len(found) > 1 else ""
        lines.append(f"    {reason.say}{times}")
        lines.append(f"    fix: {reason.fix}")
    return lines


def _price(row: Row) -> float:
    call = row.call
    return (call.trace_ms or 0.0) + (call.lower_ms or 0.0) + (call.compile_ms or 0.0)


def _eager(record: Record) -> list[str]:
    events = record.eager
    if not events:
        return []
    names: dict[str, int] = defaultdict(int)
    places: dict[int, int] = defaultdict(int)
    for event in events:
        names[event.function] += 1
        if event.line:
            places[event.line] += 1
    shown = ", ".join(f"{name} {n}" for name, n in sorted(names.items(), key=lambda item: -item[1])[:5])
    more = ", …" if len(names) > 5 else ""
    line = max(places, key=lambda key: places[key]) if places else None
    where = f", mostly from line {line}" if line else ""
    ms = sum(event.ms for event in events)
    return [
        "",
        f"eager: {_many(len(events), 'small compile')} outside jit, {_time(ms)} ({shown}{more}){where}",
    ]


def _error(record: Record, file: str) -> list[str]:
    error = record.error
    if error is None:
        outcome = record.done.outcome if record.done else "crashed"
        return [] if outcome in ("ok", "exit") else ["", f"the script was ended: {outcome}"]
    where = f" at {file}:{error.line}" if error.line else ""
    lines = [f"ended by {error.type}{where}"]
    if error.place:
        lines.append(f"    raised in {error.place}")
    if error.code:
        lines.append(f"        {error.code}")
    if error.traced:
        lines.append(f"    traced: {error.traced}")
    advice = advise(error)
    if advice is None:
        lines += [f"    {words}" for words in error.message.strip().splitlines()[:1]]
    else:
        lines += [f"    why: {advice.say}", f"    fix: {advice.fix}"]
        lines += [f"    lesson: jittutor {advice.lesson}"] if advice.lesson else []
    return ["", *(_short(clean_line(line)) for line in lines)]


def _short(line: str) -> str:
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def _many(n: int, one: str, more: str | None = None) -> str:
    return f"{n} {one}" if n == 1 else f"{n} {more or one + 's'}"


def _time(ms: float) -> str:
    if ms >= 1000:
        return f"{ms / 1000:.1f} s"
    return f"{ms:.0f} ms" if ms >= 10 else f"{ms:.1f} ms"
