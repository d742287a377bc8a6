"""Runs one request: setup, then the watched step, then the questions about it."""

import ast
import faulthandler
import io
import linecache
import os
import signal
import sys
import time
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import jax

from jittutor.event import Answered, Ask, Done, Event, Outcome, Printed, Run
from jittutor.record import Record
from jittutor.worker import errors, house, raw
from jittutor.worker.leftovers import out_of_the_way
from jittutor.worker.prints import Stand, Teller
from jittutor.worker.watch import Watch

SETUP = "<setup>"
GRACE = 2.0
"""Seconds that a run may take to stop when its time is up."""
_NOWHERE = out_of_the_way(os.open(os.devnull, os.O_WRONLY))


class TimeUp(BaseException):
    """The run took longer than it may; not an Exception, so that `except Exception` lets it pass."""


class Snippet:
    """One run in a fresh namespace."""

    def __init__(self, request: Run, say: Callable[[Event], None], drain: Callable[[], None]) -> None:
        """Prepare; nothing runs yet. `drain` waits until what went to the descriptors is told."""
        self._drain = drain
        self.request = request
        self._out = say
        self._heard: list[Event] = []
        self.watch = Watch(self.say, request.run, live=True)
        self.watch.file = request.file
        self.teller = Teller(self._keep, self.watch, floor=Snippet._step.__code__)
        self.module = types.ModuleType("__main__")
        self.exit_code: int | None = None
        self._process = os.getpid()

    def say(self, event: Event) -> None:
        """Tell an event after whatever was printed before it."""
        self.teller.flush()
        self._keep(event)

    def _keep(self, event: Event) -> None:
        if self.request.asks:
            self._heard.append(event)
        self._out(event)

    def run(self) -> None:
        """Run it all; every mistake of the learner becomes an event."""
        started = time.perf_counter()
        with house.kept():
            self.module.__dict__["__builtins__"] = __builtins__
            sys.modules["__main__"] = self.module
            sys.stdin = io.StringIO()
            sys.stdout = Stand(self.teller, "stdout", 1)
            sys.stderr = Stand(self.teller, "stderr", 2)
            outcome = self._guarded()
            self._leave_if_forked()
            house.first_aid()
            self._finish(outcome, time.perf_counter() - started)

    def _finish(self, outcome: Outcome, seconds: float) -> None:
        """Tell the programs, the answers and the end; an interrupt that comes late changes nothing."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self.watch.stop()
        raw.stop()
        for event in self.watch.last():
            self.say(event)
        self._drain()
        self.teller.finish()
        if self.request.asks:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            self._answer()
        done = Done(
            self.request.run,
            outcome,
            seconds,
            self.exit_code,
            self.watch.counting.dropped,
            self.teller.dropped,
            self.watch.programs.dropped,
        )
        self._out(done)

    def _guarded(self) -> Outcome:
        try:
            with _time_limit(self.request.seconds):
                self._execute()
                self._leave_if_forked()
                jax.effects_barrier()
        except TimeUp:
            return "timeout"
        except KeyboardInterrupt:
            return "interrupted"
        except SystemExit as stop:
            code = stop.code
            if code is not None and not isinstance(code, int):
                sys.stderr.write(f"{code}\n")
            self.exit_code = code if isinstance(code, int) else 0 if code is None else 1
            return "exit"
        except BaseException as error:  # noqa: BLE001 - whatever the learner's code raises is told
            self.say(errors.raised(self.request.run, error, self.watch.own, self.request.file))
            return "error"
        return "ok"

    def _leave_if_forked(self) -> None:
        """A child that the code forked ends where the code ends: JAX's threads did not come with it."""
        if os.getpid() != self._process:
            self.teller.flush()
            os._exit(0)

    def _execute(self) -> None:
        """Setup unwatched, caches emptied, then the step: the same text always gives the same picture."""
        namespace = self.module.__dict__
        if self.request.setup.strip():
            setup = _compile(ast.parse(self.request.setup, SETUP), SETUP, self.request.setup)
            self.watch.add(setup)
            exec(setup, namespace)  # noqa: S102 - running the learner's code is what this process is for
            jax.effects_barrier()
        jax.clear_caches()
        self._step(namespace)

    def _step(self, namespace: dict[str, Any]) -> None:
        file, source = self.request.file, self.request.source
        tree = ast.parse(source, file)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        code = _compile(tree, file, source)
        self.watch.add(code)
        shown = None
        if isinstance(last, ast.Expr):
            shown = compile(ast.Expression(last.value), file, "eval")
            self.watch.add(shown)
        raw.start()
        self.watch.start()
        exec(code, namespace)  # noqa: S102 - as above
        if shown is not None:
            value = eval(shown, namespace)  # noqa: S307 - as above
            if value is not None and last is not None:
                self.say(Printed(self.request.run, repr(value) + "\n", "value", last.lineno))

    # ------------------------------------------------------------ questions

    def _answer(self) -> None:
        """Answer the questions; nothing that happens meanwhile is part of the record."""
        record = Record(run=self.request.run)
        for event in self._heard:
            record = record.after(event)
        sys.stdout = sys.stderr = io.StringIO()
        namespace = {**self.module.__dict__, "run": record}
        for ask in self.request.asks:
            try:
                with _time_limit(self.request.seconds or 60):
                    ok, text = _reply(ask, namespace, record)
            except (KeyboardInterrupt, TimeUp):
                ok, text = False, "stopped before it could be answered"
            self._out(Answered(self.request.run, ask.id, ok, text))


def _reply(ask: Ask, namespace: dict[str, Any], record: Record) -> tuple[bool, str]:
    try:
        if ask.kind == "value":
            return True, repr(eval(ask.code, namespace))  # noqa: S307 - a question of the lesson's author
        exec(compile(ask.code, "<check>", "exec"), namespace)  # noqa: S102 - as above
    except AssertionError as error:
        return False, str(error) or "the check does not hold: " + _line_of(error, ask.code)
    except Exception as error:  # noqa: BLE001 - told to the learner, whatever it is
        if record.error is not None:
            return False, f"the code stopped with {record.error.type}: {record.error.message.splitlines()[0]}"
        if isinstance(error, NameError) and error.name:
            return False, f"the code must define `{error.name}`"
        return False, f"{type(error).__name__}: {error}"
    return True, ""


def _line_of(error: BaseException, code: str) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    lines = code.splitlines()
    return lines[trace.tb_lineno - 1].strip() if trace and trace.tb_lineno <= len(lines) else ""


def _compile(tree: ast.Module, file: str, source: str) -> types.CodeType:
    """The code, with its text kept where tracebacks look for it."""
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    return compile(tree, file, "exec")


@contextmanager
def _time_limit(seconds: float | None) -> Iterator[None]:
    if not seconds:
        yield
        return

    def over(_signal: int, _frame: object) -> None:
        raise TimeUp

    signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    # C code that does not come back to Python hears no signal: then the process ends, without asking Python.
    faulthandler.dump_traceback_later(seconds + GRACE, file=_NOWHERE, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_REAL, 0)
