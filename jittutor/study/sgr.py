"""Colours that a program prints (SGR sequences): taken out of its text and kept beside it.

A *look* is what is in force at a place, written as the parameters of one such sequence: `1;31` is bold
and red, an empty look is plain. Nothing of it goes to the terminal as it came.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

type Look = str
type Looks = tuple[tuple[int, Look], ...]
"""Where in a line a look begins; it holds up to the next one."""

CHANGES = 128
"""Looks that one line may have; a line that has more stays as it is from there on."""
_SEQUENCE = re.compile(r"(?:\x1b\[|\x9b)([0-9;:]{0,64})m")
_BEGUN = re.compile(r"(?:\x1b(?:\[[0-9;:]*)?|\x9b[0-9;:]*)\Z")
_LONGEST = 64
# What each parameter sets, and the parameter that ends it.
_SETS = {1: "bold", 2: "dim", 3: "italic", 4: "underline", 7: "reverse", 9: "strike", 21: "underline"}
_ENDS = {
    22: ("bold", "dim"),
    23: ("italic",),
    24: ("underline",),
    27: ("reverse",),
    29: ("strike",),
    39: ("fore",),
    49: ("back",),
}


def is_in(text: str) -> bool:
    """Whether there may be a sequence in the text."""
    return "\x1b" in text or "\x9b" in text


def begun(text: str) -> int:
    """Where a sequence begins that the text only has the start of; its length when there is none."""
    found = _BEGUN.search(text, max(0, len(text) - _LONGEST)) if is_in(text[-_LONGEST:]) else None
    return found.start() if found else len(text)


def taken_apart(text: str, look: Look) -> Iterator[tuple[str, Look]]:
    """The text without its sequences, in pieces, each with its look; the last one tells how it goes on."""
    first, *rest = _SEQUENCE.split(text)
    yield first, look
    for said, piece in zip(rest[::2], rest[1::2], strict=True):
        look = after(look, said)
        yield piece, look


@lru_cache(4096)
def after(look: Look, said: str) -> Look:
    """The look after one more sequence with these parameters."""
    slots = dict(_slots(look) if look else ())
    for name, parameter in _slots(said):
        if name == "end":
            for ended in _ENDS.get(int(parameter), tuple(slots)):
                slots.pop(ended, None)
        else:
            slots[name] = parameter
    return ";".join(slots[name] for name in sorted(slots))


def _slots(said: str) -> Iterator[tuple[str, str]]:
    """What each parameter sets, and the parameter; `end` for those that take something back."""
    numbers = [number for parameter in said.split(";") for number in _numbers(parameter)]
    while numbers:
        number, *numbers = numbers
        if number in _SETS:
            yield _SETS[number], str(number)
        elif number in _ENDS or number == 0:
            yield "end", str(number)
        elif 30 <= number <= 37 or 90 <= number <= 97:
            yield "fore", str(number)
        elif 40 <= number <= 47 or 100 <= number <= 107:
            yield "back", str(number)
        elif number in (38, 48):
            more = {5: 2, 2: 4}.get(numbers[0] if numbers else -1, 0)
            if not more or len(numbers) < more:
                return
            yield ("fore" if number == 38 else "back"), ";".join(map(str, [number, *numbers[:more]]))
            numbers = numbers[more:]


def _numbers(parameter: str) -> list[int]:
    """One parameter with its parts: `4:3` is a kind of underline, `38:2::1:2:3` a colour."""
    first, *parts = [min(int(part), 255) for part in parameter.split(":") if part] or [0]
    if first in (38, 48):
        return [first, *parts[:1], *parts[-3:]] if len(parts) > 4 else [first, *parts]
    return [24] if first == 4 and parts == [0] else [first]


def laid_over(looks: Looks, start: int, end: int, look: Look, length: int) -> Looks:
    """The looks of a line of this length after its part from `start` to `end` was written with this look."""
    changes = [change for change in looks if change[0] < start] + [(start, look)]
    if end < length:
        changes.append((end, next((old for at, old in reversed(looks) if at <= end), "")))
        changes += [change for change in looks if change[0] > end]
    kept = [change for n, change in enumerate(changes) if change[1] != (changes[n - 1][1] if n else "")]
    return tuple(kept[:CHANGES])
