"""The sentences of the screen's edges: title, status, what just happened. Facts in, content out."""

from typing import Literal

from textual.content import Content

from jittutor.event import Raised, Ready
from jittutor.record import Record
from jittutor.study.study import Study
from jittutor.tui import keys
from jittutor.tui.figures import change, count, duration
from jittutor.tui.say import join

type Worker = Literal["starting", "ready", "running", "stopping", "stopped"]

ROOMY = 140
"""So wide is a screen that has room for how long a run took beside the longest title of a lesson."""
LEAST = 8
"""Cells of a lesson's title that always stay."""
DOTS = {"done": ("●", "$right"), "skipped": ("◐", "$muted"), "begun": ("○", ""), "new": ("○", "$muted")}


def title(study: Study, width: int, room: int) -> Content:
    """Lesson, step and a dot for each step in this room; the lesson's title gives way."""
    lesson, number = study.lesson, study.course.number(study.lesson.slug)
    steps = lesson.steps
    place = f"step {study.number} of {len(steps)}" if width >= 90 else f"{study.number}/{len(steps)}"
    dots: list[Content] = []
    for step in steps if len(steps) <= 12 else ():
        sign, style = DOTS[study.mark(lesson, step)]
        here = step is study.step
        dots.append(join((sign, f"bold underline {style}" if here else style)))
    name = join((" jittutor  ", "bold $accent")) if width >= 90 else Content(" ")
    where = join((" · ", "$muted"), place, " ", *dots)
    words = join((f"{number} {lesson.title}", "bold"))
    left = max(LEAST, room - name.cell_length - where.cell_length)
    return join(name, words.truncate(left, ellipsis=True), where)


def status(worker: Worker, study: Study, seconds: int, width: int) -> Content:
    """Device, versions, and what the worker does; true at every moment."""
    ready, record, device = study.greeted(), study.record, Content("")
    if ready is not None:
        versions = f" · jax {ready.versions.jax}" if width >= 100 else ""
        device = join((f"{device_name(ready)}{versions} · ", "$muted"))
    doing = {
        "starting": ("starting JAX…", "$build"),
        "ready": ("ready", "$right"),
        "running": (f"running {seconds} s", "bold $run"),
        "stopping": ("stopping…", "bold $build"),
        "stopped": ("stopped: the next run starts it", "$muted"),
    }[worker]
    if worker == "running" and record.now is not None:
        words = {"trace": "tracing", "lower": "lowering", "compile": "compiling"}[record.now.phase]
        doing = (f"{words} {record.now.function} {seconds} s", "bold $build")
    last = Content("")
    if worker == "ready" and record.done is not None and not study.is_aside:
        # A run that gives the same picture again is seen to have been one.
        took = f" took {duration(record.done.seconds * 1e3)} ms" if width >= ROOMY else ""
        last = join((f" · run {study.runs}{took}", "$muted"))
    return join(device, doing, last, " ")


def device_name(ready: Ready) -> str:
    """`GPU NVIDIA L4`, or `CPU`."""
    device = ready.device
    platform = device.platform.upper()
    kind = "" if device.kind.lower() in ("", device.platform.lower()) else f" {device.kind}"
    many = f" (one of {device.count})" if device.count > 1 else ""
    return f"{platform}{kind}{many}"


def first_line(error: Raised) -> str:
    """The exception in one line."""
    message = error.message.strip().splitlines()
    return f"{error.type}: {message[0]}" if message else error.type


def outcome(study: Study, room: int) -> Content:
    """What just happened and what to do next, in one line that has this room."""
    record = study.record
    if record.lost is not None:
        return join(("✗ ", "bold $wrong"), f"The worker ended: {record.lost}. The next run starts a new one.")
    if study.waiting is not None and record.done is None:
        return join(
            ("? ", "bold $accent"),
            keys.told("Guess first: type a letter, then run with {run}."),
        )
    if record.done is None:
        if any(guess.locked for guess in study.guesses.values()):
            # The mark at the choice itself may be out of sight.
            return join(("✓ ", "bold $accent"), keys.told("Your guess is locked. {run} runs the code."))
        return Content("")
    if record.error is not None and not study.holds:
        where = f"line {record.error.line}: " if record.error.line else ""
        more = f" · {keys.name('why')} tells more"
        said = join(("✗ ", "bold $wrong"), (where, "bold"), first_line(record.error))
        return join(said.truncate(max(LEAST, room - len(more)), ellipsis=True), more)
    return _ended(study, record, room)


def _ended(study: Study, record: Record, room: int) -> Content:
    assert record.done is not None
    if record.done.outcome in ("interrupted", "timeout", "crashed"):
        return join(
            ("■ ", "bold $build"), f"The run was {_word(record.done.outcome)}; what it said stays here."
        )
    if study.passed is False:
        left = study.known.hints < len(study.step.hints)
        more = "{hint} gives a hint." if left else "{solution} shows the solution."
        said = keys.told(f"The check does not hold yet; the text tells why. {more}")
        return join(("✗ ", "bold $wrong"), said)
    troubled = next((g for g in study.guesses.values() if g.trouble), None)
    if troubled is not None:
        return join(("? ", "bold $accent"), f"Your guess waits: {troubled.trouble}.")
    if any(not guess.is_settled for guess in study.guesses.values()):
        return join(
            ("✗ ", "bold $wrong"), "Not that one: choose again, one more try. The panes show what happened."
        )
    if study.known.done:
        sentences = _done(study, record)
        fits = next((sentence for sentence in sentences if len(sentence) + 2 <= room), sentences[-1])
        return join(("✓ ", "bold $right"), fits)
    return join(f"The run ended ({record.done.outcome}) after {record.done.seconds:.1f} s.")


def _done(study: Study, record: Record) -> list[str]:
    """What was reached, in fewer and fewer words; how to go on is in all of them."""
    said: list[str] = []
    if study.guesses:
        right = sum(guess.right for guess in study.guesses.values())
        said.append(f"{right} of {count(len(study.guesses), 'guess')} right" if len(study.guesses) > 1 else
                    ("your guess was right" if right else "now you know"))  # fmt: skip
    if study.passed:
        said.append("the check holds")
    assert record.done is not None
    if record.error is not None:
        said.append(f"it raised {record.error.type}, as this step is about")
    if changed := change(study.before, record):
        said.append(changed)
    said = said or [f"ran in {record.done.seconds:.1f} s"]
    on = f"{keys.name('next')} goes on"
    most = f"Done: {', '.join(said)}. {on}; the code stays to play with."
    return [
        most,
        *(f"Done: {', '.join(said[:many])}. {on}." for many in range(len(said), 0, -1)),
        f"Done. {on}.",
    ]


def _word(name: str) -> str:
    return {
        "interrupted": "stopped",
        "timeout": "stopped at its time limit",
        "crashed": "cut off: Python crashed",
    }[name]
