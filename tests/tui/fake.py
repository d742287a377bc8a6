"""A link without a worker: it answers each run with events made by hand, and waits where it is told to."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import msgspec

from jittutor.course import Chapter, Course
from jittutor.event import (
    Answered,
    Began,
    Called,
    Compiled,
    Device,
    Done,
    Ended,
    Event,
    Printed,
    Program,
    Raised,
    Ready,
    Run,
    Traced,
    Versions,
    Waited,
)
from jittutor.key import Argument, Key, Leaf
from jittutor.lesson import parse
from jittutor.state import State
from jittutor.tui.app import Tutor
from jittutor.tui.options import Options

READY = Ready(Versions("0.1.0", "0.12.0", "0.12.0", "3.13.1"), Device("gpu", "NVIDIA L4"))
type Script = Callable[[Run], Sequence[Event]]


class FakeLink:
    """Plays a script for each run; `hold` keeps a run from ending."""

    def __init__(self, script: Script, *, starts: bool = True) -> None:
        self.script, self.starts = script, starts
        self.queue: asyncio.Queue[Event] = asyncio.Queue()
        self.runs: list[Run] = []
        self.interrupts = self.restarts = 0
        self.closed = False
        self.listening = asyncio.Event()

    async def events(self) -> AsyncIterator[Event]:
        self.listening.set()
        if self.starts:
            yield READY
        while True:
            yield await self.queue.get()

    def send(self, request: Run) -> None:
        self.runs.append(request)
        self.say(*self.script(request))

    def say(self, *events: Event) -> None:
        for event in events:
            self.queue.put_nowait(event)

    def interrupt(self) -> None:
        self.interrupts += 1

    async def restart(self) -> None:
        self.restarts += 1
        self.say(READY)

    async def close(self) -> None:
        self.closed = True


def array(shape: int, *, dtype: str = "f32", identity: int = 1) -> Key:
    argument = Argument("x", "positional", tree="*")
    return Key("f", identity, "f@step.py:2", (argument,), (Leaf("x", (shape,), dtype),))


def jaxpr(size: int) -> str:
    return (
        f"{{ lambda ; a:f32[{size}]. let\n    b:f32[{size}] = integer_pow[y=2] a\n"
        "    c:f32[] = reduce_sum[axes=(0,) out_sharding=None] b\n  in (c,) }"
    )


HLO = "ENTRY %main (x: f32[100]) -> f32[] {\n  ROOT %y = f32[] reduce(%x), dimensions={0}, to_apply=%add\n}"
STABLEHLO = "module @jit_f {\n  func.func public @main(%arg0: tensor<100xf32>) -> tensor<f32> {\n  }\n}"


def miss(run: int, n: int, size: int, *, scale: float = 1.0) -> list[Event]:
    """A call that traces and compiles."""
    key = array(size)
    program = Program(run, n, "f", key.signature, 2, jaxpr(size), STABLEHLO, HLO, (None, 4, 4, None))
    return [
        Traced(run, n, key, 7, raw="TRACING CACHE MISS at step.py:7 costing 4.1 ms because: never seen"),
        Printed(run, f"tracing ({size},)\n", line=3, during="trace", function="f"),
        Began(run, "compile", "f"),
        Compiled(run, "f", 13.9 * scale, line=7, program=n),
        program,
        Called(run, n, "f", 7, key.signature, hit=False, trace=n, key=key, trace_ms=4.1, lower_ms=3.0,
               compile_ms=13.9 * scale, dispatch_ms=0.3, program=n),
        Waited(run, n, 0.4),
    ]  # fmt: skip


def hit(run: int, n: int, size: int, program: int) -> list[Event]:
    """A call that finds its program."""
    return [
        Called(run, n, "f", 7, array(size).signature, dispatch_ms=0.02, program=program),
        Waited(run, n, 0.03),
    ]


def shapes(request: Run) -> list[Event]:
    """Five calls with three shapes, and what the questions get."""
    run = request.run
    said: list[Event] = [Compiled(run, "broadcast_in_dim", 2.0, eager=True)]
    said += (
        miss(run, 1, 100) + miss(run, 2, 200) + hit(run, 3, 100, 1) + hit(run, 4, 200, 2) + miss(run, 5, 300)
    )
    said += [Printed(run, "total 600\n", line=9), Printed(run, "Array(3., dtype=float32)\n", "value", 10)]
    said += [Answered(run, ask.id, ok=True, text="3" if ask.kind == "value" else "") for ask in request.asks]
    return [*said, Done(run, "ok", 0.2)]


def fails(request: Run) -> list[Event]:
    """A branch on a traced value."""
    run = request.run
    return [
        Traced(run, 1, array(3), 7),
        Printed(run, "before\n", line=5),
        Raised(
            run,
            "TracerBoolConversionError",
            "Attempted boolean conversion of traced array with shape bool[].\n\nIt occurred while tracing f.",
            4,
            "f",
            "x: f32[3]",
            "line 7, in <module>\nline 4, in f",
        ),
        Called(run, 1, "f", 7, "x: f32[3]", hit=False, trace=1, key=array(3), trace_ms=1.0, raised=True),
        Done(run, "error", 0.1),
    ]


def refuses(request: Run) -> list[Event]:
    """A run whose check does not hold."""
    run = request.run
    said: list[Event] = [*miss(run, 1, 100)]
    said += [
        Answered(run, ask.id, ok=False, text="f ran its body 2 times; expected 1") for ask in request.asks
    ]
    return [*said, Done(run, "ok", 0.1)]


def nothing(request: Run) -> list[Event]:
    """A run that never ends by itself."""
    return [Began(request.run, "compile", "f")]


def ends(request: Run) -> list[Event]:
    """A worker that dies in the run."""
    return [
        Printed(request.run, "so far\n", line=1),
        Ended("the worker was killed by signal 9 (out of memory?)", -9),
    ]


RECOMPILES = '''"""What triggers a recompile

