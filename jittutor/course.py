"""The lessons of a folder in order; a lesson that cannot be read is a Broken in its place."""

import difflib
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from jittutor.lesson import Lesson, LessonError, Step, parse


class Broken(msgspec.Struct, frozen=True):
    """A lesson that is named in course.toml and cannot be used; `message` has file and line."""

    slug: str
    message: str


class Chapter(msgspec.Struct, frozen=True):
    """A titled run of lessons."""

    title: str
    slugs: tuple[str, ...]


class Course(msgspec.Struct, frozen=True):
    """All lessons in order."""

    title: str
    chapters: tuple[Chapter, ...]
    entries: tuple[Lesson | Broken, ...]

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """The lessons that can be opened."""
        return tuple(entry for entry in self.entries if isinstance(entry, Lesson))

    @property
    def broken(self) -> tuple[Broken, ...]:
        """The lessons that cannot."""
        return tuple(entry for entry in self.entries if isinstance(entry, Broken))

    def find(self, name: str) -> Lesson | Broken | None:
        """The lesson with this slug or number (from 1)."""
        if name.isdecimal() and 1 <= int(name) <= len(self.entries):
            return self.entries[int(name) - 1]
        return next((entry for entry in self.entries if entry.slug == name), None)

    def nearest(self, name: str) -> str | None:
        """The slug that looks most like a mistyped name."""
        close = difflib.get_close_matches(name, [entry.slug for entry in self.entries], 1, 0.4)
        return close[0] if close else None

    def number(self, slug: str) -> int:
        """The place of a lesson, from 1; 0 when it is not in the course."""
        return next((n for n, entry in enumerate(self.entries, 1) if entry.slug == slug), 0)

    def beside(self, slug: str, step_id: str, offset: int) -> tuple[Lesson, Step] | None:
        """The step `offset` places after (or before) this one, across lessons; None past the ends."""
        places = [(lesson, step) for lesson in self.lessons for step in lesson.steps]
        at = next((n for n, (a, b) in enumerate(places) if a.slug == slug and b.id == step_id), None)
        if at is None or not 0 <= at + offset < len(places):
            return None
        return places[at + offset]


def home() -> Path:
    """The folder of the lessons that come with jittutor: inside the wheel, or beside the package."""
    here = Path(__file__).parent
    inside = here / "lessons"
    return inside if inside.is_dir() else here.parent / "lessons"


def load(folder: Path) -> Course:
    """The course in a folder, as its course.toml orders it.

    Raises:
        LessonError: course.toml is missing or not understood.
    """
    index = folder / "course.toml"
    text = read_text(index)
    try:
        table = tomllib.loads(text)
        chapters = tuple(Chapter(c["title"], tuple(c["lessons"])) for c in table["chapter"])
        title = str(table.get("title", folder.name))
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        place = re.search(r"at line (\d+)", str(error))
        message = f"a course needs [[chapter]] tables with title and lessons: {error}"
        raise LessonError(index, int(place[1]) if place else 1, message) from None
    entries: list[Lesson | Broken] = []
    seen: set[str] = set()
    for slug in (slug for chapter in chapters for slug in chapter.slugs):
        if slug in seen:
            entries.append(Broken(slug, f'{index}:{_second(text, slug)}: the lesson "{slug}" is named twice'))
            continue
        seen.add(slug)
        entries.append(_read(folder / f"{slug}.py", slug))
    return Course(title, chapters, tuple(entries))


def load_all(folders: Sequence[Path]) -> Course:
    """The courses of several folders as one, in this order; a slug belongs to the folder that has it first.

    Raises:
        LessonError: a course.toml is missing or not understood.
    """
    courses = [load(folder) for folder in folders]
    taken: dict[str, Path] = {}
    entries: list[Lesson | Broken] = []
    for folder, found in zip(folders, courses, strict=True):
        for entry in found.entries:
            if taken.setdefault(entry.slug, folder) == folder:
                entries.append(entry)
                continue
            message = (
                f'{folder / "course.toml"}:1: the lesson "{entry.slug}" is in {taken[entry.slug]} already'
            )
            entries.append(Broken(entry.slug, message))
    titles = " + ".join(found.title for found in courses)
    return Course(titles, tuple(c for found in courses for c in found.chapters), tuple(entries))


def _second(text: str, slug: str) -> int:
    """The line where a slug is named for the second time."""
    places = [found.start() for found in re.finditer(rf"""["']{re.escape(slug)}["']""", text)]
    return text.count("\n", 0, places[1]) + 1 if len(places) > 1 else 1


def _read(path: Path, slug: str) -> Lesson | Broken:
    try:
        return parse(read_text(path), path, slug)
    except LessonError as error:
        return Broken(slug, str(error))


def words(lesson: Lesson) -> frozenset[str]:
    """The words of the words.txt beside a lesson: right, though no dictionary and no code has them."""
    try:
        text = read_text(Path(lesson.path).parent / "words.txt")
    except LessonError:
        return frozenset()
    return frozenset(line.strip() for line in text.splitlines() if line.strip() and line[0] != "#")


def read_text(path: Path) -> str:
    """The text of a lesson file, or of course.toml.

    Raises:
        LessonError: the file is missing, unreadable or not UTF-8.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise LessonError(path, line, "not UTF-8 text; save the file as UTF-8") from None
    except OSError as error:
        raise LessonError(path, 1, f"cannot be read: {(error.strerror or str(error)).lower()}") from None
