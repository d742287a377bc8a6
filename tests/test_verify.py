"""What verify reports, on a pretended worker that says a fixed story and answers questions itself."""

import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from jittutor.course import Broken, Chapter, Course
from jittutor.event import (
    Answered,
    Called,
    Compiled,
    Done,
    Ended,
    Event,
    Printed,
    Program,
    Raised,
    Run,
    Traced,
)
from jittutor.key import Argument, Key, Leaf
from jittutor.lesson import CLAIMS, parse
from jittutor.record import Record
from jittutor.verify import Finding, verify

HEAD = '"""T\n\nI.\n"""\n\nstart = 1\n\n'


class Pretended:
    """A link whose worker tells `story` for each run, executes the source and answers the questions."""

    def __init__(self, story: Callable[[Run], list[Event]]) -> None:
        self.story, self.sent = story, list[Run]()
        self.queue: list[Event] = []

    async def events(self) -> AsyncIterator[Event]:
        while self.queue:
            yield self.queue.pop(0)

    def send(self, request: Run) -> None:
        self.sent.append(request)
        told = self.story(request)
        self.queue += told
        if not any(isinstance(event, Ended | Done) for event in told):
            record = Record(run=request.run)
            for event in told:
                record = record.after(event)
            self.queue += [
                *answers(request, record),
                Done(request.run, "error" if record.error else "ok", 0.1),
            ]


def answers(request: Run, record: Record) -> list[Event]:
    names: dict[str, object] = {"run": record}
    with contextlib.suppress(ZeroDivisionError):
        exec(request.setup + request.source, names)  # noqa: S102 - what a worker does
    found: list[Event] = []
    for ask in request.asks:
        try:
            if ask.kind == "value":
                found.append(Answered(request.run, ask.id, ok=True, text=repr(eval(ask.code, names))))  # noqa: S307
            else:
                exec(ask.code, names)  # noqa: S102
                found.append(Answered(request.run, ask.id, ok=True))
        except Exception as error:  # noqa: BLE001 - as the worker does
            found.append(Answered(request.run, ask.id, ok=False, text=str(error)))
    return found


def story(request: Run) -> list[Event]:
    """Three calls of f: miss, hit, and a miss for another shape; one line printed while tracing."""
    told: list[Event] = [
        Printed(request.run, "tracing f\n", during="trace"),
        Printed(request.run, "7\n", "value"),
    ]
    for n, shape in enumerate((4, 4, 5), 1):
        key = Key("f", 1, "f@x:1", (Argument("x", "positional", tree="*"),), (Leaf("x", (shape,), "f32"),))
        if n != 2:
            told += [
                Traced(request.run, n, key),
                Compiled(request.run, "f", 30.0),
                Program(request.run, n, "f", "f32[4]", 6, "{ lambda }"),
            ]
        trace, ms = (None, None) if n == 2 else (n, 30.0)
        told.append(
            Called(request.run, n, "f", 1, hit=n == 2, trace=trace, compile_ms=ms, dispatch_ms=1.0, key=key)
        )
    return told


def failing(request: Run) -> list[Event]:
    return [*story(request), Raised(request.run, "ZeroDivisionError", "division by zero", line=2)]


def quiet(_: Run) -> list[Event]:
    return []


def course(text: str) -> Course:
    return Course("C", (Chapter("A", ("one",)),), (parse(text, "lessons/one.py", "one"),))


async def report(
    text: str, told: Callable[[Run], list[Event]] = story, only: tuple[str, ...] = ()
) -> list[Finding]:
    return [finding async for finding in verify(course(text), Pretended(told), only)]


