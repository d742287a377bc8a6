"""`jittutor run FILE`: a script as it is, and then the X-ray of what JAX did."""

import os
import sys

import click

from jittutor.cli.common import as_json, common, say, wishes


@click.command("run")
@common
@as_json
@click.argument("file")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(file: str, arguments: tuple[str, ...], *, wants_json: bool) -> int:
    """Run FILE as python would, then report what JAX compiled, how long it took, and why again.

    Arguments for the script stand after --.
    """
    from jittutor.launch import NotRunnable, run_script  # noqa: PLC0415 - only when a script is run
    from jittutor.report import report  # noqa: PLC0415
    from jittutor.xray import to_json  # noqa: PLC0415

    _tell_holder()
    try:
        record, code = run_script(file, list(arguments), cpu=wishes().cpu, captured=wants_json)
    except NotRunnable as error:
        raise click.UsageError(str(error)) from None
    if wants_json:
        sys.stdout.buffer.write(to_json(record) + b"\n")
    else:
        sys.stderr.flush()
        say(report(record, file, ascii_only=wishes().plain or wishes().ascii))
    sys.stdout.flush()
    return code


def _tell_holder() -> None:
    """Say who has the GPU that the script may want, to people only: the script runs all the same."""
    from jittutor import lease  # noqa: PLC0415 - as above

    device = lease.device(os.environ, cpu=wishes().cpu)
    holder = lease.holder(lease.folder(), device) if device and sys.stderr.isatty() else None
    if holder is not None:
        say(f"jittutor: {lease.Busy(holder)}", file=sys.stderr)
