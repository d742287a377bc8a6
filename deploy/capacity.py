"""How many learners an L4 node carries: a small simulation of a class that arrives at once and then works.

    python3 deploy/capacity.py          # the tables of deploy/capacity.md

Needs nothing but Python. All numbers it starts from stand below; "assumed" means: not measured on an L4.
"""

import random
import statistics
import sys
from dataclasses import dataclass

SEED = 7
MINUTES = 45
ARRIVE = 30.0
"""Seconds within which everybody opens the tutor, after "now start it"."""
START = 9.0
"""CPU seconds until the first worker is ready: import of JAX (2.5 s measured) and CUDA's start (assumed)."""
RUN = 1.6
"""CPU seconds of a usual run (assumed: four times the 0.4 s of a function of 200 operations on a CPU)."""
SPREAD = 0.9
"""How different runs are (sigma of a log-normal): one in twenty costs more than four times the middle."""
THINK = 50.0
"""Seconds in which a learner reads, guesses and edits between two runs, on average (assumed)."""
THREADS = 2.0
"""Cores that one compile can use at the same time (assumed; the Pod's limit is 4)."""
SYSTEM = 1.5
"""Cores that the node's own Pods use, as in terraform/locals.tf."""
L4, POOL_CONTEXT = 22.5, 0.45
"""GiB of an L4 that can be used, and of one CUDA context (assumed)."""
IMAGE, PULL, UNPACK, NODE = 3.5, 0.15, 0.12, 180.0
"""GiB of the image; GiB a second to pull and unpack it; seconds until a new node is ready (all assumed)."""


@dataclass
class Learner:
    """What one learner's worker still has to do, and when the work was asked for."""

    left: float = 0.0
    asked: float = 0.0
    work: float = 0.0
    next: float = 0.0
    runs: int = 0


@dataclass(frozen=True)
class Outcome:
    """What learners felt: seconds until the tutor was ready, and how much longer runs took than alone."""

    ready: list[float]
    slower: list[float]


def simulate(learners: int, cores: float, seed: int = SEED) -> Outcome:
    """One node: everybody who computes gets the same share of its cores, and never more than THREADS."""
    chance = random.Random(seed)  # noqa: S311 - a simulation, and it must give the same numbers each time
    class_ = [Learner(next=chance.uniform(0, ARRIVE)) for _ in range(learners)]
    ready: list[float] = []
    slower: list[float] = []
    now = 0.0
    while now < MINUTES * 60:
        busy = [one for one in class_ if one.left > 0]
        rate = min(THREADS, (cores - SYSTEM) / len(busy)) if busy else 0.0
        ends = min((now + one.left / rate for one in busy), default=float("inf"))
        starts = min((one.next for one in class_ if one.left <= 0), default=float("inf"))
        moment = min(ends, starts)
        for one in busy:
            one.left -= rate * (moment - now)
        now = moment
        for one in class_:
            if one in busy and one.left < 1e-9:
                took = now - one.asked
                if one.runs == 0:
                    ready.append(took)
                else:
                    slower.append(took / (one.work / THREADS))
                one.left, one.runs = 0.0, one.runs + 1
                one.next = now + chance.expovariate(1 / THINK)
            elif one.left <= 0 and one.next <= now:
                one.work = START if one.runs == 0 else RUN * chance.lognormvariate(0, SPREAD)
                one.left, one.asked = one.work, now
    return Outcome(ready, slower)


def percentile(values: list[float], hundredth: int) -> float:
    """The value that so many of a hundred do not exceed."""
    return statistics.quantiles(values, n=100)[hundredth - 1]


def shares() -> str:
    """One node, by the number of learners."""
    lines = [
        (
            "| learners per L4 | machine | GPU memory each | tutor ready (median, 95 %)"
            " | runs slower than alone (median, 95 %) | if all press Run together |"
        ),
        "|---|---|---|---|---|---|",
    ]
    for learners, cores in ((3, 8), (6, 12), (8, 16), (16, 32)):
        many = [simulate(learners, cores, SEED + n) for n in range(20)]
        ready = [value for one in many for value in one.ready]
        slower = [value for one in many for value in one.slower]
        pool = L4 * (0.8 - 0.02 * learners) / learners
        lines.append(
            f"| {learners} | g2-standard-{cores} | {pool:.1f} GiB "
            f"| {percentile(ready, 50):.0f} s, {percentile(ready, 95):.0f} s "
            f"| {percentile(slower, 50):.1f}x, {percentile(slower, 95):.1f}x "
            f"| {max(1.0, learners * THREADS / (cores - SYSTEM)):.1f}x |"
        )
    return "\n".join(lines)


def classes() -> str:
    """Nodes, quota and the time until all Pods can be ready, by the size of the class."""
    pull = IMAGE / PULL + IMAGE / UNPACK
    lines = [
        "| learners | nodes with 8 each | L4 quota | CPUs | disks | image pulled in all | all ready after |",
        "|---|---|---|---|---|---|---|",
    ]
    for learners in (1, 30, 300):
        nodes = -(-learners // 8)
        # The autoscaler adds nodes in groups; assumed: ten at a time.
        waves = -(-nodes // 10)
        minutes = (waves * NODE + pull) / 60
        lines.append(
            f"| {learners} | {nodes} | {nodes} | {nodes * 16} | {learners} x 1 GiB "
            f"| {nodes * IMAGE:.0f} GiB | about {minutes:.0f} min |"
        )
    return "\n".join(lines)


def main() -> int:
    """Print the tables."""
    print(f"{shares()}\n\n{classes()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
