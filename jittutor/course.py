"""The lessons of a folder in order; a lesson that cannot be used is a Broken in its place.

Each file is read when it is first asked for: to open one lesson, nobody waits for the others.
"""

import difflib
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import overload

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


type Entry = Lesson | Broken


class Shelf(Sequence[Entry]):
    """Entries whose slugs are known, and which are read one by one when they are asked for."""

    def __init__(self, entries: Sequence[tuple[str, Callable[[], Entry]]]) -> None:
        """Keep how each is read."""
        self.slugs = tuple(slug for slug, _ in entries)
        self._readers = [read for _, read in entries]
        self._known: dict[int, Entry] = {}

    def __len__(self) -> int:
        """How many there are."""
        return len(self._readers)

    @overload
    def __getitem__(self, at: int) -> Entry: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Entry, ...]: ...
    def __getitem__(self, at: int | slice) -> Entry | tuple[Entry, ...]:
        """The entry at this place, read now if it was not yet."""
        if isinstance(at, slice):
            return tuple(self[n] for n in range(*at.indices(len(self))))
        place = range(len(self))[at]
        if place not in self._known:
            self._known[place] = self._readers[place]()
        return self._known[place]


class Course(msgspec.Struct, frozen=True):
    """All lessons in order."""

    title: str
    chapters: tuple[Chapter, ...]
    entries: Sequence[Entry]

    @property
    def slugs(self) -> tuple[str, ...]:
        """The names of all lessons, also of those that cannot be used."""
        entries = self.entries
        return entries.slugs if isinstance(entries, Shelf) else tuple(entry.slug for entry in entries)

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """The lessons that can be opened."""
        return tuple(self._openable(0, 1))

    @property
    def first(self) -> Lesson | None:
        """The first lesson that can be opened."""
        return next(self._openable(0, 1), None)

    @property
    def broken(self) -> tuple[Broken, ...]:
        """The lessons that cannot."""
        return tuple(entry for entry in self.entries if isinstance(entry, Broken))

    def find(self, name: str) -> Entry | None:
        """The lesson with this slug or number (from 1)."""
        if name.isdecimal() and 1 <= int(name) <= len(self.entries):
            return self.entries[int(name) - 1]
        slugs = self.slugs
        return self.entries[slugs.index(name)] if name in slugs else None

    def nearest(self, name: str) -> str | None:
        """The slug that looks most like a mistyped name."""
        close = difflib.get_close_matches(name, self.slugs, 1, 0.4)
        return close[0] if close else None

    def number(self, slug: str) -> int:
        """The place of a lesson, from 1; 0 when it is not in the course."""
        slugs = self.slugs
        return slugs.index(slug) + 1 if slug in slugs else 0

    def beside(self, slug: str, step_id: str, offset: int) -> tuple[Lesson, Step] | None:
        """The step `offset` places after (or before) this one, across lessons; None past the ends."""
        way = 1 if offset >= 0 else -1
        left: int | None = None
        for lesson in self._openable(self.number(slug) - 1, way):
            for step in lesson.steps[::way]:
                if left is None and (lesson.slug, step.id) == (slug, step_id):
                    left = abs(offset)
                if left == 0:
                    return lesson, step
                left = None if left is None else left - 1
            if left is None:
                return None
        return None

    def _openable(self, start: int, way: int) -> Iterator[Lesson]:
        """The lessons that can be opened, from a place on, forwards or backwards."""
        at = start
        while 0 <= at < len(self.entries):
            entry = self.entries[at]
            if isinstance(entry, Lesson):
                yield entry
            at += way


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
    entries: list[tuple[str, Callable[[], Entry]]] = []
    seen: set[str] = set()
    for slug in (slug for chapter in chapters for slug in chapter.slugs):
        if slug in seen:
            message = f'{index}:{_second(text, slug)}: the lesson "{slug}" is named twice'
            entries.append((slug, partial(Broken, slug, message)))
        else:
            entries.append((slug, partial(_read, folder / f"{slug}.py", slug)))
        seen.add(slug)
    return Course(title, chapters, Shelf(entries))


def load_all(folders: Sequence[Path]) -> Course:
    """The courses of several folders as one, in this order; a slug belongs to the folder that has it first.

    Raises:
        LessonError: a course.toml is missing or not understood.
    """
    courses = [load(folder) for folder in folders]
    taken: dict[str, Path] = {}
    entries: list[tuple[str, Callable[[], Entry]]] = []
    for folder, found in zip(folders, courses, strict=True):
        for at, slug in enumerate(found.slugs):
            if taken.setdefault(slug, folder) == folder:
                entries.append((slug, partial(found.entries.__getitem__, at)))
                continue
            message = f'{folder / "course.toml"}:1: the lesson "{slug}" is in {taken[slug]} already'
            entries.append((slug, partial(Broken, slug, message)))
    titles = " + ".join(found.title for found in courses)
    return Course(titles, tuple(c for found in courses for c in found.chapters), Shelf(entries))


def _second(text: str, slug: str) -> int:
    """The line where a slug is named for the second time."""
    places = [found.start() for found in re.finditer(rf"""["']{re.escape(slug)}["']""", text)]
    return text.count("\n", 0, places[1]) + 1 if len(places) > 1 else 1


def _read(path: Path, slug: str) -> Entry:
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
