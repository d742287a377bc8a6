"""`jittutor reset`: start one lesson or all over; the old state is kept in a file."""

import sys

import click

from jittutor.cli.common import common, find_lesson, load_course, open_state, say


@click.command("reset")
@click.argument("lesson", required=False)
@click.option("--undo", is_flag=True, help="Bring back what the last reset took.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@common
def command(lesson: str | None, *, yes: bool, undo: bool) -> None:
    """Start LESSON over, or everything; a copy of the old state is kept, and --undo brings it back."""
    if undo:
        _undo()
        return
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
    say("`jittutor reset --undo` brings it back", file=sys.stderr)


def _undo() -> None:
    try:
        done = open_state().undo_reset()
    except (OSError, ValueError) as error:
        raise click.ClickException(f"the reset could not be undone: {error}") from None
    say("what the last reset took is back" if done else "there is no reset to undo")
