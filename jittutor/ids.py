"""ids.txt: the step ids that were given out. Progress is kept by them, so they are never changed silently.

One step a line, `slug step-id`; `retired` behind it says that the step is gone on purpose. A folder of
lessons without the file makes no promise; `jittutor verify --record-ids` begins it.
"""

from pathlib import Path

from jittutor.course import Course, read_text
from jittutor.lesson import Lesson, LessonError

NAME = "ids.txt"
_HEAD = "# The step ids that were given out: progress is kept by them. Lines are added, never changed.\n"


def read(folder: Path) -> dict[tuple[str, str], bool] | None:
    """Slug and step id -> whether it is retired; None when the folder has no such file."""
    try:
        lines = read_text(folder / NAME).splitlines()
    except LessonError:
        return None
    words = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    return {(line[0], line[1]): "retired" in line[2:] for line in words if len(line) > 1}


def record(course: Course) -> list[Path]:
    """Write down the ids of all lessons that are not yet; the files that were changed."""
    changed = []
    for folder, lessons in by_folder(course).items():
        known = read(folder)
        own = [(lesson.slug, step.id) for lesson in lessons for step in lesson.steps]
        new = [place for place in own if place not in (known or {})]
        if new or known is None:
            path = folder / NAME
            text = read_text(path) if known is not None else _HEAD
            path.write_text(text + "".join(f"{slug} {step_id}\n" for slug, step_id in new), encoding="utf-8")
            changed.append(path)
    return changed


def by_folder(course: Course) -> dict[Path, list[Lesson]]:
    """The lessons of each folder, in their order."""
    found: dict[Path, list[Lesson]] = {}
    for lesson in course.lessons:
        found.setdefault(Path(lesson.path).parent, []).append(lesson)
    return found


def wrong(lesson: Lesson) -> list[str] | None:
    """What is wrong with the ids of a lesson; None when its folder keeps no list."""
    recorded = read(Path(lesson.path).parent)
    if recorded is None:
        return None
    mine = {step_id: retired for (slug, step_id), retired in recorded.items() if slug == lesson.slug}
    own = [step.id for step in lesson.steps]
    gone = [name for name, retired in mine.items() if not retired and name not in own]
    return [
        *(f"{name} is gone: give it back, or write `retired` behind it in {NAME}" for name in gone),
        *(
            f"{name} is new: `jittutor verify --record-ids` writes it down"
            for name in own
            if name not in mine
        ),
        *(f"{name} was retired: choose another id" for name in own if mine.get(name)),
    ]


def lost(course: Course) -> list[tuple[Path, str]]:
    """The lessons that were given out and are not in the course any more, with the folder that had them."""
    slugs = {entry.slug for entry in course.entries}
    return [
        (folder, slug)
        for folder in by_folder(course)
        for slug in dict.fromkeys(slug for (slug, _), retired in (read(folder) or {}).items() if not retired)
        if slug not in slugs
    ]
