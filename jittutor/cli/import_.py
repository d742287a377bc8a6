"""`jittutor import FILE`: a notebook or a percent-format file becomes the draft of a lesson."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from jittutor.cli.common import common, say
from jittutor.cli.export import write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jittutor.draft.converting import Raw

NEEDS = "reading notebooks needs jupytext: pip install 'jittutor[authors]'"


@click.command("import")
@click.argument("file")
@click.option("-o", "--output", metavar="LESSON.py", help="Where to write; - is standard output.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@common
def command(file: str, output: str | None, *, force: bool) -> None:
    """Turn FILE (ipynb, or Python in percent format) into a draft: its headings become steps."""
    from jittutor.draft.converting import convert  # noqa: PLC0415 - not for `--help`
    from jittutor.draft.skeleton import title_of  # noqa: PLC0415
    from jittutor.lesson import LessonError, parse, slugify  # noqa: PLC0415

    slug = slugify(Path(file).stem) or "draft"
    draft = convert(_read(Path(file)), title_of(slug))
    try:
        lesson = parse(draft.text, output or f"{slug}.py")
    except LessonError as error:
        raise click.ClickException(f"no draft was made of {file}: {error.message}") from None
    if output == "-":
        sys.stdout.buffer.write(draft.text.encode())
    else:
        path = Path(output or f"{slug}.py")
        if path.exists() and path.samefile(file):
            raise click.UsageError(f"{file} would be written over: say -o and another name")
        write(path, draft.text, force=force)
        say(f"written: {path}, a draft of {len(lesson.steps)} steps")
        say(f"next: claims and questions; then `jittutor verify {path}`")
    for note in draft.notes:
        say(note, file=sys.stderr)


def _read(path: Path) -> "Iterator[Raw]":
    from jittutor.draft.converting import Raw  # noqa: PLC0415 - as above

    try:
        import jupytext  # noqa: PLC0415 - an extra
    except ImportError:
        raise click.ClickException(NEEDS) from None
    try:
        book = jupytext.read(path)
    except OSError as error:
        raise click.UsageError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from None
    except Exception as error:  # noqa: BLE001 - whatever is wrong with the file, it is no notebook
        words = str(error).strip().splitlines() or [type(error).__name__]
        raise click.UsageError(f"{path} is no notebook that can be read: {words[0]}") from None
    for cell in book.cells:
        raises = "raises-exception" in cell.metadata.get("tags", [])
        yield Raw(cell.cell_type == "code", str(cell.source), raises)
