"""The terminal before and around Textual: what it can show, how it is asked, how it is put back.

Textual reads its settings from the environment when it is imported, so all this comes first.
"""

import contextlib
import os
import re
import signal
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator, MutableMapping
from dataclasses import dataclass
from typing import Literal, NoReturn, TextIO

from jittutor.tui.asking import Answers

type Colors = Literal["none", "16", "256", "truecolor"]

NEEDS_TERMINAL = (
    "jittutor needs a terminal for its screen: use `kubectl exec -it POD -- jittutor` (with -it), "
    "`docker run -it` or `ssh -t`"
)
RESET = (
    "\x18\x1b[<u\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l\x1b[?1016l"
    "\x1b[?1004l\x1b[?2004l\x1b[?2026l\x1b[?2048l\x1b[?1049l\x1b[?7h\x1b[?25h\x1b[0m"
)
"""Ends a half-written sequence, then switches off all that Textual switches on, and shows the cursor."""

_PATIENCE, _LAST = 0.5, 5.0
_SYSTEMS: dict[str, Colors] = {"standard": "16", "256": "256", "truecolor": "truecolor"}
_SYSTEM_OF: dict[Colors, str] = {"none": "standard", "16": "standard", "256": "256", "truecolor": "truecolor"}
_POOR = re.compile(r"linux|vt\d|cons\d|ansi|.*-16color$")
_RICH = re.compile(
    r"kitty|xterm-kitty|ghostty|xterm-ghostty|alacritty|foot|wezterm|contour|mintty|iterm2|.*-direct"
)
_RICH_NAME = re.compile(
    r"kitty|ghostty|alacritty|foot|wezterm|contour|mintty|iterm2|konsole|vte|xterm|rio|mlterm", re.IGNORECASE
)


@dataclass(frozen=True)
class Look:
    """What was decided about the terminal; `because` says from what."""

    colors: Colors
    because: str
    answers: Answers | None = None

    @property
    def ansi(self) -> bool:
        """Whether only the terminal's own 16 colours (or none) should be used."""
        return self.colors in ("none", "16")

    @property
    def kitty_keys(self) -> bool:
        """Whether ctrl+enter and shift+enter are known to arrive."""
        return self.answers is not None and self.answers.kitty_keys


def is_dumb(environ: MutableMapping[str, str]) -> bool:
    """Whether there is a terminal, and it says that it cannot move its cursor."""
    return _is_tty(sys.__stdin__) and environ.get("TERM") in ("dumb", "unknown")


def refusal(environ: MutableMapping[str, str]) -> str | None:
    """One sentence when a full screen cannot work here, else None."""
    if not (_is_tty(sys.__stdin__) and _is_tty(sys.__stderr__)):
        return NEEDS_TERMINAL
    if (term := environ.get("TERM", "")) in ("dumb", "unknown"):
        return (
            f"this terminal says that it cannot move its cursor (TERM={term}); if it can, "
            "start with `TERM=xterm-256color jittutor`"
        )
    return None


def set_pace(environ: MutableMapping[str, str], *, slow: bool = False) -> None:
    """Say how often Textual may draw; it must be said before any of it is imported."""
    environ.setdefault("TEXTUAL_ANIMATIONS", "none")
    # Often, and at no cost: what a worker says is drawn at most 30 times a second anyway, and of keys and
    # mouse moves 120 a second made no more bytes than 30, and answers two hundredths of a second sooner.
    environ.setdefault("TEXTUAL_FPS", "10" if slow else "120")


def prepare(
    environ: MutableMapping[str, str],
    color: str | None = None,
    *,
    slow: bool = False,
    ask: Callable[[], Answers] = Answers,
) -> Look:
    """Decide about colours and keys and set Textual's variables accordingly; it reads them when imported."""
    if _is_tty(sys.__stdin__):
        # Textual would believe these instead of the terminal, and never follow a resize.
        environ.pop("COLUMNS", None)
        environ.pop("LINES", None)
    if environ.get("TEXTUAL_COLOR_SYSTEM") not in _SYSTEMS:
        environ.pop("TEXTUAL_COLOR_SYSTEM", None)
    look = _decide(environ, color, ask)
    if slow and look.colors == "truecolor":
        look = Look("256", "--slow", look.answers)
    environ["TEXTUAL_COLOR_SYSTEM"] = _SYSTEM_OF[look.colors]
    environ.pop("NO_COLOR", None)
    if look.colors == "none":
        environ["NO_COLOR"] = "1"
    if _is_iterm(environ, look.answers) and "TMUX" not in environ:
        # With kitty keys iTerm2 no longer lets an input method (Chinese, Japanese, …) compose.
        environ["TEXTUAL_DISABLE_KITTY_KEY"] = "1"
    return look


