"""`jittutor reset`: start one lesson or all over; the old state is kept in a file."""

import sys

import click

from jittutor.cli.common import common, find_lesson, load_course, open_state, say


@click.command("reset")
@click.argument("lesson", required=False)
@click.option("--yes", is_flag=True, help="Do not ask.")
@common
def command(lesson: str | None, *, yes: bool) -> None:
    """Start LESSON over, or everything; a copy of the old state is kept."""
    slug = find_lesson(load_course(), lesson).slug if lesson else None
    state = open_state()
    if not yes:
        if not sys.stdin.isatty():
            raise click.UsageError("reset asks before it forgets your work; without a terminal, say --yes")
        what = f"lesson {slug}" if slug else "all lessons"
        click.confirm(f"Forget your edits and answers in {what}? (A copy is kept.)", abort=True, err=True)
    try:
        copy = state.reset(slug)
    except OSError as error:
        raise click.ClickException(f"nothing was reset: {error.strerror or error}") from None
    say(f"{slug or 'all lessons'}: start over; the state from before is in {copy}")
