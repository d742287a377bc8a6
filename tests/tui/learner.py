"""Somebody who presses keys at random, and remembers what must stand in the editor."""

import asyncio
from collections import deque
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from textual.events import Event, MouseDown, MouseUp, Paste, Resize
from textual.geometry import Size

from jittutor.course import Course
from jittutor.event import Began, Done, Ended, Printed, Raised
from jittutor.lesson import Lesson
from jittutor.link import Link
from jittutor.state import State
from jittutor.study.source import normal
from jittutor.tui.app import Tutor
from jittutor.tui.panes.editor import Editor
from tests.tui import fake
from tests.tui.keyboard import key, worked_off
from tests.tui.wait import until

type Place = tuple[str, str]
MOVES = (
    "up", "down", "left", "right", "home", "end", "pageup", "pagedown", "escape", "ctrl+j", "ctrl+l",
    "ctrl+c", "ctrl+f", "ctrl+q", "ctrl+o", "f1", "f5", "f8", "f9",
)  # fmt: skip
EDITS = ("enter", "tab", "shift+tab", "backspace", "delete", "ctrl+z", "ctrl+y", "ctrl+x", "ctrl+v", "ctrl+k",
         "ctrl+u", "ctrl+w", "ctrl+a", "ctrl+underscore")  # fmt: skip
SCRIPTS: dict[str, fake.Script] = {
    script.__name__: script for script in (fake.shapes, fake.fails, fake.refuses, fake.nothing, fake.ends)
}


class Press(msgspec.Struct, frozen=True):
    """A key."""

    name: str


class Burst(msgspec.Struct, frozen=True):
    """Keys that arrive together."""

    names: tuple[str, ...]

    @property
    def is_text(self) -> bool:
        """Whether it is all letters."""
        return all(len(name) == 1 for name in self.names)


class Pasted(msgspec.Struct, frozen=True):
    """A paste, by its name."""

    name: str

    @property
    def text(self) -> str:
        return PASTES[self.name]


class Click(msgspec.Struct, frozen=True):
    """A click, in thousandths of the screen."""

    x: int
    y: int


class Sized(msgspec.Struct, frozen=True):
    """Another size of the window."""

    columns: int
    rows: int


class Says(msgspec.Struct, frozen=True):
    """The worker says something nobody asked for, or the next runs go another way."""

    what: str


PASTES = {
    "code": "if x:\r\n\tprint('[/]')\x1b[2J\n" * 3,
    "typography": "x = 1\u00a0\u201d\n",
    "nothing": "",
    "controls": "\u202ea\x9b\x00",
    "a long line": "y" * 500,
    "many lines": "z\n" * 60,
}
type Action = Press | Burst | Pasted | Click | Sized | Says


class Glimpse(msgspec.Struct, frozen=True):
    """What is to be seen at one moment."""

    place: Place
    text: str
    writes: bool
    """Whether the editor has the keys."""
    on_top: str
    start: int
    end: int
    """The selection, counted in letters."""


