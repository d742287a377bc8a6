"""Mistakes that people make with jit, each with what must be told about it."""

from tests.worker.mistakes import (
    choices,
    functions,
    gradients,
    loops,
    numbers,
    placeholders,
    placing,
    printing,
    running,
    shapes,
    sizes,
    static,
    strict,
    values,
)
from tests.worker.mistakes.mistake import Mistake

__all__ = ["MISTAKES", "Mistake"]

MISTAKES = (
    *choices.MISTAKES,
    *functions.MISTAKES,
    *gradients.MISTAKES,
    *loops.MISTAKES,
    *numbers.MISTAKES,
    *placeholders.MISTAKES,
    *placing.MISTAKES,
    *printing.MISTAKES,
    *running.MISTAKES,
    *shapes.MISTAKES,
    *sizes.MISTAKES,
    *static.MISTAKES,
    *strict.MISTAKES,
    *values.MISTAKES,
)
