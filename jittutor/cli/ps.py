"""`jittutor ps`: the tutors of this machine (or Pod), who holds the GPU, and what was left behind."""

from typing import TYPE_CHECKING

import click

from jittutor.cli.common import as_json, common, say, say_json

if TYPE_CHECKING:
    from jittutor.lease import Entry


@click.command("ps")
@common
@as_json
def command(*, wants_json: bool) -> None:
    """List the tutors that run here, with their workers, age and idle time."""
    from jittutor import lease  # noqa: PLC0415 - not for `--help`

    found = list(lease.entries(lease.folder()))
    if wants_json:
        say_json({"schema": 1, "tutors": [_as_dict(one) for one in found]})
        return
    for one in found:
        holds = f", holds {one.device}" if one.holds else ""
        worker = f", worker {one.worker}" if one.worker and lease.born(one.worker) else ""
        say(f"{lease.describe(one)}{worker}{holds}{'  LEFT BEHIND' if one.is_left else ''}")
    if not found:
        say("no tutor runs here")
    elif any(one.is_left for one in found):
        say("`jittutor kill` ends what was left behind")


def _as_dict(entry: "Entry") -> dict[str, object]:
    """An entry as plain data."""
    return {
        "pid": entry.pid,
        "worker": entry.worker or None,
        "started": entry.started,
        "idle_seconds": round(entry.idle, 1),
        "silent_seconds": round(entry.unseen, 1),
        "terminal": entry.terminal or None,
        "device": entry.device or None,
        "holds_device": entry.holds,
        "lives": entry.lives,
        "left_behind": entry.is_left,
    }
