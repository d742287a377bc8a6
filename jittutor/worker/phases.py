"""The slow path of a call: JAX traces, lowers and compiles; each phase is put to the call it belongs to."""

import sys
import time
import types
from typing import TYPE_CHECKING, Any

import jax.monitoring

from jittutor.event import Began, Called, Compiled, Phase
from jittutor.worker import functions, hook, internals, raw
from jittutor.worker.lane import Slow, frames_of, traced_function

if TYPE_CHECKING:
    from jittutor.worker.watch import Watch

_PHASES: dict[str, Phase] = {
    "/jax/core/compile/jaxpr_trace_duration": "trace",
    "/jax/core/compile/jaxpr_to_mlir_module_duration": "lower",
    "/jax/core/compile/backend_compile_duration": "compile",
}
_DISK_HIT = "/jax/compilation_cache/cache_hits"
_now = time.perf_counter


class Phases:
    """Follows the calls that JAX's C++ cache did not answer."""

    def __init__(self, watch: "Watch") -> None:
        """Follow for this watch."""
        self.watch = watch

    # ------------------------------------------------------------ one call

    def begin_call(self, frame: types.FrameType) -> None:
        """A call went past the C++ cache."""
        watch, lane = self.watch, self.watch.lane
        self.settle(frame.f_back)
        here = frame.f_locals
        function = here["fun"]
        caller = internals.caller_of(frame)
        own = caller is not None and id(caller.f_code) in watch.own
        eager = internals.is_jax_code(functions.home_of(function))
        if own and lane.fast:
            top = lane.fast[-1]
            top.slow = True
            eager = eager and watch.counting.is_operation(top.function)
        n = 0
        if own and not eager:
            watch.n += 1
            n = watch.n
        within = None if eager else traced_function(caller, watch.inside.bodies)
        slow = Slow(
            id(frame),
            internals.name_of(function),
            n,
            eager,
            watch.line_of(caller),
            within,
            _now(),
            internals.program_name_of(function),
        )
        slow.ready = slow.started
        lane.slow.append(slow)

    def end_call(self, frame: types.FrameType, value: Any) -> None:
        """The call came back."""
        lane = self.watch.lane
        while lane.slow:
            slow = lane.slow.pop()
            if slow.frame == id(frame):
                self._tell(slow, frame, value)
                return
            self._tell(slow, None, None)

    def settle(self, frame: types.FrameType | None) -> None:
        """Tell of calls that an exception has ended: their frames wait for nothing any more."""
        lane = self.watch.lane
        if not lane.slow:
            return
        alive = frames_of(frame, self.watch.inside.slow_call)
        while lane.slow and lane.slow[-1].frame not in alive:
            self._tell(lane.slow.pop(), None, None)

    def settle_all(self) -> None:
        """Tell of all calls that have not come back, also of threads that have ended."""
        for calls in list(self.watch.open.values()):
            while calls:
                self._tell(calls.pop(), None, None)

    def _tell(self, slow: Slow, frame: types.FrameType | None, value: Any) -> None:
        """A call is over; without a frame it was ended by an exception."""
        watch = self.watch
        hit = slow.trace is None and not slow.compiled and frame is not None
        if slow.eager:
            return
        if slow.n:
            self._tell_own(slow, frame, value, hit=hit)
        elif hit:
            watch.counting.add(slow.function, own=False)
        else:
            watch.counting.add_miss(slow.function)

    def _tell_own(self, slow: Slow, frame: types.FrameType | None, value: Any, *, hit: bool) -> None:
        watch, end, key = self.watch, _now(), slow.key
        if frame is not None and slow.within is None:
            # Taken from the values, so that it also tells where they are placed.
            key = watch.keys.of_call(frame)
        if key is not None and slow.program is not None:
            watch.programs.sign(slow.program, key.signature)
        watch.told += 1
        watch.counting.told(slow.function)
        watch.say(
            Called(
                watch.run,
                slow.n,
                slow.function,
                slow.line,
                signature.signature if (signature := slow.key or key) else None,
                hit,
                slow.trace,
                None if hit or (frame is None and slow.trace is None) else key,
                slow.within,
                slow.trace_ms,
                slow.lower_ms,
                slow.compile_ms,
                (end - slow.ready) * 1e3 if frame is not None and slow.within is None else None,
                slow.program,
                frame is None,
            )
        )
        hook.keep(watch.hit_hook)
        if type(value) is tuple and value and slow.within is None:
            watch.waits.remember(value[0], slow.n, slow.ready)

    # ------------------------------------------------------------ tracing

    def begin_trace(self, frame: types.FrameType) -> None:
        """JAX is about to trace a function, unless it finds an earlier trace of it."""
        lane = self.watch.lane
        if raw.is_asking() and self.watch.keys.is_foreign(frame):
            # To explain, JAX writes and compares these objects, now and at every later miss.
            raw.stop()
        above = frame.f_back.f_back if frame.f_back else None
        if above is None or above.f_code is not self.watch.inside.slow_call:
            # .trace() and .lower() come here without a call.
            self.settle(frame)
            return
        if lane.slow:
            lane.slow[-1].started = _now()

    def end_trace(self, frame: types.FrameType) -> None:
        """A function is traced."""
        lane = self.watch.lane
        above = frame.f_back.f_back if frame.f_back else None
        slow = lane.slow[-1] if lane.slow else None
        if slow is None or above is None or above.f_code is not self.watch.inside.slow_call:
            return
        if slow.trace is not None and slow.within is not None:
            # JAX's own duration comes for outermost traces only.
            slow.trace_ms = (_now() - slow.started) * 1e3
        slow.ready = _now()

    # ------------------------------------------------------------ durations, from jax.monitoring

    def began(self, phase: Phase, name: str) -> None:
        """A phase begins."""
        lane = self.watch.lane
        slow = lane.slow[-1] if lane.slow else None
        if self.watch.live and not (slow.eager if slow else plain(name) not in self.watch.bodies.names):
            self.watch.say(Began(self.watch.run, phase, plain(name)))

    def ended(self, phase: Phase, name: str, ms: float) -> None:
        """A phase has ended, also by an exception."""
        lane = self.watch.lane
        slow = lane.slow[-1] if lane.slow else None
        now = _now()
        if phase == "compile":
            self._compiled(plain(name), ms, slow)
        if slow is None:
            return
        slow.ready = now
        if phase == "trace" and slow.trace is not None:
            slow.trace_ms = (slow.trace_ms or 0.0) + ms
        elif phase == "lower":
            slow.lower_ms = (slow.lower_ms or 0.0) + ms
        elif phase == "compile" and plain(name) == slow.program_name:
            slow.compile_ms = (slow.compile_ms or 0.0) + ms

    def _compiled(self, name: str, ms: float, slow: Slow | None) -> None:
        watch, lane = self.watch, self.watch.lane
        eager = self.is_eager(name, slow)
        from_disk, lane.from_disk = lane.from_disk, False
        program = None
        if not eager:
            program = watch.programs.newest(name)
            if slow is not None and slow.program_name == name:
                slow.compiled += 1
                slow.program = program
                name = slow.function
            name = self.watch.bodies.names.get(name, name)
        line = watch.line_of(sys._getframe(1))
        watch.say(Compiled(watch.run, name, ms, eager, from_disk, line, program))

    def is_eager(self, name: str, slow: Slow | None) -> bool:
        """Whether a program is an operation outside jit rather than a function that jit traced."""
        if slow is not None and slow.program_name == name:
            return slow.eager
        return name not in self.watch.bodies.names

    def end_compile(self, frame: types.FrameType, executable: Any) -> None:
        """The backend built an executable: keep the program's texts."""
        lane = self.watch.lane
        slow = lane.slow[-1] if lane.slow else None
        if slow is not None and slow.eager:
            return
        self.watch.programs.built(frame, executable, slow, self.watch.bodies.names)


