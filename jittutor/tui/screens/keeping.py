"""What the keys do that take something out or keep a choice: copy, file, notebook, editor, sizes."""

import contextlib
import os
import platform
import tempfile
from collections.abc import Callable
from pathlib import Path

from textual.app import SuspendNotSupported

from jittutor.clean import clean
from jittutor.lesson import Lesson
from jittutor.study.editing import NoEditor, edited
from jittutor.tui import keys
from jittutor.tui.guard import Guard
from jittutor.tui.panes.editor import Editor
from jittutor.tui.panes.prints import Prints
from jittutor.tui.panes.programs import Programs
from jittutor.tui.screens.arrange import Arrangement
from jittutor.tui.screens.find import Code, Find, Shown
from jittutor.tui.screens.looking import LookingView
from jittutor.tui.screens.notes import Press, Saved

CLIPBOARD = 74_000
"""Bytes that terminals take at once; the longest that xterm and tmux are known to pass on."""
UNTRIED = 3
"""Rows for tabs and the words that nothing has run yet."""
EDGES, CODE = 3, 8
"""Rows of the screen's edges; the fewest for the code."""
SHARES = {"left": (50, 30, 70), "top": (50, 25, 75)}
"""Percent of the screen: usual, least, most."""


class KeepingView(LookingView):
    """A lesson from which results can be taken away."""

    exporter: Callable[[Lesson], str] | None = None
    """Makes a notebook of a lesson."""
    guard: Guard | None = None

    # ------------------------------------------------------------ taking away

    def action_copy(self) -> None:
        """The pane's text to the terminal's clipboard: nobody can know whether it took it."""
        text = clean(self.plain())
        if len(text.encode()) > CLIPBOARD:
            self.tell(keys.told("Too long for a clipboard. {save} writes a file, {plain} shows it as text."))
            return
        self.app.copy_to_clipboard(text)
        self.tell(keys.told("Sent to your terminal's clipboard. If paste gives nothing, press {plain}."))

    def action_save(self) -> None:
        """The pane's text to a file."""
        name = f"{self.study.lesson.slug}-{self.study.step.id}-{self.here()}.txt"
        self._write(name, clean(self.plain()) + "\n")

    def action_export(self) -> None:
        """The lesson as a notebook."""
        exporter = self.exporter
        if exporter is None:
            self.tell("`jittutor export LESSON` writes a lesson to a file.")
            return
        self.study.keep(self.query_one(Editor).text)
        self._write(f"{self.study.lesson.slug}.ipynb", exporter(self.study.lesson))

    def _write(self, name: str, text: str) -> None:
        state = self.study.state
        folder = Path(tempfile.gettempdir()) if state.in_memory else state.folder / "saved"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8", errors="replace")
        except OSError as error:
            self.tell(f"{folder / name} cannot be written: {(error.strerror or str(error)).lower()}.")
            return
        self.app.push_screen(Saved(folder / name, fetch(folder / name)))

    # ------------------------------------------------------------ the code

    async def action_external(self) -> None:
        """The code through the learner's own editor."""
        editor, guard = self.query_one(Editor), self.guard
        try:
            with guard.paused() if guard else contextlib.nullcontext(), self.app.suspend():
                text = edited(editor.text)
        except SuspendNotSupported:
            self.tell("Your own editor needs a terminal of its own.")
            return
        except NoEditor as error:
            await self.run_action("app.redraw")
            self.tell(str(error))
            return
        await self.run_action("app.redraw")
        if text != editor.text:
            editor.begin_again(text)
        self.action_show("editor")

    def action_find(self) -> None:
        """A word in the pane with the keys, else in the code."""
        here = self.here()
        if here == "programs":
            self.app.push_screen(Find(Shown(self.query_one(Programs)), "program"))
        elif here == "prints":
            self.app.push_screen(Find(Shown(self.query_one(Prints)), "output"))
        else:
            self.divide(self.arrangement.to("editor"))
            self.app.push_screen(Find(Code(self.query_one(Editor)), "code"))

    def action_press(self) -> None:
        """What arrives when a key is pressed."""
        self.app.push_screen(Press())

    # ------------------------------------------------------------ sizes

    def action_share(self, what: str, more: int) -> None:
        """Give one part of the screen more room, or less; kept for the next time."""
        _, least, most = SHARES[what]
        self.study.state.settings[what] = str(min(most, max(least, self._share(what) + more)))
        self.study.state.save()
        self.divide(self.arrangement)

    def _share(self, what: str) -> int:
        usual, least, most = SHARES[what]
        text = self.study.state.settings.get(what, "")
        return min(most, max(least, int(text))) if text.isdecimal() else usual

    def divide(self, arrangement: Arrangement) -> None:
        """Show the panes of this arrangement in the learner's sizes."""
        super().divide(arrangement)
        left, right = self.query_one("#left"), self.query_one("#right")
        wide = not arrangement.is_narrow
        share, top = self._share("left"), self._share("top")
        usual = top == SHARES["top"][0]
        left.styles.width, right.styles.width = (f"{share}fr", f"{100 - share}fr") if wide else ("1fr", "1fr")
        left.styles.height, right.styles.height = ("1fr", "1fr") if wide else (f"{top}fr", f"{100 - top}fr")
        if not wide and top >= SHARES["top"][0] and self.untried and arrangement.zoomed is None:
            right.styles.height = UNTRIED
        most = f"{top + 10}%" if not usual else self._beside_code(arrangement)
        self.pane("read").styles.max_height = most if wide else None

    def _beside_code(self, arrangement: Arrangement) -> int:
        """The rows that the text may take: at least 60 percent, and what the code does not need."""
        rows = arrangement.height - EDGES
        code = max(CODE, self.query_one(Editor).document.line_count + 1)
        return max(rows * 6 // 10, rows - code)


def fetch(path: Path) -> str:
    """The line that brings a file from a Pod to the learner's machine; empty outside Kubernetes."""
    if "KUBERNETES_SERVICE_HOST" not in os.environ:
        return ""
    namespace = os.environ.get("POD_NAMESPACE")
    where = f" -n {namespace}" if namespace else ""
    return f"kubectl cp{where} {platform.node()}:{path} ./{path.name}"
