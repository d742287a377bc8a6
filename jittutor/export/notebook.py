"""Cells -> a Jupyter notebook (nbformat 4.5), without outputs."""

import json
from collections.abc import Iterable

from jittutor import __version__
from jittutor.export.cells import Cell


def to_notebook(cells: Iterable[Cell]) -> str:
    """The notebook's JSON; a cell that may raise has the tag that lets a run go on after it."""
    book = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"},
            "jittutor": {"version": __version__},
        },
        "cells": [_cell(cell, number) for number, cell in enumerate(cells)],
    }
    return json.dumps(book, indent=1, ensure_ascii=False) + "\n"


def _cell(cell: Cell, number: int) -> dict[str, object]:
    source = cell.text.strip("\n").splitlines(keepends=True)
    metadata = {"tags": ["raises-exception"]} if cell.raises else {}
    kind = "code" if cell.is_code else "markdown"
    common: dict[str, object] = {
        "cell_type": kind,
        "id": f"cell-{number}",
        "metadata": metadata,
        "source": source,
    }
    return {**common, "execution_count": None, "outputs": []} if cell.is_code else common
