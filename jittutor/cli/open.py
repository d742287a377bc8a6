"""`jittutor [LESSON]`: the tutor itself."""

import gc
import importlib
import os
import sys
from typing import TYPE_CHECKING

import click

from jittutor import early
from jittutor.cli.common import Wishes, common, find_lesson, load_course, say, wishes

if TYPE_CHECKING:
    from jittutor.course import Course
    from jittutor.lease import Entry, Seat
    from jittutor.lesson import Lesson
    from jittutor.link import Link
    from jittutor.state import State
    from jittutor.tui.guard import Guard


@click.command("open")
@click.argument("lesson", required=False)
@common
def command(lesson: str | None) -> int:
    """Open the tutor where you left off, or at LESSON (its name or number)."""
    from jittutor.tui import terminal  # noqa: PLC0415 - `--help` needs none of these

    course = load_course()
    chosen = find_lesson(course, lesson) if lesson else None
    if course.first is None:
        raise click.UsageError("no lesson can be opened; `jittutor verify` says what is wrong")
    if wishes().plain or terminal.is_dumb(os.environ):
        return _talk(course, chosen)
    if why := terminal.refusal(os.environ):
        raise click.UsageError(why)
    terminal.force_utf8()
    # Until the first paint: what is made now is kept, and to look at it again and again costs a tenth more.
    gc.disable()
    # The seat first: a tutor that has to leave it saves what this one goes on with.
    seat = _sit_down(wishes())
    first = early.take(cpu=wishes().cpu, lock=seat.lock)
    from jittutor.link import Link  # noqa: PLC0415 - while JAX is imported elsewhere
    from jittutor.state import State  # noqa: PLC0415
    from jittutor.tui.guard import Guard  # noqa: PLC0415

    state = State.open()
    link = Link(cpu=wishes().cpu, seat=seat, first=first)

    def at_end() -> None:
        # The worker first: nobody else gets the device while it lives.
        link.cut("the tutor ended")
        state.save()
        seat.close()

    def note(when: float, answers: bool) -> None:  # noqa: FBT001 - the guard's signature
        seat.note(seen=when, answers=answers)

    with terminal.restored(at_end) as end:
        guard = Guard(lambda number: end(number, None), link, note)
        return _run(course, state, chosen, link, guard)


def _run(course: "Course", state: "State", chosen: "Lesson | None", link: "Link", guard: "Guard") -> int:
    from jittutor.tui import terminal  # noqa: PLC0415 - only once it is clear that there will be a screen
    from jittutor.tui.asking import Asking  # noqa: PLC0415

    wish = wishes()
    terminal.set_pace(os.environ, slow=wish.slow)
    with Asking() as asking:
        # The answers travel while Textual is imported; what it has read too early it reads again.
        from textual import constants  # noqa: PLC0415

        from jittutor.tui.app import Tutor  # noqa: PLC0415
        from jittutor.tui.inside import read_with_care  # noqa: PLC0415
        from jittutor.tui.options import Options  # noqa: PLC0415

        look = terminal.prepare(os.environ, wish.color, slow=wish.slow, ask=asking.answers)
        importlib.reload(constants)
    read_with_care()
    theme = _theme(state, ansi=look.ansi)
    options = Options(ascii=wish.ascii, mouse=not wish.no_mouse, slow=wish.slow, theme=theme)
    start = place(state, chosen) if chosen else None
    tutor = Tutor(course, link, state, start, options)
    tutor.guard = guard
    tutor.exporter = lambda lesson: _notebook(lesson, state)
    # A mistake becomes one line and a report file, as everywhere: Textual would print pages.
    tutor.error_console.quiet = True
    tutor.run(mouse=options.mouse)
    guard.stop()
    if tutor._exception is not None:  # noqa: SLF001 - Textual has no public way to ask
        raise tutor._exception  # noqa: SLF001
    return tutor.return_code or 0


def _talk(course: "Course", chosen: "Lesson | None") -> int:
    """The tutor as lines of text."""
    import asyncio  # noqa: PLC0415 - only here; the screen brings its own

    seat = _sit_down(wishes())
    first = early.take(cpu=wishes().cpu, lock=seat.lock)
    from jittutor.link import Link  # noqa: PLC0415 - as above
    from jittutor.plain.talk import talk  # noqa: PLC0415
    from jittutor.state import State  # noqa: PLC0415

    state = State.open()
    link = Link(cpu=wishes().cpu, seat=seat, first=first)
    try:
        asyncio.run(talk(course, link, state, place(state, chosen) if chosen else None))
    finally:
        link.cut("the tutor ended")
        state.save()
        seat.close()
    return 0


def _notebook(lesson: "Lesson", state: "State") -> str:
    from jittutor.export import export  # noqa: PLC0415 - only when it is asked for

    return export(lesson, state, "ipynb")


def _sit_down(wish: Wishes) -> "Seat":
    """Take a place among the tutors of this machine; who finds the GPU taken is asked what to do."""
    from jittutor import lease  # noqa: PLC0415 - loaded with the link

    where, device = lease.folder(), lease.device(os.environ, cpu=wish.cpu)
    holder = lease.holder(where, device) if device else None
    if holder is not None and not _take_over(holder):
        wish.cpu, device = True, ""
    return lease.Seat(where, device)


def _take_over(holder: "Entry") -> bool:
    """Ask whether the GPU shall be taken from its holder, who is then ended; else it will be the CPU."""
    from jittutor import lease  # noqa: PLC0415 - loaded with the link

    say(f"Another tutor holds the GPU: {lease.describe(holder)}.", file=sys.stderr)
    # deploy/learn says that its line was cut: then that tutor is most likely one's own.
    default = "take" if os.environ.get("JITTUTOR_AGAIN") else "cpu"
    answer = click.prompt(
        "Take it over (that one ends, its work is saved), use the CPU, or quit?",
        type=click.Choice(["take", "cpu", "quit"]), default=default, err=True,
    )  # fmt: skip
    if answer == "quit":
        raise click.Abort
    if answer == "take" and not lease.end(holder):
        say("It could not be ended: this tutor works on the CPU.", file=sys.stderr)
        return False
    return bool(answer == "take")


def _theme(state: "State", *, ansi: bool) -> str:
    from jittutor.tui.theme import ANSI, DARK  # noqa: PLC0415 - after the questions are sent

    return ANSI if ansi else state.settings.get("theme", DARK)


def place(state: "State", lesson: "Lesson") -> tuple[str, str]:
    """Where to begin in a lesson: where the learner was, else its first step that is not done."""
    if state.place and state.place[0] == lesson.slug and lesson.step(state.place[1]):
        return state.place
    known = {step.id: state.step(lesson.slug, step.id) for step in lesson.steps}
    open_steps = [name for name, step in known.items() if not (step.done or step.skipped)]
    return lesson.slug, (open_steps or list(known))[0]
