"""Start, run, interrupt, replace, ask, close: what the tutor may rely on; hostile code is in tests/faults."""

import os
import signal
from pathlib import Path

import pytest

from jittutor.event import Ask, Ended, Event, Printed, Run
from jittutor.record import Record
from tests.worker.tools import Tutor

CHANGES = """
import jax, os, sys, warnings
jax.config.update("jax_enable_x64", True)
os.environ["CHANGED"] = "yes"
os.chdir("/")
sys.path.insert(0, "/nowhere")
sys.setrecursionlimit(4321)
sys.excepthook = print
warnings.simplefilter("ignore")
left = 1
"""
SEES = """
import jax, os, sys
jax.numpy.ones(2).dtype, os.environ.get("CHANGED"), os.getcwd() == "/", "/nowhere" in sys.path, \
    sys.getrecursionlimit() == 4321, sys.excepthook is print, "left" in globals()
"""


def shown(record: Record) -> str:
    """The value of the last expression."""
    assert record.error is None, record.error
    return "".join(p.text for p in record.output if p.stream == "value").strip()


def answers(record: Record) -> dict[str, tuple[bool, str]]:
    return {name: (answer.ok, answer.text) for name, answer in record.answers.items()}


def test_a_run_changes_nothing_for_the_next(tutor: Tutor) -> None:
    assert tutor.run(CHANGES).error is None
    expected = "(dtype('float32'), None, False, False, False, False, False)"
    assert shown(tutor.run(SEES)) == expected


def test_the_same_text_gives_the_same_picture_each_time(tutor: Tutor) -> None:
    source = "import jax\nf = jax.jit(lambda x: x * 2)\nf(1.0), f(2.0), f(3)\n"
    first, second = tutor.run(source), tutor.run(source)
    assert first.cache() == second.cache() == ["miss", "hit", "miss"]
    assert [row.reason and row.reason.say for row in first.rows] == [
        row.reason and row.reason.say for row in second.rows
    ]


def test_setup_is_not_part_of_the_record(tutor: Tutor) -> None:
    setup = "import jax\n@jax.jit\ndef f(x):\n    return x + 1\nf(1.0)\n"
    record = tutor.run("f(1.0)\n", setup)
    assert record.cache() == ["miss"]
    assert record.rows[0].call.line == 1


def test_an_error_in_the_setup_is_told(tutor: Tutor) -> None:
    record = tutor.run("1\n", "nothing_like_this\n")
    assert record.error
    assert (record.error.type, record.error.line) == ("NameError", None)


def test_a_syntax_error_is_told_with_its_line(tutor: Tutor) -> None:
    record = tutor.run("x = 1\nif x\n    pass\n")
    assert record.error
    assert (record.error.type, record.error.line) == ("SyntaxError", 2)


def test_stop_keeps_what_was_said(tutor: Tutor) -> None:
    def stop(event: Event) -> None:
        if isinstance(event, Printed) and "looping" in event.text:
            tutor.link.interrupt()

    pid = tutor.link.pid
    events = tutor.events("print('before')\nprint('looping', flush=True)\nwhile True:\n    pass\n", then=stop)
    record = tutor.fold(events)
    assert record.done
    assert (record.done.outcome, record.lines()) == ("interrupted", ["before", "looping"])
    assert pid is None or tutor.link.pid == pid


def test_stop_that_comes_late_changes_nothing(tutor: Tutor) -> None:
    tutor.link.interrupt()
    assert shown(tutor.run("1 + 1")) == "2"


def test_a_run_may_have_a_time_limit(tutor: Tutor) -> None:
    record = tutor.run("try:\n    while True:\n        pass\nexcept Exception:\n    pass\n", seconds=0.2)
    assert record.done
    assert record.done.outcome == "timeout"


def test_exit_codes_are_told(tutor: Tutor) -> None:
    codes = []
    for source in ("raise SystemExit", "import sys\nsys.exit(3)", "import sys\nsys.exit('words')"):
        record = tutor.run(source)
        assert record.done
        codes.append((record.done.outcome, record.done.exit_code))
    assert codes == [("exit", 0), ("exit", 3), ("exit", 1)]
    assert record.lines(stream="stderr") == ["words"]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_worker_that_dies_is_told_and_replaced(tutor: Tutor, number: signal.Signals) -> None:
    source = f"import os\nprint('said', flush=True)\nos.kill(os.getpid(), {int(number)})\n"
    events = tutor.events(source)
    assert isinstance(events[-1], Ended)
    assert events[-1].exit_code == -number
    assert tutor.fold(events).lines() == ["said"]
    assert tutor.fold(events).lost
    assert shown(tutor.run("2 + 2")) == "4"