def plain(name: str) -> str:
    """The function's name in a program's name: `jit(f)` and `jit_f` are of `f`."""
    for start, end in (("jit(", ")"), ("pmap(", ")")):
        if name.startswith(start) and name.endswith(end):
            return name[len(start) : -len(end)]
    return name


# ---------------------------------------------------------------- one ear for the whole process

_heard: Phases | None = None
_registered = False


def listen(to: Phases | None) -> None:
    """Let these phases hear JAX; listeners cannot be taken back, so one set serves every run."""
    global _heard, _registered  # noqa: PLW0603 - one process, one ear
    _heard = to
    if to is not None and not _registered:
        _registered = True
        jax.monitoring.register_scalar_listener(_scalar)
        jax.monitoring.register_event_time_span_listener(_span)
        jax.monitoring.register_event_listener(_event)


def _scalar(event: str, value: float | str, **words: Any) -> None:
    if _heard is not None and event in _PHASES and not _heard.watch.lane.paused:
        _heard.began(_PHASES[event], str(words.get("fun_name")))


def _span(event: str, start_time: float, end_time: float, **words: Any) -> None:
    if _heard is not None and event in _PHASES and not _heard.watch.lane.paused:
        _heard.ended(_PHASES[event], str(words.get("fun_name")), (end_time - start_time) * 1e3)


def _event(event: str, **words: Any) -> None:
    if _heard is not None and event == _DISK_HIT:
        _heard.watch.lane.from_disk = True
