"""`jittutor progress`: what is done, step by step."""

from typing import TYPE_CHECKING, Any

import click

from jittutor.cli.common import as_json, common, load_course, open_state, say, say_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jittutor.lesson import Lesson
    from jittutor.review import Part
    from jittutor.state import State


@click.command("progress")
@common
@as_json
def command(*, wants_json: bool) -> None:
    """What is done so far."""
    from jittutor.review import due, progress  # noqa: PLC0415 - not for `--help`

    course, state = load_course(), open_state()
    lessons = [_lesson(lesson, state) for lesson in course.lessons]
    steps = [step for lesson in lessons for step in lesson["steps"]]
    guesses = [guess for step in steps for guess in step["guesses"]]
    parts = progress(course, state)
    report = {
        "schema": 1,
        "place": dict(zip(("lesson", "step"), state.place, strict=True)) if state.place else None,
        "steps": len(steps),
        "done": sum(step["done"] for step in steps),
        "skipped": sum(step["skipped"] for step in steps),
        "guesses": len(guesses),
        "right": sum(guess["right"] for guess in guesses),
        "mastered": sum(part.mastered for part in parts),
        "asked": sum(part.asked for part in parts),
        "questions": sum(part.questions for part in parts),
        "due": [dict(zip(("lesson", "step", "id"), place, strict=True)) for place in due(course, state)],
        "chapters": [_chapter(part) for part in parts],
        "lessons": lessons,
    }
    if wants_json:
        say_json(report)
        return
    say(f"{report['done']} of {report['steps']} steps done, {report['skipped']} skipped")
    if guesses:
        say(f"{report['right']} of {report['guesses']} guesses right")
    if state.place:
        say(f"you are at {state.place[0]}, step {state.place[1]}")
    for lesson in lessons:
        marks = " ".join(_mark(step) for step in lesson["steps"])
        say(f"  {lesson['slug']}: {marks}")
    say("x done   s skipped   e edited   - not yet")
    _say_mastered(parts)


def _say_mastered(parts: "Sequence[Part]") -> None:
    """By chapter, how many questions were answered right at the first guess or at a review."""
    asked = [part for part in parts if part.asked]
    if not asked:
        return
    say("\nmastered: right at the first guess, or right when the question came back")
    width = max(len(part.title) for part in asked)
    for part in asked:
        again = f", {part.due} to answer again now" if part.due else ""
        say(f"  {part.title:{width}}  {part.mastered} of {part.questions} questions{again}")


def _chapter(part: "Part") -> dict[str, Any]:
    import msgspec  # noqa: PLC0415 - loaded with the course

    return msgspec.structs.asdict(part)


def _lesson(lesson: "Lesson", state: "State") -> dict[str, Any]:
    steps = []
    for step in lesson.steps:
        known = state.step(lesson.slug, step.id)
        names = ("id", "choice", "right")
        steps.append(
            {
                "id": step.id,
                "title": step.title,
                "done": known.done,
                "skipped": known.skipped,
                "hints": known.hints,
                "edited": known.edit is not None,
                "guesses": [dict(zip(names, guess, strict=True)) for guess in known.guesses],
            }
        )
    return {"slug": lesson.slug, "title": lesson.title, "steps": steps}


def _mark(step: dict[str, Any]) -> str:
    return "x" if step["done"] else "s" if step["skipped"] else "e" if step["edited"] else "-"
