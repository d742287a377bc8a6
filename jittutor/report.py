"""A Record as text to read, paste and send: what it cost, what recompiled and why, worst first."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import msgspec

from jittutor.advice import advise
from jittutor.clean import clean_line
from jittutor.reason import Reason
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
    """What was compiled in all, and what the cache saved."""
    calls = sum(counts.calls for counts in record.functions.values())
    hits = sum(counts.hits for counts in record.functions.values())
    if not record.compiled:
        none = "" if calls else ": no jitted function was called, and no array operation"
        return [f"nothing was compiled{none}", *_calls(calls, hits)]
    ms = sum(event.ms for event in record.compiled)
    total = record.done.seconds if record.done else 0.0
    disk = sum(event.from_disk for event in record.compiled)
    parts = _compiled(record)
    if record.eager:
        parts.append(_many(len(record.eager), "operation") + " outside jit")
    if disk:
        parts.append(f"{disk} of all found in the compilation cache on disk")
    first = f"compiling took {_time(ms)} of {_time(total * 1e3)}: {', '.join(parts)}"
    return [first, *_calls(calls, hits)]


def _compiled(record: Record) -> list[str]:
    """How often the jitted functions were compiled; nothing when none was."""
    times = [counts.compiles for counts in record.functions.values() if counts.compiles]
    if not times:
        return []
    many = _many(len(times), "jitted function")
    again = sum(times) - len(times)
    if again:
        return [f"{many} compiled {sum(times)} times ({again} again)"]
    return [f"{many} compiled once" if len(times) == 1 else f"{many} compiled once each"]


def _calls(calls: int, hits: int) -> list[str]:
    if not calls:
        return []
    many = _many(calls, "call of a jitted function", "calls of jitted functions")
    return [f"{many}, {hits} answered from the cache"]


class _Again(msgspec.Struct, frozen=True):
    """A function was traced or compiled again."""

    function: str
    line: int | None
    reason: Reason
    ms: float | None
    """None when the time of this one is not known."""


def _again(record: Record) -> Iterator[_Again]:
    """Each time; of calls that a library made, only the trace is known."""
    told = set()
    for row in record.rows:
        told.add(row.call.trace)
        if row.reason is not None and row.reason.kind != "first call":
            yield _Again(row.call.function, row.call.line, row.reason, _price(row))
    for traced in record.traced:
        reason = record.reasons.get(traced.trace)
        if traced.trace not in told and reason is not None and reason.kind != "first call":
            yield _Again(traced.key.function, traced.line, reason, None)


def _recompiles(record: Record, file: str) -> list[str]:
    """Every function that was traced or compiled again, the most expensive first."""
    groups: dict[str, list[_Again]] = defaultdict(list)
    for again in _again(record):
        groups[again.function].append(again)
    ranked = sorted(groups.items(), key=lambda item: (-_sum(item[1]), -len(item[1])))
    lines: list[str] = []
    for number, (name, found) in enumerate(ranked[:WORST], 1):
        where = f" ({file}:{found[0].line})" if found[0].line else ""
        times = "once" if len(found) == 1 else f"{len(found)} times"
        cost = f", {_time(_sum(found))}" if any(again.ms is not None for again in found) else ""
        lines += ["", f"{number:2}  {name}{where}: traced or compiled again {times}{cost}", *_told(found)]
    if len(ranked) > WORST:
        lines.append(f"… and {len(ranked) - WORST} more functions")
    return lines


def _told(every: list[_Again]) -> list[str]:
    """Each reason once, the most frequent first, with an example and the change that helps."""
    kinds: dict[tuple[str, str | None], list[Reason]] = defaultdict(list)
    for again in every:
        kinds[again.reason.kind, again.reason.argument].append(again.reason)
    lines = []
    for found in sorted(kinds.values(), key=len, reverse=True):
        times = f" (and {len(found) - 1} more like it)" if len(found) > 1 else ""
        lines.append(f"    {found[0].say}{times}")
        lines.append(f"    fix: {found[0].fix}")
    return lines


def _sum(found: list[_Again]) -> float:
    return sum(again.ms or 0.0 for again in found)


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
        f"outside jit: {_many(len(events), 'operation')} compiled, {_time(ms)} ({shown}{more}){where}",
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
