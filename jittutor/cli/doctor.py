"""`jittutor doctor`: what works here, what does not, and what to do about it."""

import locale
import os
import shutil
import sys
from typing import TYPE_CHECKING

import click

from jittutor.cli.common import as_json, common, say, say_json, wishes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jittutor.doctor import Check
    from jittutor.tui.terminal import Look

_WORDS = {"ok": "ok  ", "note": "note", "bad": "BAD "}
_SIGNS = "λ → │ ▁█ ✓ ✗ é 中"


@click.command("doctor")
@common
@as_json
def command(*, wants_json: bool) -> int:
    """Check device, driver, JAX, memory, state folder and terminal; exit 1 if something will not work."""
    from jittutor.doctor import examine  # noqa: PLC0415 - not for `--help`

    checks: list[Check] = []
    for check in _all(examine(cpu=wishes().cpu)):
        checks.append(check)
        if not wants_json:
            _print(check)
    ok = all(check.grade != "bad" for check in checks)
    if wants_json:
        say_json({"schema": 1, "ok": ok, "checks": [_as_dict(check) for check in checks]})
    else:
        say("everything that is needed works" if ok else "something will not work: see BAD above")
    return 0 if ok else 1


def _all(others: "Iterator[Check]") -> "Iterator[Check]":
    yield from _terminal()
    yield from others


def _terminal() -> "Iterator[Check]":
    """The terminal as the tutor would see it."""
    from jittutor.doctor import Check  # noqa: PLC0415
    from jittutor.tui import terminal  # noqa: PLC0415
    from jittutor.tui.asking import Asking  # noqa: PLC0415

    environ = dict(os.environ)
    names = ("TERM", "COLORTERM", "NO_COLOR", "LANG", "LC_ALL", "TMUX", "COLUMNS", "LINES", "TERM_PROGRAM")
    facts: dict[str, object] = {name: environ[name] for name in names if name in environ}
    columns, rows = shutil.get_terminal_size()
    facts |= {"columns": columns, "rows": rows, "encoding": locale.getpreferredencoding()}
    said = ", ".join(f"{name}={environ[name]}" for name in names if name in environ) or "no variables"
    why = terminal.refusal(environ)
    if why:
        grade = "note" if why == terminal.NEEDS_TERMINAL else "bad"
        yield Check("terminal", grade, why, facts=facts)  # type: ignore[arg-type] # one of two literals
        return
    with Asking() as asking:
        look = terminal.prepare(environ, wishes().color, slow=wishes().slow, ask=asking.answers)
        answers = asking.answers()
    facts |= {"name": answers.name, "answered": answers.complete, "kitty_keys": answers.kitty_keys}
    facts |= {"answer_ms": round(answers.seconds * 1000), "colors": look.colors, "because": look.because}
    if columns < 60 or rows < 16:
        yield Check("terminal", "note", f"{columns}x{rows} is small", "the tutor needs 60x16", facts)
    who = f"{answers.name or 'a terminal without a name'} {columns}x{rows}, {said}"
    yield Check("terminal", "ok", who, facts=facts)
    if answers.complete:
        yield Check("answers", "ok", f"in {answers.seconds * 1000:.0f} ms")
    else:
        yield Check(
            "answers", "note", "the terminal does not answer questions", "say --color if colours are wrong"
        )
    yield _colors(look)


def _colors(look: "Look") -> "Check":
    from jittutor.doctor import Check  # noqa: PLC0415 - loaded before

    words = {"none": "no colours", "truecolor": "24-bit colours"}.get(look.colors, f"{look.colors} colours")
    return Check("colours", "ok", f"{words}, because of {look.because}", facts={"colors": look.colors})


def _print(check: "Check") -> None:
    say(f"{_WORDS[check.grade]}  {check.name:12} {check.value}")
    if check.fix:
        say(f"{'':19}{check.fix}")
    if check.name == "colours" and sys.stdout.isatty():
        sys.stdout.write(f"{'':19}{_bars(str(check.facts['colors']))}\n")
        say(f"{'':19}{_SIGNS}")


def _bars(colors: str) -> str:
    """Sixteen blocks as the tutor would draw them; with too few colours some look the same."""
    if colors == "none":
        return ""
    if colors == "16":
        codes = [f"4{n}" for n in range(8)] + [f"10{n}" for n in range(8)]
    elif colors == "256":
        codes = [f"48;5;{n}" for n in range(16, 232, 14)]
    else:
        codes = [f"48;2;{n};{255 - n};160" for n in range(0, 256, 17)]
    return "".join(f"\x1b[{code}m  " for code in codes) + "\x1b[0m"


def _as_dict(check: "Check") -> dict[str, object]:
    import msgspec  # noqa: PLC0415 - loaded before

    return msgspec.structs.asdict(check)
