"""The last line and the tabs: the keys that matter where the learner is, each of them clickable."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.content import Content

from jittutor.record import Record
from jittutor.study.output import Output
from jittutor.tui import keys
from jittutor.tui.panes.calls import CallRows
from jittutor.tui.panes.editor import Editor
from jittutor.tui.panes.programs import Programs
from jittutor.tui.panes.questions import LETTERS, Questions
from jittutor.tui.say import does, join
from jittutor.tui.screens.arrange import RIGHT, Arrangement

if TYPE_CHECKING:
    from jittutor.tui.screens.view import LessonView


def hints(screen: "LessonView") -> tuple[Content, Content]:
    """What the keys do here, as many as fit."""
    right = joined([hint("help"), hint("quit")])
    left: list[Content] = []
    room = screen.arrangement.width - right.cell_length - 2
    for part in _hints(screen):
        room -= part.cell_length + 3
        if room < 0:
            break
        left.append(part)
    return joined(left), right


def _hints(screen: "LessonView") -> Iterator[Content]:
    focused, study = screen.focused, screen.study
    yield from _running(screen)
    if isinstance(focused, Editor):
        yield from (words("esc", "leave"), words("ctrl+z", "undo"), words("tab", "indent"))
        return
    if isinstance(focused, Programs):
        yield from (hint("language"), words(keys.told("{program_before} {program_after}"), "other program"))
    if screen.reads_on and screen.study.waiting is None:
        yield hint("more")
    yield hint("edit")
    if study.step.is_exercise:
        yield from (hint("hint"), hint("solution"))
    yield hint("next")
    if isinstance(focused, CallRows):
        yield hint("compare")
    if screen.arrangement.is_narrow:
        yield hint("text")
    yield from (hint("contents"), hint("zoom"))


def _running(screen: "LessonView") -> Iterator[Content]:
    """What leads to a run, or ends it."""
    focused = screen.focused
    if screen.study.running:
        yield hint("stop")
    elif isinstance(focused, Questions) and focused.active is not None:
        last = answering(screen)[-1]
        choose, lock = words(f"a-{last}", "choose"), words("enter", "lock")
        run = words(keys.name("run"), "lock and run")
        yield from (hint("more"), choose, run, lock) if screen.reads_on else (choose, lock, run)
    elif not isinstance(focused, Editor):
        yield hint("run")
    elif name := next((name for name in keys.key("run").keys if len(name) > 1), ""):
        # A letter would be written into the code.
        yield hint("run", name)


def answering(screen: "LessonView") -> str:
    """The letters that answer the question with the keys; none when none has them."""
    focused = screen.focused
    active = focused.active if isinstance(focused, Questions) else None
    return LETTERS[: len(active.predict.choices)] if active is not None else ""


def hint(key_id: str, name: str | None = None) -> Content:
    """A key and its word; a click does the same."""
    entry = keys.key(key_id)
    action = entry.action if "." in entry.action else f"screen.{entry.action}"
    call = action if action.endswith(")") else f"{action}()"
    return does(words(name or entry.keys[0], entry.label), call)


def words(key: str, label: str) -> Content:
    """A key and what it does."""
    return join((f"{key} " if key else "", "bold $accent"), (label, "$muted"))


def joined(parts: list[Content]) -> Content:
    """Hints side by side."""
    return join(" ", Content("   ").join(parts), " ")


def tabs(arrangement: Arrangement, record: Record, output: Output, answers: str) -> Content:
    """The panes that share one place, with how much is in each; letters in `answers` do something else."""
    misses = sum(1 for row in record.calls if not row.call.hit)
    counts = {
        "calls": len(record.calls),
        "why": misses,
        "prints": sum(output.counts.values()),
        "programs": len(record.programs),
    }
    shown: list[Content] = []
    for pane in RIGHT:
        entry = keys.key(pane)
        here = pane == arrangement.tab
        many = f" {counts[pane]}" if counts[pane] else ""
        # A letter answers an open question first.
        name = " " * len(entry.keys[0]) if entry.keys[0] in answers else entry.keys[0]
        text = join((f" {name} ", "bold $accent"), (f"{entry.label}{many} ", "reverse bold" if here else ""))
        shown.append(does(text, f"screen.show('{pane}')"))
    return join(*shown)
