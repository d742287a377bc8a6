"""How a worker ended, in words that follow `the worker ended: `, and the exit codes of its own choice."""

import signal

REPLACE, IDLE = 81, 82
"""It leaves a fresh start to another: the last run left something behind; nothing was to do for long."""

STOPPED = "it was stopped and replaced"
_SIGNALS = {
    signal.SIGKILL: "it was killed from outside, most often because the memory of this machine was used up",
    signal.SIGSEGV: "it crashed with a segmentation fault (a mistake in C code, or recursion without end)",
    signal.SIGABRT: "it aborted: C++ code found something wrong and gave up",
    signal.SIGBUS: "it crashed with a bus error (memory that is not there)",
    signal.SIGFPE: "it crashed in C code that divided by zero",
    signal.SIGILL: "it crashed: this processor does not know an instruction of the program",
    signal.SIGTERM: "it was told to end (SIGTERM)",
    signal.SIGHUP: "it was told to end (SIGHUP)",
}


def words(code: int | None) -> str:
    """What the exit code says; a negative one is the signal that ended it."""
    if code is None:
        return "it is gone, and nobody knows why"
    if code < 0:
        try:
            number = signal.Signals(-code)
        except ValueError:
            return f"it was ended by signal {-code}"
        return _SIGNALS.get(number, f"it was ended by signal {number.name}")
    return f"it ended with exit code {code}: the code (or a library) left Python at once, as os._exit does"


def too_long(seconds: float) -> str:
    """The run took longer than it may and did not listen."""
    return f"the run took longer than {seconds:g} s and could not be stopped otherwise"


def idle(seconds: float) -> str:
    """Nothing was to do."""
    return f"nothing was run for {seconds / 60:.0f} minutes, so it gave the device back"
