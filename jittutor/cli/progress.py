"""`jittutor progress`: what is done, step by step."""

from typing import TYPE_CHECKING, Any

import click

from jittutor.cli.common import as_json, common, load_course, open_state, say, say_json

if TYPE_CHECKING:
    from jittutor.lesson import Lesson
    from jittutor.state import State


@click.command("progress")
@common
@as_json
def command(*, wants_json: bool) -> None:
    """What is done so far."""
    course, state = load_course(), open_state()
    lessons = [_lesson(lesson, state) for lesson in course.lessons]
    steps = [step for lesson in lessons for step in lesson["steps"]]
    guesses = [guess for step in steps for guess in step["guesses"]]
    report = {
        "schema": 1,
        "place": dict(zip(("lesson", "step"), state.place, strict=True)) if state.place else None,
        "steps": len(steps),
        "done": sum(step["done"] for step in steps),
        "skipped": sum(step["skipped"] for step in steps),
        "guesses": len(guesses),
        "right": sum(guess["right"] for guess in guesses),
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
