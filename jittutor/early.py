"""Has JAX imported before the command line is even read, when it will most likely open the tutor.

A wrong guess costs a process that ends with this one, or as soon as nobody takes it.
"""

import os
import re
from collections.abc import Sequence

from jittutor.spawn import Spawned, spare_processor, spawn

_OTHERS = {"-h", "--help", "--version"}
_begun: list[tuple[bool, Spawned]] = []


def begin(arguments: Sequence[str]) -> None:
    """Start a nursery for the tutor that these arguments open, where nobody has to be asked for a GPU."""
    cpu = "--cpu" in arguments
    if will_open(arguments) and (cpu or not has_gpu()) and os.isatty(1) and spare_processor():
        try:
            _begun.append((cpu, spawn(cpu=cpu)))
        except OSError:
            return  # whoever needs one tries again, and tells


def take(*, cpu: bool, lock: int) -> Spawned | None:
    """The nursery that was begun, if it is the one that is wanted; else it is let go, and one is started.

    None where that would take time from the first paint, or cannot be.
    """
    while _begun:
        for_cpu, spawned = _begun.pop()
        if for_cpu == cpu and lock < 0:
            return spawned
        spawned.drop()
    try:
        return spawn(cpu=cpu, lock=lock) if spare_processor() else None
    except OSError:
        return None


def will_open(arguments: Sequence[str]) -> bool:
    """Whether they surely name no other command: options only, and none that only tells something."""
    return all(word.startswith("-") for word in arguments) and not _OTHERS & set(arguments)


def has_gpu(devices: str | os.PathLike[str] = "/dev") -> bool:
    """Whether this machine, or this container, has an NVIDIA GPU."""
    # pathlib, like tempfile, takes milliseconds to import, and JAX would wait for them.
    return any(re.match("nvidia[0-9]", name) for name in os.listdir(devices))  # noqa: PTH208