def test_an_endless_program_on_the_device_is_replaced(tutor: Tutor) -> None:
    source = (
        "import jax\nprint('going', flush=True)\n"
        "jax.jit(lambda x: jax.lax.while_loop(lambda v: v > 0, lambda v: v, x))(1.0).block_until_ready()\n"
    )

    async def play() -> list[Event]:
        found: list[Event] = []
        tutor.link.send(Run(10_000, source))
        async for event in tutor.link.events():
            found.append(event)
            if isinstance(event, Printed):
                await tutor.link.restart()
            if isinstance(event, Ended):
                return found
        return found

    old = tutor.link.pid
    events = tutor.wait(play())
    assert isinstance(events[-1], Ended)
    assert shown(tutor.run("3 + 3")) == "6"
    assert tutor.link.pid != old


def test_a_long_source_and_any_alphabet_run(tutor: Tutor) -> None:
    source = "".join(f"x{n} = {n}  # größer, 値, 🎈\n" for n in range(8_000)) + "größe = x7999\ngröße\n"
    assert len(source.encode()) > 256_000
    assert shown(tutor.run(source)) == "7999"


def test_questions_see_the_namespace_and_the_record(tutor: Tutor) -> None:
    asks = (
        Ask("value", "x * 2"),
        Ask("holds", "assert x == 3", "check"),
        Ask("told", "assert x == 4, f'x is {x}'", "check"),
        Ask("silent", "y = x\nassert y > 5", "check"),
        Ask("record", "assert run.traces('f') == 1 and run.cache('f') == ['miss', 'hit']", "check"),
        Ask("missing", "assert wanted == 1", "check"),
        Ask("broken", "1 / 0", "check"),
        Ask("no value", "1 / 0"),
    )
    found = answers(tutor.run("import jax\nf = jax.jit(lambda v: v)\nx = 3\n", asks=asks))
    assert found["value"] == (True, "6")
    assert found["holds"] == (True, "")
    assert found["told"] == (False, "x is 3")
    assert found["silent"] == (False, "the check does not hold: assert y > 5")
    assert not found["record"][0]
    assert found["missing"] == (False, "the code must define `wanted`")
    assert found["broken"] == (False, "ZeroDivisionError: division by zero")
    assert found["no value"] == (False, "ZeroDivisionError: division by zero")


def test_a_check_may_call_jitted_functions_and_the_record_stays(tutor: Tutor) -> None:
    source = "import jax\n@jax.jit\ndef f(v):\n    print('body')\n    return v\nf(1.0)\nf(2.0)\n"
    ask = Ask(
        "check",
        "f(jax.numpy.ones(3))\nassert run.traces('f') == 1 and run.cache('f') == ['miss', 'hit']",
        "check",
    )
    record = tutor.run(source, asks=(ask,))
    assert answers(record) == {"check": (True, "")}
    assert record.traces("f") == 1
    assert record.lines() == ["body"]


def test_a_check_of_code_that_failed_tells_the_failure(tutor: Tutor) -> None:
    found = answers(tutor.run("x = 1\n1 / 0\n", asks=(Ask("check", "assert y == 2", "check"),)))
    assert found["check"] == (False, "the code stopped with ZeroDivisionError: division by zero")


def test_stop_ends_a_question_and_the_next_is_still_answered(tutor: Tutor) -> None:
    asks = (
        Ask(
            "endless",
            "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nwhile True:\n    pass",
            "check",
        ),
        Ask("next", "x"),
    )
    found = answers(tutor.run("x = 5\n", asks=asks))
    assert found["endless"] == (False, "stopped before it could be answered")
    assert found["next"] == (True, "5")


def test_what_a_question_prints_is_no_part_of_the_record(tutor: Tutor) -> None:
    ask = Ask("prints", "import os\nprint('seen')\nos.system('echo seen')", "check")
    record = tutor.run("print('own')\n", asks=(ask,))
    assert [p.text for p in record.output] == ["own\n"]


def test_close_leaves_no_process() -> None:
    own = Tutor()
    assert shown(own.run("import os\nos.getpid()")).isdigit()
    pid = own.link.pid
    assert pid
    parent = int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    assert parent != os.getpid()
    own.close()
    assert not Path(f"/proc/{pid}").exists()
    assert not Path(f"/proc/{parent}").exists()
