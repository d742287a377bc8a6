"""How far everybody is: asks all learners' Pods at the same time, and shows a table or one JSON object.

Needs nothing but Python and kubectl. `deploy/workshop status` calls it.
"""

import argparse
import json
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

NAMESPACE = LABEL = "jittutor"
AT_ONCE = 24
PATIENCE = 30
"""Seconds for one Pod; one that does not answer is shown as such."""
RIGHTS = Path(__file__).parent / "overlays" / "class" / "rights.json"


@dataclass(frozen=True)
class Learner:
    """One row; `state` is "ready" or what is in the way; numbers are None when the Pod did not answer."""

    pod: str
    person: str
    state: str
    restarts: int
    done: int | None = None
    steps: int | None = None
    skipped: int | None = None
    right: int | None = None
    guesses: int | None = None
    place: str = ""


def people() -> dict[str, str]:
    """Who has which Pod, as `deploy/workshop up` wrote it; empty without a roster."""
    try:
        items = json.loads(RIGHTS.read_text(encoding="utf-8"))["items"]
    except (OSError, ValueError):
        return {}
    return {
        item["roleRef"]["name"]: item["subjects"][0]["name"]
        for item in items
        if item["kind"] == "RoleBinding"
    }


def _kubectl(*arguments: str) -> str:
    done = subprocess.run(
        ["kubectl", "--namespace", NAMESPACE, *arguments],
        capture_output=True, text=True, check=True, timeout=PATIENCE, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return done.stdout


def _state(pod: dict[str, Any]) -> tuple[str, int]:
    """What a Pod is doing, and how often it was started again."""
    status = pod.get("status", {})
    (container,) = status.get("containerStatuses") or [{}]
    restarts = int(container.get("restartCount", 0))
    if pod["metadata"].get("deletionTimestamp"):
        return "ending", restarts
    if container.get("ready"):
        return "ready", restarts
    waiting = container.get("state", {}).get("waiting", {}).get("reason")
    unmet = [c.get("reason", "") for c in status.get("conditions", []) if c.get("status") == "False"]
    if waiting or status.get("phase") != "Pending":
        return str(waiting or status.get("phase", "unknown")), restarts
    return ("waits for a node" if "Unschedulable" in unmet else "Pending"), restarts


def _ask(pod: dict[str, Any], person: str) -> Learner:
    name = pod["metadata"]["name"]
    state, restarts = _state(pod)
    if state != "ready":
        return Learner(name, person, state, restarts)
    try:
        said = json.loads(
            _kubectl("exec", name, "--container", "tutor", "--", "jittutor", "progress", "--json")
        )
    except (subprocess.SubprocessError, ValueError):
        return Learner(name, person, "no answer", restarts)
    place = f"{said['place']['lesson']} / {said['place']['step']}" if said["place"] else ""
    return Learner(
        name, person, state, restarts, said["done"], said["steps"], said["skipped"], said["right"],
        said["guesses"], place,
    )  # fmt: skip


def gather() -> list[Learner]:
    """All learners, in the order of their numbers."""
    pods = json.loads(
        _kubectl("get", "pods", "--selector", f"app.kubernetes.io/name={LABEL}", "--output", "json")
    )
    names = people()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        rows = pool.map(lambda pod: _ask(pod, names.get(pod["metadata"]["name"], "")), pods["items"])
        return sorted(rows, key=lambda row: (len(row.pod), row.pod))


def table(rows: Sequence[Learner]) -> str:
    """For people: a line for each learner, and one for all."""
    return "".join(f"{line}\n" for line in [*_lines(rows), _all(rows)])


def screen(rows: Sequence[Learner], columns: int, height: int) -> str:
    """What fits on a terminal, drawn over what is there: nothing flickers.

    If the class is larger, those are shown who may need somebody: who is not ready, then who has done least.
    """
    places = Counter(row.place for row in rows if row.place).most_common(3)
    head = [f"{time.strftime('%H:%M:%S')}  {_all(rows)}",
            "most are at " + ", ".join(f"{place} ({count})" for place, count in places) if places else "",
            ""]  # fmt: skip
    room = max(2, height - len(head) - 3)
    shown, rest = rows, ""
    if len(rows) > room:
        by_need = sorted(rows, key=lambda row: (row.state == "ready", row.done or 0))
        shown, rest = by_need[: room - 1], f"and {len(rows) - room + 1} who are ready and further on"
    lines = [*map(_printable, head), *_lines(shown), rest]
    return "\x1b[H" + "".join(f"{line[: columns - 1]}\x1b[K\n" for line in lines) + "\x1b[J"


def _lines(rows: Sequence[Learner]) -> list[str]:
    """The head of the table and its rows."""
    lines = [("POD", "LEARNER", "STATE", "STEPS", "NOW AT", "GUESSES", "SKIPPED")]
    for row in rows:
        state = row.state if not row.restarts else f"{row.state} ({row.restarts} restarts)"
        steps = "" if row.done is None else f"{row.done} of {row.steps}"
        guesses = "" if row.guesses is None else f"{row.right} of {row.guesses} right"
        skipped = "" if row.skipped is None else str(row.skipped)
        lines.append((row.pod, row.person, state, steps, row.place, guesses, skipped))
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    text = ["  ".join(word.ljust(width) for word, width in zip(line, widths, strict=True)) for line in lines]
    return [_printable(line.rstrip()) for line in text]


def _all(rows: Sequence[Learner]) -> str:
    ready = sum(row.state == "ready" for row in rows)
    done = sum(row.done or 0 for row in rows)
    return f"{ready} of {len(rows)} ready, {done} steps done"


def _printable(line: str) -> str:
    """What came out of a learner's Pod is theirs to choose: nothing of it may steer this terminal."""
    return "".join(character if character.isprintable() else "?" for character in line)


def _show(rows: Sequence[Learner], *, as_json: bool, watch: bool) -> None:
    if as_json:
        text = json.dumps({"schema": 1, "learners": [asdict(row) for row in rows]}, indent=1) + "\n"
    elif watch and sys.stdout.isatty():
        text = screen(rows, *shutil.get_terminal_size())
    else:
        text = table(rows)
    print(text, end="", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Show it once or again and again; the exit code is 1 if anybody is not ready."""
    parser = argparse.ArgumentParser(prog="workshop status", description="How far everybody is.")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--watch", type=float, nargs="?", const=15, metavar="SECONDS", help="again and again")
    given = parser.parse_args(arguments)
    shown = False
    while True:
        try:
            rows = gather()
        except (OSError, subprocess.SubprocessError, ValueError) as error:
            said = getattr(error, "stderr", None) or str(error)
            print(f"workshop: the cluster does not answer: {_printable(said.strip())}", file=sys.stderr)
            # Who watches a class wants to see it again when the line is back.
            if not shown:
                return 2
        else:
            shown = True
            _show(rows, as_json=given.json, watch=bool(given.watch))
            if not given.watch:
                return 0 if rows and all(row.state == "ready" for row in rows) else 1
        time.sleep(given.watch)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
