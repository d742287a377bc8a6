"""The worker is lost at any moment, or says nothing: it is told, and the next run works."""

import os
import signal
from collections.abc import Iterator

import pytest

from jittutor import link as link_module
from jittutor.event import Ask, Ended, Event, Ready
from tests.faults.rig import GOING, Rig, marked, soon

pytestmark = [pytest.mark.worker, pytest.mark.faults]

STEP = """
import jax, jax.numpy as jnp
@jax.jit
def f(x):
    print("tracing")
    return x + 1
print(f(jnp.ones(2)))
f(jnp.ones(3)).block_until_ready()
f(jnp.ones(3))
"""


@pytest.fixture(scope="module")
def rig() -> Iterator[Rig]:
    one = Rig()
    yield one
    one.close()
    assert soon(lambda: not list(marked(one.mark))), "processes are left after the end"


def test_the_worker_may_be_killed_after_each_of_its_messages(rig: Rig) -> None:
    asks = (Ask("a", "1 + 1"),)
    whole = [e for e in rig.run(STEP, asks=asks, seconds=60).events if not isinstance(e, Ready)]
    assert len(whole) > 12
    for number in range(1, len(whole)):
        heard: list[Event] = []

        def kill(event: Event, heard: list[Event] = heard, number: int = number) -> None:
            heard.append(event)
            if len([e for e in heard if not isinstance(e, Ready)]) == number:
                rig.link.cut("cut by the test")

        told = rig.run(STEP, then=kill, asks=asks, seconds=60)
        last = told.events[-1]
        assert isinstance(last, Ended) or told.outcome == "ok", (number, told.events)
    # The last one may have been done before it was dead: then its end is heard by the next run.
    assert any("well" in rig.run("print('well')").output for _ in range(2))


def test_stop_interrupts_python_within_a_fifth_of_a_second_and_keeps_the_worker(rig: Rig) -> None:
    rig.warm()
    before = rig.link.pid
    stopped = [rig.run(f"print({GOING!r})\nwhile True: pass", stop=True).stopped for _ in range(3)]
    assert min(stopped) < 0.2, stopped
    assert rig.link.pid == before


def test_what_was_printed_before_the_worker_was_lost_has_been_told(rig: Rig) -> None:
    told = rig.run("for i in range(1000): print('line', i)\nimport os; os._exit(1)")
    assert "line 999\n" in told.output


def test_a_worker_that_stands_still_is_ended_when_its_time_is_long_over(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_module, "GRACE", 0.5)
    rig.warm()
    told = rig.run("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)", seconds=1.0)
    assert told.words == "the run took longer than 1 s and could not be stopped otherwise"
    rig.warm()


def test_an_idle_worker_gives_the_device_back_and_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JITTUTOR_IDLE", "1")
    one = Rig()
    try:
        one.warm()
        assert soon(lambda: one.link.pid is None)
        told = one.run("print('again')")
        assert any("it gave the device back" in e.message for e in told.events if isinstance(e, Ended))
        one.warm()
    finally:
        one.close()


def test_a_request_that_meets_a_leaving_worker_is_run_by_the_next(rig: Rig) -> None:
    rig.run("import threading, time\nthreading.Thread(target=time.sleep, args=(99,)).start()")
    assert rig.run("print('not lost')").output == "not lost\n"


def test_a_nursery_that_is_killed_is_started_again(rig: Rig) -> None:
    rig.warm()
    assert rig.link._nursery.pid is not None
    os.kill(rig.link._nursery.pid, signal.SIGKILL)
    assert soon(lambda: rig.link.pid is None)
    assert rig.run("1").outcome == "lost"  # the end of the old worker is heard first
    rig.warm()