KEPT_AND_BROKEN: list[tuple[str, str, str, str, str]] = [
    ("traces", "2", "3", "3", "2"),
    ("compiles", '{"f": 2}', '{"f": 1}', "f: 1", "f: 2"),
    ("cache", '"miss hit miss"', '"miss hit hit"', "miss hit hit", "miss hit miss"),
    ("reasons", '"shape"', '"dtype"', "dtype", "shape"),
    ("prints", '["tracing f"]', '["hello"]', "hello", "'hello' is not there"),
    ("trace_prints", "1", "0", "0", "1 | tracing f"),
    ("equations", '{"f": 6}', '{"f": 600}', "f: 600", "f: 6"),
    ("shows", '"7"', '"8"', "8", "7"),
    ("slower", '"1 > 5 * 2"', '"2 > 1"', "2 > 1", "2 took 0.03 times 1"),
    (
        "holds",
        "\"run.traces('f') == 2\"",
        "\"run.traces('f') == 3\"",
        "run.traces('f') == 3",
        "False: (2, 3)",
    ),
    ("raises", '"ZeroDivisionError"', '"ValueError"', "ValueError", "ZeroDivisionError: division by zero"),
    ("raises_at", '"y = 1 / 0"', '"x = 1"', "x = 1", "line 2: y = 1 / 0"),
]


def test_each_kind_of_claim_is_tried_here() -> None:
    assert {row[0] for row in KEPT_AND_BROKEN} == set(CLAIMS)


@pytest.mark.parametrize(("claim", "right", "wrong", "expected", "actual"), KEPT_AND_BROKEN)
async def test_a_claim_made_wrong_is_found_and_told(
    claim: str, right: str, wrong: str, expected: str, actual: str
) -> None:
    raising = claim.startswith("raises")
    told, source = (failing, "x = 1\ny = 1 / 0\n") if raising else (story, "x = 1\n")
    also = ', raises="ZeroDivisionError"' if claim == "raises_at" else ""
    text = HEAD + "# %% Step A  {}\n" + source
    good = await report(text.format(f"{claim}={right}{also}"), told)
    assert [finding for finding in good if not finding.ok] == []
    bad = await report(text.format(f"{claim}={wrong}{also}"), told)
    (found,) = [finding for finding in bad if not finding.ok]
    assert (found.lesson, found.step, found.what) == ("one", "step-a", claim)
    assert found.expected == expected
    assert actual in found.actual
    assert (found.file, found.line) == ("lessons/one.py", 8)


EXERCISE = (
    HEAD
    + '''# %% Step
x = 1

# %% check
assert x == 2, f"expected: x is 2; actual: {x}"

# %% solution
x = 2

# %% wrong
"""
actual: 3
"""

x = 3
'''
)


async def test_an_exercise_that_works_is_found_to_work() -> None:
    found = await report(EXERCISE, quiet)
    assert [(f.what, f.ok, f.line) for f in found] == [
        ("ends", True, 9),
        ("start code", True, 9),
        ("solution", True, 15),
        ("wrong answer 1", True, 22),
    ]


@pytest.mark.parametrize(
    ("old", "new", "what", "actual"),
    [
        ("x = 1\n", "x = 2\n", "start code", "the check holds"),
        ("solution\nx = 2\n", "solution\nx = 5\n", "solution", "expected: x is 2; actual: 5"),
        ("x = 3\n", "x = 2\n", "wrong answer 1", "the check holds"),
        ("x = 3\n", "x = 4\n", "wrong answer 1", "expected: x is 2; actual: 4"),
    ],
)
async def test_an_exercise_that_does_not_work_is_told(old: str, new: str, what: str, actual: str) -> None:
    assert old in EXERCISE
    (found,) = [finding for finding in await report(EXERCISE.replace(old, new, 1), quiet) if not finding.ok]
    assert (found.what, found.actual) == (what, actual)


async def test_a_solution_that_raises_is_no_solution_even_when_the_check_holds() -> None:
    def told(request: Run) -> list[Event]:
        return failing(request) if "x = 2" in request.source else []

    (found,) = [finding for finding in await report(EXERCISE, told) if not finding.ok]
    assert (found.what, found.actual) == ("solution", "ZeroDivisionError: division by zero")


