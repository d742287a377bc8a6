"""The words the screen and the worker say to each other: requests down, events up, all frozen.

Times are milliseconds unless a name says seconds. `line` is a line of the file being run (a lesson's
step, or the script), counted from 1; None where the cause is not in that file.
"""

from typing import Literal

import msgspec

from jittutor.key import Key, Part

type Phase = Literal["trace", "lower", "compile"]
type During = Literal["run", "trace"]
type Stream = Literal["stdout", "stderr", "value"]
type Outcome = Literal["ok", "error", "exit", "interrupted", "timeout", "crashed"]


class Word(msgspec.Struct, frozen=True, tag_field="word", tag=True, omit_defaults=True):
    """One message; the class name travels as its tag."""


# ---------------------------------------------------------------- requests: the tutor to the worker


class Ask(Part, frozen=True):
    """A question about a run, answered after it: an expression to evaluate or a check to hold."""

    id: str
    code: str
    kind: Literal["value", "check"] = "value"
    line: int = 1
    """The line of the lesson file where `code` starts."""


class Run(Word, frozen=True):
    """Run setup and step in a fresh namespace, then answer the questions."""

    run: int
    source: str
    setup: str = ""
    file: str = "<step>"
    """The name that tracebacks show."""
    asks: tuple[Ask, ...] = ()
    seconds: float | None = None
    """Time limit; None means none."""


type Request = Run


# ---------------------------------------------------------------- events: the worker to the tutor


class Versions(Part, frozen=True):
    """The versions a result belongs to."""

    jittutor: str
    jax: str
    jaxlib: str
    python: str


class Device(Part, frozen=True):
    """The device JAX computes on: `platform` is cpu, gpu or tpu; `kind` is its name."""

    platform: str
    kind: str
    count: int = 1


class Ready(Word, frozen=True):
    """The worker has its device and waits for a run."""

    versions: Versions
    device: Device
    pid: int = 0


class Printed(Word, frozen=True):
    """A line of output, or a piece of one when it does not end in a newline."""

    run: int
    text: str
    stream: Stream = "stdout"
    line: int | None = None
    during: During = "run"
    function: str | None = None
    """The function being traced, when `during` is trace."""


class Unwatched(Word, frozen=True):
    """Something of this run cannot be seen; one sentence says what and why."""

    run: int
    message: str


class Began(Word, frozen=True):
    """JAX starts a phase: what the learner waits for right now."""

    run: int
    phase: Phase
    function: str


class Traced(Word, frozen=True):
    """Python starts to run a function's body because jit traces it."""

    run: int
    trace: int
    key: Key
    line: int | None = None
    within: str | None = None
    """The function whose trace this happens in, when nested."""
    raw: str | None = None
    """JAX's own explanation of the miss, when it gives one."""


class Compiled(Word, frozen=True):
    """The backend compiled a program."""

    run: int
    function: str
    ms: float
    eager: bool = False
    """An operation outside jit, such as jnp.ones."""
    from_disk: bool = False
    """Found in the persistent compilation cache, so not really compiled."""
    line: int | None = None
    program: int | None = None


class Program(Word, frozen=True):
    """A program JAX built, in its three languages."""

    run: int
    id: int
    function: str
    signature: str
    equations: int
    jaxpr: str
    stablehlo: str | None = None
    hlo: str | None = None
    source_lines: tuple[int | None, ...] = ()
    """For each line of `jaxpr`, the line of the file that made it."""
    fusions: int | None = None
    flops: float | None = None
    bytes: float | None = None
    """Bytes accessed, by XLA's own estimate."""


# There are many of the next kind and of Waited: the program's garbage collector need not look at them.
class Called(Word, frozen=True, gc=False):
    """A call of a jitted function from the watched code came back (or raised)."""

    run: int
    n: int
    function: str
    line: int | None = None
    signature: str | None = None
    hit: bool = True
    trace: int | None = None
    """The number of the `Traced` that this call caused."""
    key: Key | None = None
    """For a miss: what was asked for."""
    within: str | None = None
    """Set when the call was made while another function was traced: it was inlined, not executed."""
    trace_ms: float | None = None
    lower_ms: float | None = None
    compile_ms: float | None = None
    dispatch_ms: float | None = None
    """From the end of compiling (or the start of the call) until the call came back."""
    program: int | None = None
    raised: bool = False
    repeats: int = 1
    """More than 1: so many equal hits in a row from the same line, told as one."""


class Hits(Word, frozen=True):
    """So many more hits of a function that were only counted: made by libraries, or too many to tell."""

    run: int
    function: str
    hits: int
    misses: int = 0
    """Calls made by libraries and transformations that were no hits."""


class Waited(Word, frozen=True, gc=False):
    """The watched code waited until the result of call `n` was ready."""

    run: int
    n: int
    execute_ms: float
    """From dispatch until the result was ready."""


class Inner(Part, frozen=True):
    """An exception that the raised one was made from: its cause, or a member of a group."""

    type: str
    message: str
    line: int | None = None
    traced: str | None = None
    code: str = ""


class Raised(Word, frozen=True):
    """The run ended in an exception."""

    run: int
    type: str
    message: str
    line: int | None = None
    function: str | None = None
    traced: str | None = None
    """What was traced where it failed: a name and its type."""
    traceback: str = ""
    """The traceback cut down to the learner's own lines."""
    place: str = ""
    """Where it was really raised, when not at `line`: in another of the learner's files, or in a function
    that JAX called back."""
    code: str = ""
    """The line of code at `line`, or of the other file at `place`."""
    inner: tuple[Inner, ...] = ()
    """What it was made from, the nearest first."""


class Answered(Word, frozen=True):
    """The answer to an Ask: `text` is the value's repr, or the check's message when it does not hold."""

    run: int
    id: str
    ok: bool
    text: str = ""


class Done(Word, frozen=True):
    """The run is over."""

    run: int
    outcome: Outcome
    seconds: float
    exit_code: int | None = None
    dropped_calls: int = 0
    dropped_output: int = 0
    dropped_programs: int = 0


class Ended(Word, frozen=True):
    """The worker is gone; said by the link, never by the worker."""

    message: str
    exit_code: int | None = None


type Event = (
    Ready
    | Printed
    | Unwatched
    | Began
    | Traced
    | Compiled
    | Program
    | Called
    | Hits
    | Waited
    | Raised
    | Answered
    | Done
    | Ended
)
