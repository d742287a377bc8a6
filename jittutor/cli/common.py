"""What all commands share: options that may stand before or after the verb, the course, lesson names."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from jittutor.course import Course
    from jittutor.lesson import Lesson
    from jittutor.state import State

COLORS = ("auto", "16", "256", "truecolor", "none")


@dataclass
class Wishes:
    """The common options."""

    cpu: bool = False
    color: str | None = None
    ascii: bool = False
    no_mouse: bool = False
    slow: bool = False
    plain: bool = False
    course: tuple[str, ...] = ()


def wishes() -> Wishes:
    """The common options of the command that runs now."""
    found = click.get_current_context().find_root().ensure_object(Wishes)
    assert isinstance(found, Wishes)
    return found


def _keep(ctx: click.Context, option: click.Parameter, value: Any) -> None:
    if value:
        found, name = ctx.find_root().ensure_object(Wishes), str(option.name)
        # What may be given again is joined: before the verb and after it.
        setattr(found, name, (*getattr(found, name), *value) if isinstance(value, tuple) else value)


def _option(*names: str, **more: Any) -> Callable[..., Any]:
    return click.option(*names, expose_value=False, callback=_keep, **more)


def common[F: Callable[..., Any]](function: F) -> F:
    """Add the common options; read them with `wishes`."""
    for option in reversed(
        (
            _option("--cpu", is_flag=True, help="Use the CPU even if there is a GPU."),
            _option("--color", type=click.Choice(COLORS), help="Colours to use; auto asks the terminal."),
            _option("--ascii", is_flag=True, help="Draw with ASCII signs only."),
            _option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal."),
            _option("--slow", is_flag=True, help="Send as few bytes as possible."),
            _option("--plain", is_flag=True, help="Lines of plain text instead of a screen."),
            _option(
                "--course", metavar="DIR", multiple=True, help="Lessons of this folder; may be given again."
            ),
        )
    ):
        function = option(function)
    return function


def as_json[F: Callable[..., Any]](function: F) -> F:
    """Add `--json`."""
    decorated: F = click.option("--json", "wants_json", is_flag=True, help="Print one JSON object.")(function)
    return decorated


def load_course() -> "Course":
    """The course that comes with jittutor, or those of `--course`.

    Raises:
        click.ClickException: it cannot be read.
    """
    from pathlib import Path  # noqa: PLC0415 - only the commands that need lessons

    from jittutor import course  # noqa: PLC0415
    from jittutor.lesson import LessonError  # noqa: PLC0415

    folders = list(dict.fromkeys(Path(name) for name in wishes().course))
    try:
        return course.load_all(folders or [course.home()])
    except LessonError as error:
        raise click.ClickException(str(error)) from None


def open_state() -> "State":
    """The learner's state; what is wrong with its folder is said on stderr."""
    from jittutor.state import State  # noqa: PLC0415 - only the commands that need it

    state = State.open()
    if state.notice:
        say(state.notice, file=sys.stderr)
        state.notice = None
    return state


def find_lesson(course: "Course", name: str) -> "Lesson":
    """The lesson with this slug or number.

    Raises:
        click.UsageError: there is none, or it cannot be used.
    """
    from jittutor.course import Broken  # noqa: PLC0415 - loaded with the course

    entry = course.find(name)
    if entry is None:
        raise click.UsageError(unknown(course, name))
    if isinstance(entry, Broken):
        raise click.UsageError(f"this lesson cannot be opened: {entry.message}")
    return entry


def unknown(course: "Course", name: str) -> str:
    """There is no such lesson; the nearest, or how to see them all."""
    near = course.nearest(name)
    tail = f"did you mean `{near}`?" if near else "`jittutor list` shows all"
    return f'there is no lesson "{name}"; {tail}'


def say(text: str = "", *, file: Any = None) -> None:
    """Print text that may hold anything, made harmless for a terminal; signs fall back to ASCII's `?`."""
    from jittutor.clean import clean  # noqa: PLC0415 - not for `--version`

    file = file or sys.stdout
    encoding = getattr(file, "encoding", None) or "utf-8"
    print(clean(text).encode(encoding, "replace").decode(encoding), file=file)


def say_json(value: object) -> None:
    """Print one JSON object."""
    print(json.dumps(value, indent=2))
