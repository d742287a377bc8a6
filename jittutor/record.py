"""What happened in one run, folded from events: `Record.after(event) -> Record`.

Panes, reports, checks and `--json` are views of this record. Nothing here knows a screen or JAX.
"""

from collections.abc import Mapping, Sequence
from typing import assert_never

import msgspec

from jittutor.event import (
    Answered,
    Began,
    Called,
    Compiled,
    Device,
    Done,
    Ended,
    Event,
    Hits,
    Printed,
    Program,
    Raised,
    Ready,
    Traced,
    Unwatched,
    Versions,
    Waited,
)
from jittutor.growing import Growing
from jittutor.key import Key
from jittutor.reason import Reason
from jittutor.why import compiled_alone, explain


class Row(msgspec.Struct, frozen=True):
    """One call, with all that is known of it by now."""

    call: Called
    reason: Reason | None = None
    execute_ms: float | None = None
    program: int | None = None
    """The program that was run: the one this call built, or for a hit the one it found."""

    @property
    def cache(self) -> str:
        """The word for it: `hit` or `miss`."""
        return "hit" if self.call.hit else "miss"

    @property
    def running_ms(self) -> float:
        """Time to run it, as far as it was seen: until ready if the run waited, else the dispatch."""
        return self.execute_ms if self.execute_ms is not None else (self.call.dispatch_ms or 0.0)

    @property
    def total_ms(self) -> float:
        """All that the call cost."""
        parts = (self.call.trace_ms, self.call.lower_ms, self.call.compile_ms)
        return sum(part or 0.0 for part in parts) + self.running_ms


class Counts(msgspec.Struct, frozen=True):
    """How often things happened to one function, by its name."""

    calls: int = 0
    traces: int = 0
    compiles: int = 0
    hits: int = 0


