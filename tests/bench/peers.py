"""The programs people would use instead, each in an environment of its own (made once, by uv)."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

HOME = Path(__file__).parents[2] / ".venv-peers"
PACKAGES = {
    "kernel": ["ipykernel==7.1.0", "jupyter_client==8.6.3", "jax==0.12.0.1", "jaxlib==0.12.0.1"],
    "euporie": ["euporie", "ipykernel==7.1.0"],
    "posting": ["posting"],
    "harlequin": ["harlequin"],
}

# The same kinds of widgets as the tutor's first screen, and nothing else.
MINIMAL = """
from textual.app import App
from textual.widgets import Footer, Header, Markdown, TextArea
class Minimal(App):
    def compose(self):
        yield Header()
        yield Markdown("# Minimal\\n\\nfirst paint")
        yield TextArea.code_editor("print(1)\\n" * 10)
        yield Footer()
Minimal().run()
"""


@cache
def python_of(name: str) -> Path | None:
    """The Python of a peer's environment; None, with a word on stderr, when it cannot be made."""
    place = HOME / name
    python = place / "bin" / "python"
    if not python.exists():
        try:
            # `uv run` tells where it is; a name alone may mean nothing in another folder.
            uv = os.environ.get("UV", "uv")
            subprocess.run([uv, "venv", "-q", "--python", sys.executable, str(place)], check=True, cwd="/")
            install = [uv, "pip", "install", "-q", "--compile-bytecode", "--python", str(python)]
            subprocess.run([*install, *PACKAGES[name]], check=True, cwd="/")
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"no {name} to compare with: {error}", file=sys.stderr)
            return None
    return python
