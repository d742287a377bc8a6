"""A step and the learner's code -> the request to run them."""

from jittutor.event import Ask, Run
from jittutor.lesson import Lesson, Step
from jittutor.limits import seconds_for

CHECK = "check"


def build(lesson: Lesson, step: Step, source: str, run: int) -> Run:
    """Run the learner's code after the lesson's setup, then ask what the step wants to know."""
    asks = [Ask(predict.id, predict.answer, "value", predict.line) for predict in step.predicts]
    if step.check is not None:
        asks.append(Ask(CHECK, step.check.source, "check", step.check.line))
    file = lesson.path or f"{lesson.slug}.py"
    return Run(run, source, lesson.setup, file, tuple(asks), seconds_for(step.seconds))
