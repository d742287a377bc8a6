"""`jittutor new LESSON`: the skeleton of a lesson, which verifies as it is."""

from pathlib import Path

import click

from jittutor.cli.common import common, say, wishes


@click.command("new")
@click.argument("lesson")
@click.option("--title", help="What the learner reads above it.")
@common
def command(lesson: str, title: str | None) -> None:
    """Write LESSON.py, the skeleton of a lesson: here, or in the folder (and the index) of --course."""
    from jittutor.cli.main import VERBS  # noqa: PLC0415 - main is what loads this file
    from jittutor.draft.skeleton import CannotBeginError, begin, title_of  # noqa: PLC0415 - not for `--help`
    from jittutor.lesson import LessonError  # noqa: PLC0415

    if lesson in VERBS:
        raise click.UsageError(f"`{lesson}` is a command, and cannot be a lesson's name")
    if len(wishes().course) > 1:
        raise click.UsageError("a new lesson goes into one folder: give --course once")
    folder = Path(next(iter(wishes().course), "."))
    try:
        written = begin(lesson, title or title_of(lesson), folder, in_course=bool(wishes().course))
    except (CannotBeginError, LessonError) as error:
        raise click.UsageError(str(error)) from None
    say(f"written: {', '.join(map(str, written))}")
    option = f"--course {folder} verify {lesson}" if len(written) > 1 else f"verify {written[0]}"
    say(f"next: change it, and hold it to its word with `jittutor {option}`")
