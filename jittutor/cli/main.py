"""The group of verbs, each loaded when it is used; every kind of trouble ends in one clear sentence."""

import contextlib
import importlib
import keyword
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from jittutor import __version__
from jittutor.cli.common import common

VERBS = {
    "list": "all lessons with their state",
    "run": "run your own script and report what JAX did",
    "verify": "hold every lesson to its claims",
    "doctor": "check the device, JAX and this terminal",
    "progress": "what is done so far",
    "reset": "start over, with a backup",
    "export": "a lesson with your edits, as notebook, Markdown or Python",
    "new": "write the skeleton of a lesson",
    "import": "turn a notebook into the draft of a lesson",
    "ps": "the tutors that run on this machine, and who holds the GPU",
    "kill": "end tutors that were left behind, or the one you name",
    "hold": "for a Pod's main process: say whether the GPU answers, then wait",
}
_DEFAULT = "open"
TROUBLE, STOPPED, NOBODY_READS = 70, 130, 1
"""Exit codes: a mistake in jittutor itself, ctrl+c, a closed pipe."""


class Verbs(click.Group):
    """A group whose commands live in modules of their own; anything else is the name of a lesson."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The verbs in the order of the help."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's
        """Import the verb."""
        if cmd_name not in (*VERBS, _DEFAULT):
            return None
        module = f"{cmd_name}_" if keyword.iskeyword(cmd_name) else cmd_name
        command = importlib.import_module(f"jittutor.cli.{module}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A verb with what follows, or a lesson to open."""
        if args[0] not in (*VERBS, _DEFAULT):
            args = [_DEFAULT, *args]
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's
        """The help, without importing every verb."""
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


@click.group(
    cls=Verbs,
    invoke_without_command=True,
    subcommand_metavar="[LESSON | COMMAND]",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@common
@click.version_option(__version__, message="jittutor %(version)s")
@click.pass_context
def group(ctx: click.Context) -> object:
    """A tutor that shows how jax.jit traces, lowers, compiles, caches and executes.

    Without a command it opens the tutor where you left off, or at LESSON (its name or number).
    """
    if ctx.invoked_subcommand is None:
        command = group.get_command(ctx, _DEFAULT)
        assert command is not None
        return ctx.invoke(command, lesson=None)
    return None


def start(arguments: Sequence[str]) -> int:
    """Run a command line; the exit code."""
    try:
        code = group.main(list(arguments), prog_name="jittutor", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        return _say(error.format_message(), 2)
    except (click.Abort, KeyboardInterrupt):
        return _say("stopped", STOPPED)
    except BrokenPipeError:
        return _nobody_reads()
    except Exception as error:  # noqa: BLE001 - the last resort: a report instead of a traceback
        return _report(error)
    return code if isinstance(code, int) else 0


def _say(sentence: str, code: int) -> int:
    from jittutor.clean import clean_line  # noqa: PLC0415 - only when there is trouble

    with contextlib.suppress(OSError):
        print(f"jittutor: {clean_line(sentence)}", file=sys.stderr)
    return code


def _nobody_reads() -> NoReturn:
    # The interpreter flushes stdout at its end and would complain: leave without that.
    with contextlib.suppress(OSError):
        sys.stderr.flush()
    os._exit(NOBODY_READS)


def _report(error: Exception) -> int:
    """Write the traceback to a file and say where it is."""
    import tempfile  # noqa: PLC0415 - only when there is trouble
    import traceback  # noqa: PLC0415

    text = "".join((f"jittutor {__version__}, Python {sys.version}\n", *traceback.format_exception(error)))
    short = f"{type(error).__name__}: {error}"
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", errors="replace", prefix="jittutor-error-", suffix=".txt", delete=False
        ) as file:
            file.write(text)
    except OSError:
        return _say(f"something went wrong inside jittutor ({short})", TROUBLE)
    return _say(f"something went wrong inside jittutor ({short}); the report is in {file.name}", TROUBLE)