class Learner:
    """Plays a story; the tutor is started again when the story ends it."""

    def __init__(self, folder: Path, course: Course, *, real: bool = False) -> None:
        self.folder, self.course, self.real = folder, course, real
        self.texts: dict[Place, str] = {}

    def live(self, story: list[Action]) -> None:
        left = deque(story)
        while left:
            # A loop of its own for each: what a tutor leaves behind ends with it, as with its process.
            asyncio.run(self._sit_down(left))

    async def _sit_down(self, left: deque[Action]) -> None:
        """Until the story ends, or the tutor as part of it."""
        state = State.open(self.folder)
        assert state.notice is None, state.notice
        app, link = fake.tutor(state=state, lessons=self.course)
        if self.real:
            app = Tutor(self.course, Link(cpu=True), state, None, app.options)
        async with app.run_test(size=(120, 40), notifications=True) as pilot:
            await until(pilot, partial(stands, app))
            await worked_off(app)
            self._knows(glimpse(app))
            while left and app.is_running:
                await self._do(app, link, left.popleft())
            if app.is_running:
                self._agrees(app.study.state)
        self._agrees(State.open(self.folder))

    async def _do(self, app: Tutor, link: fake.FakeLink, action: Action) -> None:
        before = glimpse(app)
        act(app, link, action)
        await worked_off(app)
        followed = not isinstance(action, Burst) or (before.writes and action.is_text)
        if not followed:
            self._believes(app)
        if not followed or not app.is_running:
            return
        after = glimpse(app)
        allowed = self._allowed(before, action)
        if after.place != before.place:
            kept = app.study.state.step(*before.place).edit
            text = self._own(before.place) if kept is None else kept
            assert text == before.text or allowed is None or text in allowed, (before, action, text)
            self.texts[before.place] = text
            self._knows(after)
            return
        assert allowed is None or after.text in allowed, (before, action, after)
        self.texts[after.place] = after.text

    def _allowed(self, before: Glimpse, action: Action) -> set[str] | None:
        """The texts that may stand there after this; None when any may."""
        if not before.writes:
            other = set() if before.on_top == "LessonScreen" else self._offered(before.place)
            return {before.text} | other
        text = action.text if isinstance(action, Pasted) else None
        if isinstance(action, Press):
            if action.name in EDITS:
                return None
            text = action.name if len(action.name) == 1 else None
        if isinstance(action, Burst):
            text = "".join(action.names)
        if text is None:
            return {before.text}
        return {before.text[: before.start] + normal(text) + before.text[before.end :]}

    def _offered(self, place: Place) -> set[str]:
        """What a dialog may put in place of the learner's text: the step's own code, or its solution."""
        lesson = self.course.find(place[0])
        assert isinstance(lesson, Lesson)
        step = lesson.step(place[1])
        assert step is not None
        return {normal(cell) for cell in (step.source, step.solution and step.solution.source) if cell}

    def _own(self, place: Place) -> str:
        lesson = self.course.find(place[0])
        assert isinstance(lesson, Lesson)
        step = lesson.step(place[1])
        assert step is not None
        return normal(step.source)

    def _knows(self, seen: Glimpse) -> None:
        """A step that was opened shows what was left there."""
        assert seen.text == self.texts.setdefault(seen.place, self._own(seen.place)), seen.place

    def _believes(self, app: Tutor) -> None:
        """Several keys went to places nobody followed: what the tutor holds counts."""
        for place in self.texts.keys() | app.study.state.steps().keys():
            edit = app.study.state.step(*place).edit
            self.texts[place] = self._own(place) if edit is None else edit
        if app.is_running:
            seen = glimpse(app)
            self.texts[seen.place] = seen.text

    def _agrees(self, state: State) -> None:
        """The state holds every text."""
        assert state.notice is None, state.notice
        for place, text in self.texts.items():
            edit = state.step(*place).edit
            assert text == (self._own(place) if edit is None else edit), place


def stands(app: Tutor) -> bool:
    return app.is_running and app.lesson_screen.is_mounted


def glimpse(app: Tutor) -> Glimpse:
    editor = app.lesson_screen.query_one(Editor)
    writes = app.screen is app.lesson_screen and app.focused is editor
    places = [
        sum(len(editor.document[row]) + 1 for row in range(line)) + column
        for line, column in sorted(editor.selection)
    ]
    here = (app.study.lesson.slug, app.study.step.id)
    return Glimpse(here, editor.text, writes, type(app.screen).__name__, *places)


def act(app: Tutor, link: fake.FakeLink, action: Action) -> None:
    """Do it, without waiting for what comes of it."""
    match action:
        case Press(name):
            app.post_message(key(name))
        case Burst(names):
            for name in names:
                app.post_message(key(name))
        case Pasted():
            app.post_message(Paste(action.text))
        case Click(x, y):
            for event in click(app, x, y):
                app.post_message(event)
        case Sized(columns, rows):
            size = Size(columns, rows)
            assert app._driver is not None
            app._driver._size = size  # as Pilot does
            app.post_message(Resize(size, size))
        case Says(what):
            says(app, link, what)


def click(app: Tutor, x: int, y: int) -> list[Event]:
    at = (x * app.size.width // 1000, y * app.size.height // 1000)
    return [kind(None, *at, 0, 0, 1, False, False, False, *at) for kind in (MouseDown, MouseUp)]


def says(app: Tutor, link: fake.FakeLink, what: str) -> None:
    run = app.study.record.run
    said: dict[str, Any] = {
        "ready": fake.READY,
        "ended": Ended("gone"),
        "began": Began(run, "trace", "f"),
        "printed": Printed(run, "\x1b[2J[/] 10%\r20%\n", line=3),
        "done": Done(run, "ok", 0.1),
        "old": Done(run - 1, "ok", 0.1),
        "raised": Raised(run, "ValueError", "no\n[/]", 10_000, "f", "x: f32[3]", ""),
    }
    if what in said:
        link.say(said[what])
    else:
        link.script = SCRIPTS[what]
