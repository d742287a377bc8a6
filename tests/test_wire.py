"""Every message survives the wire, and nothing else is taken for one."""

from typing import get_args

import msgspec
import pytest

from jittutor import wire
from jittutor.event import (
    Answered,
    Ask,
    Began,
    Called,
    Compiled,
    Device,
    Done,
    Ended,
    Event,
    Hits,
    Printed,
    Program,
    Raised,
    Ready,
    Run,
    Unwatched,
    Versions,
    Waited,
)
from tests.facts import key, leaf, miss

EVENTS: list[Event] = [
    Ready(Versions("0.1", "1", "2", "3.13"), Device("gpu", "NVIDIA L4", 2), 7),
    Printed(1, "λ → \x1b[31m\n", "stderr", 3, "trace", "f"),
    Unwatched(1, "calls are not watched"),
    Began(1, "compile", "f"),
    *miss(1, key(leaf("x", 3, weak=True), static={"n": "2"}, jax_enable_x64="True")),
    Compiled(1, "f", 2.5, from_disk=True, line=4, program=1),
    Program(1, 1, "f", "x: f32[3]", 2, "{ lambda }", "module", "HloModule", (None, 3), 1, 2.0, 3.0),
    Hits(1, "f", 1_000_000),
    Waited(1, 1, 0.25),
    Raised(1, "ValueError", "no", 3, "f", "x: f32[3]", "line 3"),
    Answered(1, "a", ok=False, text="expected 2"),
    Done(1, "exit", 1.5, 3, 1, 2, 3),
    Ended("it was killed", -9),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_comes_out_as_it_went_in(event: Event) -> None:
    line = wire.encode(event)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert wire.decode_event(line) == event


def test_no_kind_of_event_is_forgotten_above() -> None:
    assert {type(event) for event in EVENTS} == set(get_args(Event.__value__))


def test_a_request_comes_out_as_it_went_in() -> None:
    request = Run(
        3, "print(1)\n", "import jax\n", "lesson.py", (Ask("a", "1 + 1"), Ask("c", "", "check")), 2.5
    )
    assert wire.decode_request(wire.encode(request)) == request


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b'{"word": "Nonsense"}', b'{"word": "Hits", "run": "x"}'])
def test_anything_else_is_refused(line: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        wire.decode_event(line)


def test_called_has_all_it_needs_by_name() -> None:
    assert wire.decode_event(b'{"word": "Called", "run": 1, "n": 1, "function": "f"}') == Called(1, 1, "f")
