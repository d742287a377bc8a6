"""A fault of the watch, or a tool in its way, never reaches the watched program; it is said."""

import sys
from collections.abc import Iterator

import pytest

from jittutor.event import Called, Event, Unwatched
from jittutor.worker.watch import TOOLS, Watch

SOURCE = """
import jax
f = jax.jit(lambda x: x + 1)
results = [float(f(x)) for x in (1.0, 2.0, 3.0)]
"""


@pytest.fixture
def heard() -> list[Event]:
    return []


@pytest.fixture
def watch(heard: list[Event]) -> Iterator[Watch]:
    watch = Watch(heard.append, 1, live=False)
    watch.file = "watched.py"
    yield watch
    watch.stop()


def run(watch: Watch) -> list[float]:
    code = compile(SOURCE, "watched.py", "exec")
    watch.add(code)
    watch.start()
    namespace: dict[str, list[float]] = {}
    exec(code, namespace)  # noqa: S102 - the watched program
    return namespace["results"]


def said(heard: list[Event]) -> list[str]:
    return [event.message for event in heard if isinstance(event, Unwatched)]


def test_a_watched_program_is_told_of_without_complaint(watch: Watch, heard: list[Event]) -> None:
    assert run(watch) == [2.0, 3.0, 4.0]
    assert [event.hit for event in heard if isinstance(event, Called)] == [False, True, True]
    assert said(heard) == []


def test_a_fault_in_the_watch_ends_the_watch_and_not_the_program(
    watch: Watch, heard: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_frame: object) -> None:
        raise KeyError("moved")

    monkeypatch.setattr(watch.phases, "begin_call", broken)
    assert run(watch) == [2.0, 3.0, 4.0]
    (message,) = said(heard)
    assert "KeyError" in message
    assert "nothing is watched" in message


def test_taken_tool_numbers_are_said_and_the_program_runs(watch: Watch, heard: list[Event]) -> None:
    mine = [tool for tool in TOOLS if sys.monitoring.get_tool(tool) is None]
    for tool in mine:
        sys.monitoring.use_tool_id(tool, "somebody else")
    try:
        assert run(watch) == [2.0, 3.0, 4.0]
    finally:
        for tool in mine:
            sys.monitoring.free_tool_id(tool)
    (message,) = said(heard)
    assert "other tools" in message
