"""A row of printed lines that grows at its end: unchangeable to all who hold it, and cheap to add to."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import overload

from jittutor.event import Printed


class Growing(Sequence[Printed]):
    """Lines that grow at the end: as unchangeable as a tuple, and a line more costs no copy of the others.

    The newest of them holds the list; an older one that grows again takes its part of it along.
    """

    __slots__ = ("_lines", "_size")

    def __init__(self, lines: list[Printed], size: int) -> None:
        """The first `size` of these lines."""
        self._lines, self._size = lines, size

    def plus(self, line: Printed) -> "Growing":
        """These and one more."""
        lines = self._lines if len(self._lines) == self._size else self._lines[: self._size]
        lines.append(line)
        return Growing(lines, self._size + 1)

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, at: int) -> Printed: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Printed]: ...
    def __getitem__(self, at: int | slice) -> Printed | Sequence[Printed]:
        if isinstance(at, slice):
            return tuple(self._lines[: self._size][at])
        if at < 0:
            at += self._size
        if not 0 <= at < self._size:
            raise IndexError(at)
        return self._lines[at]

    def __iter__(self) -> Iterator[Printed]:
        return islice(self._lines, self._size)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))
