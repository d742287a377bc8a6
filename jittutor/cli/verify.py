"""`jittutor verify`: runs every step headless, holds it to its claims, prints what was checked."""

import asyncio
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jittutor.cli.common import as_json, common, load_course, say, say_json, unknown, wishes

if TYPE_CHECKING:
    from jittutor.course import Course
    from jittutor.verify import Finding


@click.command("verify")
@click.argument("only", nargs=-1, metavar="[LESSON | FILE]...")
@common
@as_json
@click.option("--record-ids", is_flag=True, help="First write new step ids down in ids.txt.")
def command(only: Sequence[str], *, wants_json: bool, record_ids: bool) -> int:
    """Run every step of all lessons (or of these) and hold it to its claims; proofread the text."""
    course = load_course()
    for name in only:
        if course.find(name) is None and not _is_file(name):
            raise click.UsageError(unknown(course, name))
    if record_ids:
        _record(course)
    start = time.monotonic()
    report = Report(quiet=wants_json)
    asyncio.run(_hear(course, only, report))
    findings, seconds = report.findings, time.monotonic() - start
    ok = bool(findings) and all(finding.ok for finding in findings)
    if wants_json:
        rows = [_as_dict(finding) for finding in findings]
        say_json({"schema": 1, "ok": ok, "seconds": round(seconds, 3), "findings": rows})
    else:
        report.end(seconds)
    return 0 if ok else 1


def _is_file(name: str) -> bool:
    path = Path(name)
    if path.suffix == ".py" and not path.exists():
        raise click.UsageError(f"there is no file {name}")
    return path.suffix == ".py"


async def _hear(course: "Course", only: Sequence[str], report: "Report") -> None:
    from jittutor import lease  # noqa: PLC0415 - after the names are known to be right
    from jittutor.link import Link  # noqa: PLC0415 - as above
    from jittutor.proofread import proofread_whole  # noqa: PLC0415
    from jittutor.verify import verify  # noqa: PLC0415

    seat = lease.Seat(lease.folder(), lease.device(os.environ, cpu=wishes().cpu))
    try:
        seat.take()
    except lease.Busy as error:
        seat.close()
        raise click.ClickException(str(error)) from None
    link = Link(cpu=wishes().cpu, seat=seat)
    read = _read(course, only)
    try:
        async for finding in verify(course, link, only):
            for place in ((finding.lesson, ""), (finding.lesson, finding.step)):
                for remark in read.pop(place, ()):
                    report.add(remark)
            report.add(finding)
        for remark in () if only else proofread_whole(course):
            report.add(remark)
    finally:
        await link.close()


def _read(course: "Course", only: Sequence[str]) -> "dict[tuple[str, str], list[Finding]]":
    """What can be said of the texts, by lesson and step."""
    from jittutor.finding import Finding  # noqa: PLC0415
    from jittutor.proofread import proofread  # noqa: PLC0415 - as above
    from jittutor.verify import chosen  # noqa: PLC0415

    found: dict[tuple[str, str], list[Finding]] = {}
    lessons = [entry for entry in chosen(course, only) if not isinstance(entry, Finding)]
    for remark in proofread(course, lessons):
        found.setdefault((remark.lesson, remark.step), []).append(remark)
    return found


def _record(course: "Course") -> None:
    from jittutor.ids import record  # noqa: PLC0415 - only when asked for

    for path in record(course):
        say(f"new step ids are in {path}: keep it with the lessons")


class Report:
    """Findings as they come: a line for each step that holds, four for each promise that does not."""

    def __init__(self, *, quiet: bool) -> None:
        """Print as findings come, or (quiet) only keep them."""
        self.findings: list[Finding] = []
        self._quiet = quiet
        self._step: list[Finding] = []

    def add(self, finding: "Finding") -> None:
        """Take one more; a step is printed when the next one begins."""
        if self._step and _place(self._step[0]) != _place(finding):
            self._print_step()
        self.findings.append(finding)
        self._step.append(finding)

    def end(self, seconds: float) -> None:
        """Print the last step and the sum."""
        self._print_step()
        bad = sum(not finding.ok for finding in self.findings)
        steps = len({(finding.lesson, finding.step) for finding in self.findings if finding.step})
        checked = f"{len(self.findings)} promises of {steps} steps checked in {seconds:.0f} s"
        say(f"{checked}: {bad or 'none'} broken")
        from jittutor.proofread import can_spell  # noqa: PLC0415 - loaded before

        if not can_spell():
            say("spelling was not checked; for that, pip install 'jittutor[authors]'")

    def _print_step(self) -> None:
        step, self._step = self._step, []
        if self._quiet or not step:
            return
        held = ", ".join(finding.what for finding in step if finding.ok)
        bad = [finding for finding in step if not finding.ok]
        say(f"{'FAIL' if bad else 'ok  '} {_place(step[0])}" + (f": {held}" if held else ""))
        for finding in bad:
            say(f"     {finding.what} does not hold ({finding.file}:{finding.line})")
            say(f"       expected {_indented(finding.expected)}")
            say(f"       actual   {_indented(finding.actual)}")


def _place(finding: "Finding") -> str:
    return f"{finding.lesson}/{finding.step}" if finding.step else finding.lesson


def _indented(text: str) -> str:
    return text.replace("\n", "\n                ")


def _as_dict(finding: "Finding") -> dict[str, object]:
    import msgspec  # noqa: PLC0415 - loaded with the course

    return msgspec.structs.asdict(finding)
