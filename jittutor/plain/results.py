"""What a run did -> lines of plain text: outcome, output, calls, reasons, programs, guesses, check."""

import textwrap
from collections.abc import Iterator

from jittutor.advice import advise
from jittutor.event import Raised
from jittutor.plain.words import WIDTH, question
from jittutor.record import Record, Row
from jittutor.study.hlo import readable
from jittutor.study.output import Line, Output
from jittutor.study.study import Study

MOST = 40
"""Lines of output, or calls, that are told at once; a command tells all."""
LANGUAGES = {"jaxpr": "jaxpr", "stablehlo": "StableHLO", "hlo": "HLO"}
EQUAL = 4
"""So many equal hits in a row are told as one."""


def summary(study: Study, output: Output) -> Iterator[str]:
    """All that matters after a run."""
    record = study.record
    yield from outcome(record)
    yield from printed(output, MOST)
    yield from calls(record, MOST)
    if record.error is not None:
        yield from error(record.error, study.lesson.slug)
    for guess in study.guesses.values():
        yield from question(guess)
    yield from check(study)
    if study.known.done:
        yield "This step is done. `next` goes on; the code stays to play with."


def outcome(record: Record) -> Iterator[str]:
    """How the run ended, and the counts of each function."""
    if record.lost is not None or record.done is None:
        yield f"The worker ended: {record.lost or 'unknown why'}. The next run starts a new one."
    else:
        words = {"ok": "The run ended", "interrupted": "The run was stopped"}
        told = words.get(record.done.outcome, f"The run ended ({record.done.outcome})")
        yield f"{told} after {record.done.seconds:.1f} seconds."
    for name, counts in record.functions.items():
        said = f"calls {counts.calls}, traces {counts.traces}, compiles {counts.compiles}, hits {counts.hits}"
        yield f"{name}: {said}."


def printed(output: Output, most: int) -> Iterator[str]:
    """What the code printed, each line with its moment and its place."""
    lines = list(output.lines)
    yield "Output:" if lines else "Nothing was printed."
    for line in lines[:most]:
        yield f"  {_moment(line)}: {line.text}"
    if len(lines) > most:
        yield f"  and {len(lines) - most} more lines; `output` tells all"


def _moment(line: Line) -> str:
    during = f"tracing {line.function or ''}".rstrip() if line.during == "trace" else "running"
    kind = {"value": ", value", "stderr": ", stderr"}.get(line.stream, "")
    return f"{during}{f' line {line.line}' if line.line else ''}{kind}"


def calls(record: Record, most: int) -> Iterator[str]:
    """The calls in order, each with hit or miss, its times and its reason."""
    rows = list(_told(record))
    yield "Calls, times in milliseconds:" if rows else "No call of a jitted function."
    for number, many, row in rows[:most]:
        yield from _call(number, many, row)
    if len(rows) > most:
        yield f"  and {len(rows) - most} more; `calls` tells all"


def _told(record: Record) -> Iterator[tuple[int, int, Row]]:
    """Number, how many, and the call; equal hits in a row are one."""
    number, waiting = 1, list(record.calls)
    while waiting:
        row = waiting.pop(0)
        same = [row]
        while row.call.hit and waiting and _alike(row, waiting[0]):
            same.append(waiting.pop(0))
        many = sum(one.call.repeats for one in same)
        if many < EQUAL:
            for one in same:
                yield number, one.call.repeats, one
                number += one.call.repeats
        else:
            yield number, many, row
            number += many


def _alike(row: Row, other: Row) -> bool:
    a, b = row.call, other.call
    return b.hit and not b.raised and (a.function, a.signature, a.line) == (b.function, b.signature, b.line)


def _call(number: int, many: int, row: Row) -> Iterator[str]:
    call = row.call
    signature = call.signature or (call.key.signature if call.key else "")
    phases = (("trace", call.trace_ms), ("lower", call.lower_ms), ("compile", call.compile_ms))
    times = [f"{word} {ms:.2f}" for word, ms in phases if ms is not None]
    if not call.raised:
        times.append(f"{'run' if row.execute_ms is not None else 'dispatched'} {row.running_ms:.2f}")
    word = "raised" if call.raised else "hit" if call.hit else "MISS"
    numbers = f"{number} to {number + many - 1}" if many > 1 else str(number)
    yield f"  {numbers}  {call.function}({signature})  {word}  {', '.join(times)}"
    if row.reason is not None and row.reason.kind != "first call":
        yield from textwrap.wrap(f"{row.reason.say}. To change: {row.reason.fix}.", WIDTH,
                                 initial_indent="     ", subsequent_indent="     ")  # fmt: skip


def error(raised: Raised, here: str) -> Iterator[str]:
    """The error with its line, what was traced, why, what helps, and the lesson about it if it is another."""
    place = f" in line {raised.line}" if raised.line else ""
    message = raised.message.strip().split("\n\n")[0]
    yield from textwrap.wrap(f"Error{place}: {raised.type}: {' '.join(message.split())}", WIDTH)
    if raised.code:
        yield f"  {raised.code.strip()}"
    if raised.traced:
        yield f"  traced: {raised.traced}"
    if (advice := advise(raised)) is not None:
        yield from textwrap.wrap(f"Why: {advice.say}.", WIDTH)
        yield from textwrap.wrap(f"To change: {advice.fix}.", WIDTH)
        if advice.lesson and advice.lesson != here:
            yield f"Lesson: `go {advice.lesson}`"


def check(study: Study) -> Iterator[str]:
    """How the exercise's check stands."""
    if not study.step.is_exercise:
        return
    if study.passed is None:
        yield "The check comes with a run."
    elif study.passed:
        yield "Check: it holds."
    else:
        said = study.record.answers["check"].text or "it does not hold"
        yield from textwrap.wrap(f"Check: not yet. {said}", WIDTH)


def program(record: Record, number: int, language: str) -> Iterator[str]:
    """One program in one language, with the line of the code that made each line of a jaxpr."""
    programs = record.programs
    if not programs:
        yield "No program was built in this run."
        return
    found = programs[number - 1]
    who = f"{found.function}({found.signature})"
    yield f"Program {number} of {len(programs)}: {who}, {found.equations} equations."
    said = {"jaxpr": found.jaxpr, "stablehlo": found.stablehlo, "hlo": readable(found.hlo or "")}[language]
    if not said:
        yield f"There is no {LANGUAGES[language]} of it: it was traced, and not compiled."
        return
    sources = found.source_lines if language == "jaxpr" else ()
    for at, line in enumerate(said.rstrip("\n").split("\n")):
        source = sources[at] if at < len(sources) else None
        yield f"{line}{f'    # line {source}' if source else ''}"
