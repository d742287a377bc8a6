"""`jittutor list`: all lessons with title, steps and state."""

from typing import TYPE_CHECKING, Any

import click

from jittutor.cli.common import as_json, common, load_course, open_state, say, say_json

if TYPE_CHECKING:
    from jittutor.course import Broken
    from jittutor.lesson import Lesson
    from jittutor.state import State


@click.command("list")
@common
@as_json
def command(*, wants_json: bool) -> None:
    """All lessons with title, steps and state."""
    course, state = load_course(), open_state()
    chapter_of = {slug: chapter.title for chapter in reversed(course.chapters) for slug in chapter.slugs}
    rows = [
        {"number": number, "chapter": chapter_of[entry.slug], **describe(entry, state)}
        for number, entry in enumerate(course.entries, 1)
    ]
    if wants_json:
        say_json({"schema": 1, "title": course.title, "lessons": rows})
        return
    width = max((len(str(row["slug"])) for row in rows), default=0)
    chapter = None
    for row in rows:
        if row["chapter"] != chapter:
            chapter = row["chapter"]
            say(f"\n{chapter}" if row["number"] != 1 else str(chapter))
        if row["state"] == "broken":
            say(f"{row['number']:3}  {row['slug']:{width}}  cannot be opened: {row['error']}")
        else:
            steps = f"{row['done']} of {row['steps']} done"
            say(f"{row['number']:3}  {row['slug']:{width}}  {steps:13}  {row['title']}")


def describe(entry: "Lesson | Broken", state: "State") -> dict[str, Any]:
    """One lesson as `--json` shows it."""
    from jittutor.course import Broken  # noqa: PLC0415 - loaded with the course

    if isinstance(entry, Broken):
        return {
            "slug": entry.slug, "title": None, "steps": 0, "done": 0, "skipped": 0,
            "state": "broken", "error": entry.message,
        }  # fmt: skip
    known = [state.step(entry.slug, step.id) for step in entry.steps]
    done, skipped = sum(s.done for s in known), sum(s.skipped and not s.done for s in known)
    begun = "new" if all(step.is_empty for step in known) else "started"
    word = "done" if done + skipped == len(known) else begun
    return {
        "slug": entry.slug, "title": entry.title, "steps": len(known), "done": done, "skipped": skipped,
        "state": word, "error": None,
    }  # fmt: skip
