"""`jittutor export LESSON`: the lesson with the learner's edits and results, as a file to keep."""

import sys
from pathlib import Path

import click

from jittutor.cli.common import common, find_lesson, load_course, open_state, say

FORMATS = ("ipynb", "md", "py")


@click.command("export")
@click.argument("lesson")
@click.option("--to", type=click.Choice(FORMATS), help="Notebook, Markdown or percent format.")
@click.option("-o", "--output", metavar="FILE", help="Where to write; - is standard output.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@common
def command(lesson: str, to: str | None, output: str | None, *, force: bool) -> None:
    """Write LESSON with your edits and results to a file: LESSON.ipynb, .md or .py."""
    from jittutor.export import export  # noqa: PLC0415 - not for `--help`

    found = find_lesson(load_course(), lesson)
    to = to or _meant(output)
    text = export(found, open_state(), to)
    if output == "-":
        sys.stdout.buffer.write(text.encode())
        return
    path = Path(output or f"{found.slug}.{to}")
    write(path, text, force=force)
    say(f"{found.title}: written to {path}")


def _meant(output: str | None) -> str:
    """The format that a file's name asks for."""
    ending = Path(output or "").suffix.removeprefix(".")
    if ending in FORMATS:
        return ending
    raise click.UsageError(f"which format? say --to {', --to '.join(FORMATS[:-1])} or --to {FORMATS[-1]}")


def write(path: Path, text: str, *, force: bool) -> None:
    """Write a new file.

    Raises:
        click.UsageError: it is there already, or cannot be written.
    """
    try:
        with path.open("w" if force else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise click.UsageError(f"{path} is there already; --force writes over it") from None
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise click.UsageError(f"{path} cannot be written: {reason.lower()}") from None
