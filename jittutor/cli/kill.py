"""`jittutor kill`: end tutors that were left behind, or one that is named by its process number."""

import os

import click

from jittutor.cli.common import common, say


@click.command("kill")
@click.argument("numbers", metavar="[PID]...", nargs=-1, type=int)
@click.option("--all", "everything", is_flag=True, help="End every tutor on this machine.")
@common
def command(numbers: tuple[int, ...], *, everything: bool) -> int:
    """End what was left behind: workers without a tutor, tutors whose terminal is gone. Work is saved."""
    from jittutor import lease  # noqa: PLC0415 - not for `--help`

    found = {one.pid: one for one in lease.entries(lease.folder())}
    for number in numbers:
        if number not in found:
            raise click.UsageError(f"process {number} is no tutor; `jittutor ps` lists them")
    chosen = [one for one in found.values() if everything or one.pid in numbers or one.is_left]
    if numbers and not everything:
        chosen = [found[number] for number in numbers]
    code = 0
    for one in chosen:
        if one.pid in (os.getpid(), os.getppid()):
            continue
        ended = lease.end(one)
        code = code if ended else 1
        say(f"process {one.pid} has ended" if ended else f"process {one.pid} could not be ended")
    if not chosen:
        say("nothing was left behind")
    return code
