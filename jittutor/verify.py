"""Hold every lesson to its word, headless: run each step on the real worker and compare.

What is held: every claim; the start code of an exercise fails its check, its solution passes, each
wrong answer fails with a message that contains its text; each prediction's answer is a choice; what the
prose names is there. What can be read off the text alone is proofread.py's business.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from jittutor import course as courses
from jittutor import spans
from jittutor.claims import Verdict, asks, ended, hold
from jittutor.course import Broken, Course, read_text
from jittutor.event import Ask, Event, Run
from jittutor.finding import Finding, finding
from jittutor.lesson import Code, Lesson, LessonError, Predict, Step, parse
from jittutor.record import Record

__all__ = ["Bench", "Finding", "Worker", "chosen", "verify"]

SECONDS = 300.0
"""A step that runs longer than this is stopped by the worker."""
TRIES = 3
"""How often a step may run when only comparisons of times may have failed: a busy machine is no mistake."""


class Worker(Protocol):
    """What is needed of a link."""

    def events(self) -> AsyncIterator[Event]:
        """All that the worker says, endless."""
        ...

    def send(self, request: Run) -> None:
        """Ask for a run, starting a worker if there is none."""
        ...


async def verify(course: Course, link: Worker, only: Sequence[str] = ()) -> AsyncIterator[Finding]:
    """What became of each promise, as it is known; `only` names lessons (slug, number or file)."""
    bench = Bench(link)
    for entry in chosen(course, only):
        if isinstance(entry, Finding):
            yield entry
            continue
        for step in entry.steps:
            async for verdict in _step(bench, entry, step):
                yield finding(entry, step, verdict)


def chosen(course: Course, only: Sequence[str]) -> Iterator[Lesson | Finding]:
    """The lessons that are meant; a Finding for each that cannot be opened or does not exist."""
    for entry in [_find(course, name) for name in only] if only else course.entries:
        if isinstance(entry, Broken):
            file, line, message = _place(entry.message)
            yield Finding(entry.slug, "", "opens", "a lesson", message, ok=False, file=file, line=line)
        else:
            yield entry


def _find(course: Course, name: str) -> Lesson | Broken:
    entry, path = course.find(name), Path(name)
    if entry is not None:
        return entry
    if path.suffix == ".py":
        try:
            return parse(read_text(path), path)
        except LessonError as error:
            return Broken(path.stem, str(error))
    near = course.nearest(name)
    return Broken(name, "there is no such lesson" + (f"; did you mean {near}?" if near else ""))


def _place(message: str) -> tuple[str, int, str]:
    """`file:line: message` apart again."""
    place, colon, rest = message.partition(": ")
    file, _, line = place.rpartition(":")
    return (file, int(line), rest) if colon and line.isdecimal() else ("", 0, message)


class Bench:
    """Runs one piece of code after another on a worker and returns the records."""

    def __init__(self, link: Worker) -> None:
        """Listen to the link from now on."""
        self._link = link
        self._events = link.events()
        self._run = 0

    async def run(self, lesson: Lesson, source: str, questions: Sequence[Ask]) -> Record:
        """The record of one run, up to its end or the worker's."""
        self._run += 1
        record = Record(run=self._run)
        self._link.send(
            Run(
                self._run,
                source,
                setup=lesson.setup,
                file=lesson.path or "<step>",
                asks=tuple(questions),
                seconds=SECONDS,
            )
        )
        async for event in self._events:
            record = record.after(event)
            if record.done or record.lost:
                return record
        return msgspec.structs.replace(record, lost="the worker says nothing more")


async def _step(bench: Bench, lesson: Lesson, step: Step) -> AsyncIterator[Verdict]:
    questions = [*asks(step), *(Ask(p.id, p.answer, line=p.line) for p in step.predicts), *_check(step)]
    questions += spans.asks(lesson, step)
    for _ in range(TRIES):
        record = await bench.run(lesson, step.source, questions)
        verdicts = [ended(record, step), *(hold(claim, record, step) for claim in step.claims)]
        failed = {verdict.claim for verdict in verdicts if not verdict.ok}
        if not failed or failed - {"slower", "holds"}:
            break
    for verdict in verdicts:
        yield verdict
    for number, predict in enumerate(step.predicts, 1):
        yield _predicted(number, predict, record)
    records = [record]
    if step.check is not None and step.solution is not None:
        yield _failing("start code", Code(step.source, step.line), record)
        records.append(await bench.run(lesson, step.solution.source, _check(step)))
        yield _passing(step.solution, records[-1])
        for number, wrong in enumerate(step.wrongs, 1):
            record = await bench.run(lesson, wrong.source, _check(step))
            yield _failing(f"wrong answer {number}", wrong, record)
    for verdict in spans.hold(lesson, step, records, courses.words(lesson)):
        yield verdict


def _check(step: Step) -> list[Ask]:
    return [Ask("check", step.check.source, "check", step.check.line)] if step.check else []


def _predicted(number: int, predict: Predict, record: Record) -> Verdict:
    answer = record.answers.get(predict.id)
    found = predict.right(answer.text) if answer and answer.ok else None
    choices = " | ".join(choice.text for choice in predict.choices)
    actual = answer.text if answer else "no answer"
    return Verdict(f"prediction {number}", f"one of {choices}", actual, found is not None, predict.line)


def _passing(solution: Code, record: Record) -> Verdict:
    told = _told(record)
    ok = told is None and record.done is not None and record.done.outcome == "ok"
    return Verdict("solution", "the check holds", told or "the check holds", ok, solution.line)


def _failing(what: str, code: Code, record: Record) -> Verdict:
    """The check must not hold, and its message (or the exception) must contain the prose of the code."""
    told, wanted = _told(record), " ".join(code.prose.split())
    expected = f"the check fails and says: {wanted}" if wanted else "the check fails"
    ok = told is not None and record.lost is None and wanted in " ".join(told.split())
    return Verdict(what, expected, told or "the check holds", ok, code.line)


def _told(record: Record) -> str | None:
    """What the learner is told: the check's message, the exception, or None when all is well."""
    answer = record.answers.get("check")
    error = f"{record.error.type}: {record.error.message}" if record.error else None
    if record.lost is not None:
        return f"the worker ended: {record.lost}"
    if answer is None:
        return error or "the check was not answered"
    return None if answer.ok and error is None else "\n".join(filter(None, (answer.text, error)))