async def test_a_computed_answer_must_be_a_choice() -> None:
    text = HEAD + '# %% Step\nx = 1\n\n# %% predict: How many?  answer="{}"\n"""\n- 1: no\n- two: yes\n"""\n'
    for answer in ("x", "'two'"):
        assert all(finding.ok for finding in await report(text.format(answer), quiet))
    for answer, actual in (("x + 1", "2"), ("nosuch", "name 'nosuch' is not defined")):
        (found,) = [finding for finding in await report(text.format(answer), quiet) if not finding.ok]
        assert (found.what, found.expected, found.actual) == ("prediction 1", "one of 1 | two", actual)


async def test_a_step_that_raises_without_saying_so_is_found() -> None:
    (found,) = [finding for finding in await report(HEAD + "# %% S\nx = 1\n", failing) if not finding.ok]
    assert (found.what, found.expected) == ("ends", "ok")
    assert "division by zero" in found.actual


async def test_a_worker_that_ends_is_told_and_the_next_step_runs() -> None:
    def told(request: Run) -> list[Event]:
        return [Ended("it was killed")] if request.run == 1 else []

    found = await report(HEAD + "# %% A\nx = 1\n# %% B\nx = 2\n", told)
    assert [(f.step, f.ok) for f in found] == [("a", False), ("b", True)]
    assert "it was killed" in found[0].actual


async def test_only_times_are_tried_again() -> None:
    def told(request: Run) -> list[Event]:
        slow = request.run > 1
        return [
            Called(request.run, 1, "f", compile_ms=90.0 if slow else 0.0, dispatch_ms=1.0),
            Called(request.run, 2, "f", dispatch_ms=1.0),
        ]

    link = Pretended(told)
    text = HEAD + '# %% A  slower="1 > 5 * 2"\nx = 1\n'
    assert all([f.ok async for f in verify(course(text), link)])
    assert len(link.sent) == 2
    link = Pretended(told)
    text = HEAD + '# %% A  slower="1 > 5 * 2", traces=1\nx = 1\n'
    assert [f.what async for f in verify(course(text), link) if not f.ok] == ["slower", "traces"]
    assert len(link.sent) == 1


async def test_each_run_gets_the_setup_the_file_and_a_number_of_its_own() -> None:
    link = Pretended(quiet)
    assert [f.ok async for f in verify(course(EXERCISE), link)] == [True] * 4
    assert [request.run for request in link.sent] == [1, 2, 3]
    assert {(request.setup, request.file) for request in link.sent} == {("start = 1\n", "lessons/one.py")}
    assert all(request.seconds for request in link.sent)


async def test_a_lesson_that_cannot_be_read_is_a_finding_with_its_place() -> None:
    broken = Broken("bad", "lessons/bad.py:7: not valid Python")
    one = course(HEAD + "# %% A\nx = 1\n")
    both = Course("C", one.chapters, (broken, *one.entries))
    found = [finding async for finding in verify(both, Pretended(quiet))]
    assert [(f.lesson, f.ok, f.file, f.line, f.actual) for f in found] == [
        ("bad", False, "lessons/bad.py", 7, "not valid Python"),
        ("one", True, "lessons/one.py", 9, "ok"),
    ]


async def test_only_the_named_lessons_are_held(tmp_path: Path) -> None:
    text = HEAD + "# %% A\nx = 1\n"
    file = tmp_path / "mine.py"
    file.write_text(text, encoding="utf-8")
    assert [f.lesson for f in await report(text, quiet, ("one",))] == ["one"]
    assert [f.lesson for f in await report(text, quiet, ("1", str(file)))] == ["one", "mine"]
    (found,) = await report(text, quiet, ("onne",))
    assert (found.ok, found.actual) == (False, "there is no such lesson; did you mean one?")
    (found,) = await report(text, quiet, (str(tmp_path / "nosuch.py"),))
    assert (found.ok, found.line) == (False, 1)
    assert "cannot be read" in found.actual
