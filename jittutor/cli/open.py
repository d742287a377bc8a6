"""`jittutor [LESSON]`: the tutor itself."""

import importlib
import os
from typing import TYPE_CHECKING

import click

from jittutor.cli.common import Wishes, common, find_lesson, load_course, wishes

if TYPE_CHECKING:
    from jittutor.course import Course
    from jittutor.lesson import Lesson
    from jittutor.state import State


@click.command("open")
@click.argument("lesson", required=False)
@common
def command(lesson: str | None) -> int:
    """Open the tutor where you left off, or at LESSON (its name or number)."""
    from jittutor.state import State  # noqa: PLC0415 - `--help` needs none of these
    from jittutor.tui import terminal  # noqa: PLC0415

    course = load_course()
    chosen = find_lesson(course, lesson) if lesson else None
    if not course.lessons:
        raise click.UsageError("no lesson can be opened; `jittutor verify` says what is wrong")
    if why := terminal.refusal(os.environ):
        raise click.UsageError(why)
    terminal.force_utf8()
    state = State.open()
    with terminal.restored(state.save):
        return _run(course, state, chosen, wishes())


def _run(course: "Course", state: "State", chosen: "Lesson | None", wish: Wishes) -> int:
    from jittutor.link import Link  # noqa: PLC0415 - only once it is clear that there will be a screen
    from jittutor.tui import terminal  # noqa: PLC0415
    from jittutor.tui.asking import Asking  # noqa: PLC0415

    with Asking() as asking:
        # The answers travel while Textual is imported; what it has read too early it reads again.
        from textual import constants  # noqa: PLC0415

        from jittutor.tui.app import Tutor  # noqa: PLC0415
        from jittutor.tui.options import Options  # noqa: PLC0415

        look = terminal.prepare(os.environ, wish.color, slow=wish.slow, ask=asking.answers)
        importlib.reload(constants)
    theme = _theme(state, ansi=look.ansi)
    options = Options(ascii=wish.ascii, mouse=not wish.no_mouse, slow=wish.slow, theme=theme)
    start = place(state, chosen) if chosen else None
    tutor = Tutor(course, Link(cpu=wish.cpu), state, start, options)
    # A mistake becomes one line and a report file, as everywhere: Textual would print pages.
    tutor.error_console.quiet = True
    tutor.run(mouse=options.mouse)
    if tutor._exception is not None:  # noqa: SLF001 - Textual has no public way to ask
        raise tutor._exception  # noqa: SLF001
    return tutor.return_code or 0


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
