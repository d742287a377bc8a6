"""Every key of the tutor in one table: bindings, footer, help and command palette are made from it.

All of it works with letters, Escape and ctrl+j, which every terminal passes on; other keys are aliases.
"""

from collections.abc import Iterator

import msgspec
from textual.binding import Binding, BindingType


class Key(msgspec.Struct, frozen=True):
    """One thing the learner can do by key, in words."""

    id: str
    action: str
    keys: tuple[str, ...]
    """As people read them; the first one is shown in the footer."""
    label: str
    tooltip: str
    group: str
    silent: tuple[str, ...] = ()
    """Keys that work and are not advertised."""


LESSON: tuple[Key, ...] = (
    Key("run", "run", ("ctrl+j", "r"), "run", "Run the code. A chosen guess is locked first.", "Run",
        ("ctrl+enter", "shift+enter", "f5")),
    Key("stop", "stop", ("x", "ctrl+c"), "stop", "Stop the run; press again to end the worker.", "Run"),
    Key("next", "next", ("n",), "next", "Go to the next step.", "Lesson", ("f9",)),
    Key("previous", "previous", ("p",), "previous", "Go to the step before.", "Lesson", ("f8",)),
    Key("more", "more", ("space",), "read on", "Move the text on by a page.", "Lesson"),
    Key("contents", "app.contents", ("l",), "lessons", "All lessons: what is done; search with /.", "Lesson"),
    Key("hint", "hint", ("h",), "hint", "Show the next hint of this exercise.", "Lesson"),
    Key("solution", "solution", ("k",), "solution", "Show the solution; skips an open exercise.", "Lesson"),
    Key("reset", "reset", ("b",), "begin again", "Put the step's own code back (can be undone).", "Lesson"),
    Key("above", "above", ("A",), "code above", "The code that runs before each step.", "Lesson"),
    Key("find", "find", ("/",), "find", "Find a word in the code, the output or a program.", "Panes"),
    Key("sweep", "sweep", ("S",), "sweep", "Run over a list of values, draw the cost.", "Run"),
    Key("external", "external", ("E",), "$EDITOR", "Change the code in your own editor.", "Lesson"),
    Key("text", "show('text')", ("t",), "text", "Go to the text of the step.", "Panes"),
    Key("edit", "show('editor')", ("e",), "edit", "Go to the code. Escape leaves it.", "Panes"),
    Key("calls", "show('calls')", ("c",), "calls", "The calls: hit or miss, time of each phase.", "Panes"),
    Key("why", "show('why')", ("w",), "why", "Why the chosen call was not reused.", "Panes"),
    Key("prints", "show('prints')", ("o",), "output", "What the code printed, in order of time.", "Panes"),
    Key("programs", "show('programs')", ("g",), "programs", "What JAX built, in three languages.", "Panes"),
    Key("language", "language", ("m",), "language", "jaxpr, StableHLO or HLO.", "Panes"),
    Key("program_before", "program(-1)", (",",), "program before", "The program before this one.", "Panes"),
    Key("program_after", "program(1)", (".",), "program after", "The program after this one.", "Panes"),
    Key("compare", "compare", ("d",), "compare", "This call, run or code against another one.", "Panes"),
    Key("raw", "raw", ("j",), "JAX's words", "Show or hide what JAX itself says about a miss.", "Panes"),
    Key("lesson", "lesson", ("i",), "its lesson", "The lesson about this error, and back.", "Panes"),
    Key("fold", "fold", ("f",), "fold hits", "Show many equal hits as one row, or one by one.", "Panes"),
    Key("zoom", "zoom", ("z",), "zoom", "Give one pane the whole screen, and back.", "Panes"),
    Key("wider", "share('left', 5)", (">",), "wider", "More room for the left column.", "Panes"),
    Key("narrower", "share('left', -5)", ("<",), "narrower", "Less room for the left column.", "Panes"),
    Key("taller", "share('top', 5)", ("+",), "taller", "More room for text and code on top.", "Panes"),
    Key("lower", "share('top', -5)", ("-",), "lower", "Less room for text and code on top.", "Panes"),
    Key("next_pane", "next_pane", ("tab",), "next pane", "Go to the next pane (not while editing).", "Panes"),
    Key("plain", "app.plain", ("v",), "plain text", "This pane as plain text, to select and copy.", "Tutor"),
    Key("copy", "copy", ("u",), "copy", "Send this pane to your terminal's clipboard.", "Tutor"),
    Key("save", "save", ("s",), "to a file", "Write this pane to a file, and say how to fetch it.", "Tutor"),
    Key("export", "export", ("X",), "export", "This lesson with your code, as a notebook.", "Tutor"),
    Key("theme", "app.theme", ("y",), "colours", "Dark, light, high contrast, or 16 colours.", "Tutor"),
    Key("redraw", "app.redraw", ("ctrl+l",), "draw again", "Draw the whole screen again.", "Tutor"),
    Key("palette", "app.command_palette", (":", "ctrl+o"), "all commands", "A command by name.", "Tutor"),
    Key("press", "press", ("K",), "press a key", "What arrives here when you press a key.", "Tutor"),
    Key("help", "app.help", ("?",), "help", "All keys.", "Tutor", ("f1",)),
    Key("quit", "app.quit", ("q", "ctrl+q"), "quit", "Leave the tutor; everything is saved.", "Tutor"),
)  # fmt: skip

NAMES = {",": "comma", ".": "full_stop", ":": "colon", "?": "question_mark", "/": "slash",
         "<": "less_than_sign", ">": "greater_than_sign", "+": "plus", "-": "minus"}  # fmt: skip
_used: list[Key] = list(LESSON)


def use(own: tuple[Key, ...]) -> None:
    """Show and obey this table from now on: the learner has keys of their own."""
    _used[:] = own


def table() -> tuple[Key, ...]:
    """The keys as they are now."""
    return tuple(_used)


def bindings(table: tuple[Key, ...]) -> list[BindingType]:
    """The table as Textual wants it; keys that are no letters work in the editor too."""
    return list(_bindings(table))


def _bindings(table: tuple[Key, ...]) -> Iterator[Binding]:
    for key in table:
        for n, name in enumerate(filter(None, (*key.keys, *key.silent))):
            everywhere = len(name) > 1 and name not in ("tab", "ctrl+c", "space")
            yield Binding(
                NAMES.get(name, name),
                key.action,
                key.label,
                show=False,
                priority=everywhere,
                tooltip=key.tooltip,
                id=key.id if n == 0 else f"{key.id}.{n}",
            )


def name(key_id: str) -> str:
    """The key as a sentence names it; a command without a key as it is called among all commands."""
    return _name(key(key_id))


def _name(entry: Key) -> str:
    return entry.keys[0] or f"{key('palette').keys[0] or 'ctrl+o'} {entry.label}"


def told(sentence: str) -> str:
    """The sentence with a key for each command in braces: `{next} goes on`."""
    return sentence.format_map({entry.id: _name(entry) for entry in _used})


def key(key_id: str) -> Key:
    """The entry with this id."""
    return next(entry for entry in _used if entry.id == key_id)