def _decide(environ: MutableMapping[str, str], color: str | None, ask: Callable[[], Answers]) -> Look:
    if wish := _wish(environ, color):
        return wish
    term = environ.get("TERM", "")
    named = environ.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit")
    if _POOR.match(term):
        # Such a terminal prints some of the questions instead of answering them.
        return Look("truecolor", "COLORTERM") if named else Look("16", f"TERM={term}")
    answers = ask()
    if named:
        return Look("truecolor", "COLORTERM", answers)
    if _RICH.fullmatch(term):
        return Look("truecolor", f"TERM={term}", answers)
    if answers.rgb or _RICH_NAME.match(answers.name):
        return Look("truecolor", f"the terminal's answer ({answers.name or 'RGB'})", answers)
    return Look("256", "nothing said otherwise", answers)


def _wish(environ: MutableMapping[str, str], color: str | None) -> Look | None:
    """What the learner asked for, if anything: then the terminal is not asked."""
    wish, source = (color, "--color") if color else (environ.get("JITTUTOR_COLOR", ""), "JITTUTOR_COLOR")
    for colors in _SYSTEM_OF:
        if wish == colors:
            return Look(colors, source)
    if environ.get("NO_COLOR"):
        return Look("none", "NO_COLOR")
    if system := environ.get("TEXTUAL_COLOR_SYSTEM"):
        return Look(_SYSTEMS[system], "TEXTUAL_COLOR_SYSTEM")
    return None


def _is_iterm(environ: MutableMapping[str, str], answers: Answers | None) -> bool:
    named = environ.get("LC_TERMINAL") == "iTerm2" or environ.get("TERM_PROGRAM") == "iTerm.app"
    return named or (answers is not None and answers.name.startswith("iTerm2"))


def force_utf8() -> None:
    """Write UTF-8 whatever the locale says: every border would be an escape otherwise."""
    for stream in {sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__}:
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


@contextlib.contextmanager
def restored(
    at_end: Callable[[], None], stdin: int = 0, out: int = 2
) -> Iterator[Callable[[int, object], NoReturn]]:
    """Put the terminal back when the block is left by an error or a signal; `at_end` runs first.

    Yields what a signal does, for others who find that this is the end.
    """
    before = termios.tcgetattr(stdin) if os.isatty(stdin) else None
    ending = threading.Lock()

    def end(number: int, _: object) -> NoReturn:
        # Not an exception: the event loop may be blocked in a write that never returns.
        if ending.acquire(blocking=False):
            with contextlib.suppress(Exception):
                at_end()
            _put_back(before, stdin, _silence(out))
        elif threading.current_thread() is not threading.main_thread():
            time.sleep(_LAST)  # it ends already; if it cannot, then like this
        os._exit(128 + number)

    signals = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
    handlers = [signal.signal(number, end) for number in signals]
    try:
        yield end
    except BaseException:
        _put_back(before, stdin, out)
        raise
    finally:
        for number, handler in zip(signals, handlers, strict=True):
            signal.signal(number, handler)


def _put_back(before: list[object] | None, stdin: int, out: int) -> None:
    with contextlib.suppress(OSError, termios.error):
        blocking = os.get_blocking(out)
        os.set_blocking(out, False)  # nobody may read any more
        try:
            _write_soon(out, RESET.encode())
        finally:
            os.set_blocking(out, blocking)
    if before is not None:
        with contextlib.suppress(OSError, termios.error):
            termios.tcflush(stdin, termios.TCIFLUSH)
            termios.tcsetattr(stdin, termios.TCSANOW, before)  # type: ignore[arg-type] # mixed kinds


def _write_soon(out: int, data: bytes) -> None:
    """Write what a terminal that is busy with a frame takes within half a second."""
    end = time.monotonic() + _PATIENCE
    while data and time.monotonic() < end:
        try:
            data = data[os.write(out, data) :]
        except BlockingIOError:
            time.sleep(0.005)  # `select` says yes while another thread's write holds the terminal


def _silence(out: int) -> int:
    """Send what other threads still write there to nowhere; the terminal under a number of its own."""
    own, nowhere = os.dup(out), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, out)
    return own


def _is_tty(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False
