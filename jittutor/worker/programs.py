"""Each program JAX built, as jaxpr, StableHLO and optimized HLO.

The texts of the compiler are taken when a program is built (well under a hundredth of the time to
compile it); the jaxpr is printed after the run, since printing it is slower than tracing it.
"""

import dataclasses
import itertools
import re
import types
from collections.abc import Iterator, Mapping
from typing import Any

from jittutor.event import Program
from jittutor.worker.lane import Slow

MOST = 300
"""Programs kept; the rest are counted."""
EQUATIONS = 2_000
"""Equations of a jaxpr that are printed."""
LONGEST = 400_000
"""Characters kept of one text."""
_COMMENT = re.compile(r"\s+# (?P<file>.+?):(?P<line>\d+)(?::\d+)?(?: \(.*\))?$")
_ENTRY = re.compile(r"^ENTRY .*?^\}", re.MULTILINE | re.DOTALL)


@dataclasses.dataclass(slots=True)
class _Built:
    id: int
    function: str
    signature: str
    jaxpr: Any
    stablehlo: str | None
    hlo: str | None
    cost: dict[str, float]


class Programs:
    """The programs of one run."""

    def __init__(self, run: int) -> None:
        """Start with none."""
        self.run = run
        self._built: list[_Built] = []
        self._newest: dict[str, int] = {}
        self._ids = itertools.count(1)
        self.dropped = 0

    def newest(self, name: str) -> int | None:
        """The id of the program that was built last for this function."""
        return self._newest.get(_safe(name))

    def built(
        self, frame: types.FrameType, executable: Any, slow: Slow | None, traced: Mapping[str, str]
    ) -> None:
        """Keep the texts of a program; `frame` runs `Inside.compile`."""
        module = frame.f_locals.get("computation")
        name = _module_name(module)
        names = {_safe(program): function for program, function in traced.items()}
        if slow is not None and _safe(slow.program_name) == name:
            names[name] = slow.function
        if name not in names:
            return
        self._newest.pop(name, None)
        if len(self._built) >= MOST:
            self.dropped += 1
            return
        number = next(self._ids)
        self._newest[name] = number
        signature = slow.key.signature if slow and slow.key and slow.function == names[name] else ""
        self._built.append(
            _Built(
                number,
                names[name],
                signature,
                _jaxpr(frame),
                _text(module),
                _hlo(executable),
                _cost(executable),
            )
        )

    def sign(self, number: int | None, signature: str) -> None:
        """Give a program the signature of the call that built it, where it has none yet."""
        for built in reversed(self._built):
            if built.id == number:
                built.signature = built.signature or signature
                return

    def events(self, file: str) -> Iterator[Program]:
        """The programs as events; lines of `file` are put beside the equations they made."""
        for built in self._built:
            text, lines, count = _printed(built.jaxpr, file)
            yield Program(
                self.run,
                built.id,
                built.function,
                built.signature,
                count,
                text,
                built.stablehlo,
                built.hlo,
                lines,
                _fusions(built.hlo),
                built.cost.get("flops"),
                built.cost.get("bytes accessed"),
            )
        self._built.clear()


def _safe(name: str) -> str:
    """A name as far as JAX keeps it in a module's name: `<lambda>` becomes `_lambda`."""
    return re.sub(r"\W", "_", name).strip("_")


def _module_name(module: Any) -> str:
    try:
        name = str(module.operation.attributes["sym_name"].value)
    except (AttributeError, KeyError, ValueError):
        return ""
    return _safe(name.removeprefix("jit_"))


def _jaxpr(frame: types.FrameType | None) -> Any:
    """The jaxpr being compiled: the nearest one in the frames that wait for the backend."""
    for _ in range(25):
        if frame is None:
            return None
        found = frame.f_locals.get("jaxpr")
        if hasattr(found, "eqns"):
            return found
        frame = frame.f_back
    return None


def _text(module: Any) -> str | None:
    try:
        return _cut(str(module.operation.get_asm(large_elements_limit=16)))
    except (AttributeError, TypeError, ValueError):
        return None


def _hlo(executable: Any) -> str | None:
    try:
        return _cut(str(executable.hlo_modules()[0].to_string()))
    except Exception:  # noqa: BLE001 - a backend may not tell: jaxlib raises its own errors here
        return None


def _cost(executable: Any) -> dict[str, float]:
    try:
        found = executable.cost_analysis()
    except Exception:  # noqa: BLE001 - as above
        return {}
    if isinstance(found, list):
        found = found[0] if found else {}
    return {
        key: float(value) for key, value in dict(found or {}).items() if key in ("flops", "bytes accessed")
    }


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}\n… {len(text) - LONGEST} more characters"


def _fusions(hlo: str | None) -> int | None:
    entry = _ENTRY.search(hlo) if hlo else None
    return len(re.findall(r"\bfusion\(", entry.group())) if entry else None


def _printed(jaxpr: Any, file: str) -> tuple[str, tuple[int | None, ...], int]:
    """Text, the file's line for each line of the text, and the number of equations."""
    if jaxpr is None:
        return "", (), 0
    jaxpr = getattr(jaxpr, "jaxpr", jaxpr)
    count = len(jaxpr.eqns)
    if count > EQUATIONS:
        jaxpr = jaxpr.replace(eqns=list(jaxpr.eqns)[:EQUATIONS])
    rows, lines = [], []
    for row in jaxpr.pretty_print(source_info=True, use_color=False).splitlines():
        comment = _COMMENT.search(row)
        rows.append(row[: comment.start()] if comment else row.rstrip())
        lines.append(int(comment["line"]) if comment and comment["file"] == file else None)
    if count > EQUATIONS:
        rows.append(f"… {count - EQUATIONS} more equations")
        lines.append(None)
    return "\n".join(rows), tuple(lines), count
