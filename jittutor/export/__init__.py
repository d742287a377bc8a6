"""A lesson with the learner's edits and results, as a notebook, Markdown or percent format."""

from jittutor.export.cells import cells
from jittutor.export.markdown import to_markdown
from jittutor.export.notebook import to_notebook
from jittutor.export.percent import to_percent
from jittutor.lesson import Lesson
from jittutor.state import State

FORMATS = {"ipynb": to_notebook, "md": to_markdown, "py": to_percent}
"""What `--to` takes; each makes a text of cells."""


def export(lesson: Lesson, state: State, to: str) -> str:
    """The text of the file."""
    return FORMATS[to](cells(lesson, state))
