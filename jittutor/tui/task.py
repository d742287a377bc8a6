"""A step -> the blocks of its text: prose above, and below it hints, check and solution of an exercise."""

from collections.abc import Iterator

from jittutor.study.study import Study
from jittutor.tui import keys
from jittutor.tui.panes.flow import Block, blocks, inline
from jittutor.tui.say import join


def prose(study: Study) -> list[Block]:
    """The step's title and text; the lesson's introduction comes before its first step."""
    step, lesson = study.step, study.lesson
    shown: list[Block] = []
    if study.number == 1 and lesson.intro:
        shown += blocks(lesson.intro)
    shown.append(Block(join((step.title, "bold underline"))))
    shown += blocks(step.prose)
    return shown


def task(study: Study) -> list[Block]:
    """What the learner still has to do, and how it stands."""
    return list(_task(study))


def _task(study: Study) -> Iterator[Block]:
    step, hints = study.step, study.known.hints
    if not step.is_exercise:
        return
    if study.passed is True:
        yield Block(
            join(
                ("✓ ", "bold $right"),
                keys.told("The check holds. {solution} shows the lesson's own solution."),
            ),
            2,
        )
        return
    if study.passed is False:
        message = study.record.answers["check"].text or "the check does not hold"
        yield Block(join(("✗ ", "bold $wrong"), ("Not yet: ", "bold"), inline(message)), 2)
    elif study.known.done:
        yield Block(join(("✓ ", "bold $right"), "You solved this one."), 2)
    else:
        yield Block(
            join(("Your turn: ", "bold $accent"), "change the code, then run it; a check follows."), 2
        )
    for number, hint in enumerate(step.hints[:hints], 1):
        yield Block(
            join((f"Hint {number} of {len(step.hints)}: ", "bold"), inline(" ".join(hint.split()))), 2
        )
    left = len(step.hints) - hints
    more = f"{keys.name('hint')} gives hint {hints + 1} of {len(step.hints)} · " if left else ""
    yield Block(join((f"{more}{keys.name('solution')} shows the solution", "$muted")))
