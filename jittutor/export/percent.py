"""Cells -> a Python file in percent format, as VS Code, Spyder and jupytext read it."""

from collections.abc import Iterable

from jittutor.export.cells import Cell


def to_percent(cells: Iterable[Cell]) -> str:
    """The text of the file."""
    return "\n\n".join(_block(cell) for cell in cells) + "\n"


def _block(cell: Cell) -> str:
    text = cell.text.strip("\n")
    if cell.is_code:
        # A line of the code that looks like a marker must not become one.
        lines = (
            "# " + line if line.lstrip().startswith(("# %%", "#%%")) else line for line in text.splitlines()
        )
        marker = '# %% tags=["raises-exception"]' if cell.raises else "# %%"
        return "\n".join((marker, *lines))
    return "\n".join(("# %% [markdown]", *(f"# {line}".rstrip() for line in text.splitlines())))