The cache is asked before anything is compiled.
"""

import jax
import jax.numpy as jnp

# %% New numbers, old program
"""
Its question is not "have I seen these numbers?" but "have I seen this *kind* of input?": the shape and
the dtype of each array, and the **value** of each static argument.

- `f32[100]` and `f32[200]` are two kinds, so `f` is traced and compiled twice, once for each of them, and
  both programs are kept.
- The same shape again is a hit.
"""


@jax.jit
def f(x):
    print("tracing", x.shape)
    return jnp.sum(x ** 2)


for n in (100, 200, 100, 200, 300):
    f(jnp.ones(n))

# %% predict: How many of these five calls compile?  answer="run.compiles('f')"
"""
- 1: the shape is part of the key, so one program cannot serve all five.
- 3: three different shapes arrive.
- 5: a shape that was seen before finds its program.
"""

# %% One kind only  traces=1
"""
Make all five calls share **one** program.
"""

for n in (100, 200, 100, 200, 300):
    f(jnp.ones(n))

# %% hint
"""Which part of the key changes from call to call?"""

# %% hint
"""Pad each array to 300 numbers."""

# %% check
assert run.traces("f") == 1, f"f was traced {run.traces('f')} times; one program needs one trace"

# %% solution
for n in (100, 200, 100, 200, 300):
    f(jnp.zeros(300).at[:n].set(1.0))
'''

BRANCHES = '''"""Branches on traced values

A traced value has no value yet.
"""

import jax

# %% An if that cannot be answered  raises="TracerBoolConversionError"
"""
`if x > 0` asks for a bool while only shape and dtype are known.
"""


@jax.jit
def f(x):
    if x > 0:
        return x
    return -x


f(3.0)
'''


def course() -> Course:
    lessons = (
        parse(RECOMPILES, "what-recompiles.py"),
        parse(BRANCHES, "branches.py"),
    )
    slugs = tuple(lesson.slug for lesson in lessons)
    return Course("How jax.jit works", (Chapter("All", slugs),), lessons)


def tutor(
    script: Script = shapes, *, state: State | None = None, folder: Path | None = None, starts: bool = True,
    start: tuple[str, str] | None = None, lessons: Course | None = None, **options: object,
) -> tuple[Tutor, FakeLink]:  # fmt: skip
    link = FakeLink(script, starts=starts)
    assert state is not None or folder is not None
    kept = state or State.open(folder)
    return Tutor(lessons or course(), link, kept, start, msgspec.convert(options, Options)), link
