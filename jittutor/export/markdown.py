"""Cells -> one Markdown text, code in fenced blocks."""

import re
from collections.abc import Iterable

from jittutor.export.cells import Cell


def to_markdown(cells: Iterable[Cell]) -> str:
    """The text."""
    return "\n\n".join(_block(cell) for cell in cells) + "\n"


def _block(cell: Cell) -> str:
    text = cell.text.strip("\n")
    if not cell.is_code:
        return text
    # A learner's own code may hold a fence itself: ours is longer than any in it.
    longest = max((len(found) for found in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}python\n{text}\n{fence}"
