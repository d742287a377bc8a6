"""A text through the learner's own editor and back."""

import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TextIO

USUAL = ("nano", "vim", "vi", "emacs", "ed")


class NoEditor(Exception):  # noqa: N818 - it is no mistake, only a fact
    """Says why the text could not be edited."""


def edited(text: str, stdin: TextIO | None = None) -> str:
    """The text after the editor has ended.

    Raises:
        NoEditor: there is no terminal or no editor, or the editor failed.
    """
    if stdin is not None and not stdin.isatty():
        raise NoEditor("An editor needs a terminal.")
    command = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "")
    if not command:
        found = next((name for name in USUAL if shutil.which(name)), None)
        if found is None:
            raise NoEditor("There is no editor here: set EDITOR to the name of one.")
        command = [found]
    with tempfile.TemporaryDirectory(prefix="jittutor-") as folder:
        file = Path(folder) / "step.py"
        file.write_text(text, encoding="utf-8")
        try:
            done = subprocess.run([*command, str(file)], check=False)
            after = file.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise NoEditor(f"{command[0]} cannot be started: {(error.strerror or '').lower()}.") from None
    if done.returncode:
        raise NoEditor(f"{command[0]} ended with code {done.returncode}, so the code stays as it was.")
    return after