class Record(msgspec.Struct, frozen=True):
    """The facts of one run, oldest first."""

    run: int = 0
    rows: tuple[Row, ...] = ()
    functions: Mapping[str, Counts] = {}
    traced: tuple[Traced, ...] = ()
    failed: frozenset[int] = frozenset()
    """The traces that raised before they were complete."""
    reasons: Mapping[int, Reason] = {}
    compiled: tuple[Compiled, ...] = ()
    programs: tuple[Program, ...] = ()
    output: Sequence[Printed] = ()
    answers: Mapping[str, Answered] = {}
    error: Raised | None = None
    done: Done | None = None
    unwatched: tuple[str, ...] = ()
    """What could not be seen of this run, in sentences."""
    now: Began | None = None
    versions: Versions | None = None
    device: Device | None = None
    lost: str | None = None
    """Set when the worker ended during the run: what the link says."""

    # ------------------------------------------------------------ the fold

    def after(self, event: Event) -> "Record":  # noqa: C901, PLR0911, PLR0912 - one branch an event
        """The record with one more event in it; events of other runs change nothing."""
        if not isinstance(event, Ready | Ended) and event.run != self.run:
            return self
        match event:
            case Printed():
                return self._with(output=self._output.plus(event))
            case Unwatched():
                return self._with(unwatched=(*self.unwatched, event.message))
            case Began():
                return self._with(now=event)
            case Traced():
                return self._traced(event)
            case Compiled():
                return self._compiled(event)
            case Program():
                return self._with(programs=(*self.programs, event))
            case Called():
                return self._called(event)
            case Hits():
                counted = self._count(event.function, calls=event.hits + event.misses, hits=event.hits)
                return self._with(functions=counted)
            case Waited():
                return self._waited(event)
            case Raised():
                return self._with(error=event)
            case Answered():
                return self._with(answers={**self.answers, event.id: event})
            case Done():
                return self._with(done=event, now=None)
            case Ready():
                return self._with(versions=event.versions, device=event.device)
            case Ended():
                return self if self.done else self._with(lost=event.message, now=None)
            case _:
                assert_never(event)

    def _with(self, **changes: object) -> "Record":
        return msgspec.structs.replace(self, **changes)

    @property
    def _output(self) -> Growing:
        return (
            self.output if isinstance(self.output, Growing) else Growing(list(self.output), len(self.output))
        )

    def _count(self, name: str, **more: int) -> Mapping[str, Counts]:
        old = self.functions.get(name, Counts())
        new = msgspec.structs.replace(old, **{what: getattr(old, what) + n for what, n in more.items()})
        return {**self.functions, name: new}

    def _traced(self, event: Traced) -> "Record":
        kept = [t.key for t in self.traced if t.trace not in self.failed]
        failed = [t.key for t in self.traced if t.trace in self.failed]
        reason = explain(event.key, kept, event.raw, failed)
        return self._with(
            traced=(*self.traced, event),
            reasons={**self.reasons, event.trace: reason},
            functions=self._count(event.key.function, traces=1),
        )

    def _compiled(self, event: Compiled) -> "Record":
        counted = self.functions if event.eager else self._count(event.function, compiles=1)
        return self._with(compiled=(*self.compiled, event), functions=counted, now=None)

    def _called(self, event: Called) -> "Record":
        reason = None
        if not event.hit:
            if event.trace is not None:
                reason = self.reasons.get(event.trace)
            elif event.key is not None:
                reason = compiled_alone(event.key, self._compiled_keys())
        counted = self._count(event.function, calls=event.repeats, hits=event.repeats if event.hit else 0)
        row = Row(event, reason, program=event.program or self._found(event))
        # A nested call comes back before the call that caused it: keep the order of starting.
        at = len(self.rows)
        while at and self.rows[at - 1].call.n > event.n:
            at -= 1
        failed = self.failed
        if event.raised and event.trace is not None and event.lower_ms is None:
            failed |= {event.trace}
        rows = (*self.rows[:at], row, *self.rows[at:])
        return self._with(rows=rows, functions=counted, failed=failed, now=None)

    def _found(self, event: Called) -> int | None:
        """The program that a hit found: the newest that an equal call had."""
        if not event.hit or event.signature is None:
            return None
        for row in reversed(self.rows):
            if (row.call.function, row.call.signature) == (event.function, event.signature) and row.program:
                return row.program
        return None

    def _compiled_keys(self) -> list[Key]:
        """The keys of executed calls that compiled something."""
        return [
            row.call.key for row in self.rows if row.call.key is not None and row.call.compile_ms is not None
        ]

    def _waited(self, event: Waited) -> "Record":
        rows = list(self.rows)
        for at in range(len(rows) - 1, -1, -1):
            if rows[at].call.n == event.n:
                rows[at] = msgspec.structs.replace(rows[at], execute_ms=event.execute_ms)
                break
        return self._with(rows=tuple(rows))

    # ------------------------------------------------------------ views

    @property
    def calls(self) -> tuple[Row, ...]:
        """The calls that were executed: those inlined into another trace are left out."""
        return tuple(row for row in self.rows if row.call.within is None)

    @property
    def eager(self) -> tuple[Compiled, ...]:
        """Compiles outside jit: the small programs behind jnp.ones and its like."""
        return tuple(event for event in self.compiled if event.eager)

    def traces(self, name: str) -> int:
        """How often jit made Python run the body of the function with this name."""
        return self.functions.get(name, Counts()).traces

    def compiles(self, name: str | None = None) -> int:
        """How often the backend compiled this function, or any jitted function."""
        if name is None:
            return sum(counts.compiles for counts in self.functions.values())
        return self.functions.get(name, Counts()).compiles

    def cache(self, name: str | None = None) -> list[str]:
        """`hit` or `miss` of each executed call in order, of one function or of all."""
        return [
            row.cache
            for row in self.calls
            for _ in range(row.call.repeats)
            if name in (None, row.call.function)
        ]

    def program(self, name: str) -> Program | None:
        """The newest program of the function with this name."""
        return next((p for p in reversed(self.programs) if p.function == name), None)

    def equations(self, name: str) -> int:
        """Equations in the newest jaxpr of this function; 0 when there is none."""
        program = self.program(name)
        return program.equations if program else 0

    def jaxpr(self, name: str) -> str:
        """The newest jaxpr of this function as text; empty when there is none."""
        program = self.program(name)
        return program.jaxpr if program else ""

    def lines(self, during: str | None = None, stream: str = "stdout") -> list[str]:
        """Printed lines, all or only those of tracing or running."""
        wanted = [p for p in self.output if p.stream == stream and during in (None, p.during)]
        return "".join(p.text for p in wanted).splitlines()
