"""Every line is told with what was going on when it was printed: tracing, and of what, or running."""

from textwrap import dedent

import pytest

from jittutor.event import Printed
from tests.worker.tools import Tutor

HEAD = "import jax, jax.numpy as jnp, sys, os\n"
type Line = tuple[str, str, str | None]


def told(tutor: Tutor, source: str, stream: str = "stdout") -> list[Line]:
    """What was printed: text, phase, function traced."""
    record = tutor.run(dedent(source).strip() + "\n", HEAD)
    assert record.done, record.lost
    assert record.error is None, record.error
    return [(p.text, p.during, p.function) for p in record.output if p.stream == stream]


def test_nested_jits_are_told_by_the_innermost(tutor: Tutor) -> None:
    assert told(
        tutor,
        """
        @jax.jit
        def inner(x):
            print("in")
            return x * 2

        @jax.jit
        def outer(x):
            print("before")
            y = inner(x)
            print("after")
            return y

        print("start")
        outer(1.0)
        outer(2.0)
        inner(3.0)
        """,
    ) == [
        ("start\n", "run", None),
        ("before\n", "trace", "outer"),
        ("in\n", "trace", "inner"),
        ("after\n", "trace", "outer"),
    ]


def test_a_debug_print_is_printed_while_running(tutor: Tutor) -> None:
    assert told(
        tutor,
        """
        @jax.jit
        def f(x):
            print("tracing")
            jax.debug.print("x is {}", x)
            return x

        f(1.0)
        f(2.0)
        """,
    ) == [("tracing\n", "trace", "f"), ("x is 1.0\n", "run", None), ("x is 2.0\n", "run", None)]


def test_transformations_of_a_jitted_function_trace_it(tutor: Tutor) -> None:
    assert told(
        tutor,
        """
        @jax.jit
        def f(x):
            print("f")
            return x * x

        @jax.jit
        def g(x):
            print("g")
            return x + 1

        jax.grad(f)(jnp.float32(1))
        jax.vmap(g)(jnp.ones(3))
        jax.jit(jax.vmap(jax.grad(f)))(jnp.full(3, 1.0))
        """,
    ) == [("f\n", "trace", "f"), ("g\n", "trace", "g"), ("f\n", "trace", "f")]


def test_grad_without_jit_runs_python(tutor: Tutor) -> None:
    source = """
        def f(x):
            print("body")
            return x * x

        jax.grad(f)(1.0)
        jax.vmap(f)(jnp.ones(2))
        """
    assert told(tutor, source) == [("body\n", "run", None)] * 2


def test_the_body_of_a_loop_is_traced(tutor: Tutor) -> None:
    source = """
        def body(carry, x):
            print("body")
            return carry, x

        jax.lax.scan(body, 0.0, jnp.ones(3))

        @jax.jit
        def f(x):
            return jax.lax.fori_loop(0, 3, lambda i, v: (print("loop"), v)[1], x)

        f(1.0)
        """
    lines = told(tutor, source)
    assert {(text, during) for text, during, _ in lines} == {("body\n", "trace"), ("loop\n", "trace")}


def test_a_callback_runs_and_is_no_trace(tutor: Tutor) -> None:
    source = """
        def host(x):
            print("host", float(x))
            return x

        @jax.jit
        def f(x):
            print("tracing")
            return jax.pure_callback(host, x, x)

        float(f(1.0)), float(f(2.0))
        """
    assert told(tutor, source) == [
        ("tracing\n", "trace", "f"),
        ("host 1.0\n", "run", None),
        ("host 2.0\n", "run", None),
    ]


def test_each_thread_has_its_own_phase(tutor: Tutor) -> None:
    lines = told(
        tutor,
        """
        import threading
        traced, printed = threading.Event(), threading.Event()

        @jax.jit
        def f(x):
            traced.set()
            printed.wait(20)
            print("tracing")
            return x

        def beside():
            traced.wait(20)
            print("beside")
            printed.set()

        thread = threading.Thread(target=beside)
        thread.start()
        f(1.0)
        thread.join()
        """,
    )
    assert lines == [("beside\n", "run", None), ("tracing\n", "trace", "f")]


def test_looking_at_a_jaxpr_traces_too(tutor: Tutor) -> None:
    source = """
        def f(x):
            print("f")
            return x

        jax.make_jaxpr(f)(1.0)
        jax.eval_shape(f, 1)
        """
    assert [line[:2] for line in told(tutor, source)] == [("f\n", "trace")] * 2


def test_without_jit_the_body_runs(tutor: Tutor) -> None:
    source = """
        @jax.jit
        def f(x):
            print("f")
            return x

        with jax.disable_jit():
            f(1.0)
        f(1.0)
        """
    assert told(tutor, source) == [("f\n", "run", None), ("f\n", "trace", "f")]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('print("a", end=""); print("b")', "ab\n"),
        ('sys.stdout.write("plain\\n")', "plain\n"),
        ('print("no newline", end="")', "no newline"),
        ('print("1%\\r2%\\r3%")', "1%\r2%\r3%\n"),
        ('print("é 値 🎈")', "é 値 🎈\n"),
        ('print("x" * 100_000)', "x" * 100_000 + "\n"),
        ('sys.stdout.buffer.write(b"bytes \\xff\\n"); None', "bytes \ufffd\n"),
        ('print("a\\nb\\n\\nc")', "a\nb\n\nc\n"),
        ('print("flushed", end="", flush=True); print("!")', "flushed!\n"),
        ('sys.stdout.writelines(["1\\n", "2\\n"])', "1\n2\n"),
        ('sys.__stdout__.write("old\\n"); sys.__stdout__.flush()', "old\n"),
        ('_ = os.system("echo from a shell")', "from a shell\n"),
        ('_ = os.write(1, b"raw\\n")', "raw\n"),
        ('import subprocess; _ = subprocess.run(["echo", "child"])', "child\n"),
        ('print("\\u2028 is no line end")', "\u2028 is no line end\n"),
    ],
)
def test_every_way_to_print_is_told(tutor: Tutor, source: str, expected: str) -> None:
    assert "".join(text for text, *_ in told(tutor, source)) == expected


def test_a_line_printed_in_pieces_is_one_line(tutor: Tutor) -> None:
    assert told(tutor, 'print("a", end=" "); print("b", end=" "); print("c")') == [("a b c\n", "run", None)]


def test_a_piece_printed_while_tracing_is_told_as_such(tutor: Tutor) -> None:
    source = """
        @jax.jit
        def f(x):
            print("inside")
            return x

        print("outside", end=": ")
        f(1.0)
        """
    assert told(tutor, source) == [("outside: ", "run", None), ("inside\n", "trace", "f")]


def test_stderr_and_warnings_are_told_apart(tutor: Tutor) -> None:
    record = tutor.run('import warnings\nprint("e", file=sys.stderr)\nprint("o")\nwarnings.warn("w")\n', HEAD)
    streams = [(p.stream, p.text) for p in record.output]
    assert ("stderr", "e\n") in streams
    assert ("stdout", "o\n") in streams
    assert any("UserWarning: w" in text for stream, text in streams if stream == "stderr")


def test_each_line_knows_where_it_was_printed(tutor: Tutor) -> None:
    source = "def say():\n    print('inner')\n\n\nsay()\nprint('outer')\n"
    record = tutor.run(source, HEAD)
    assert [(p.text, p.line) for p in record.output] == [("inner\n", 2), ("outer\n", 6)]


def test_a_debug_print_at_the_very_end_is_waited_for(tutor: Tutor) -> None:
    source = 'jax.jit(lambda x: jax.debug.print("last {}", x))(1.0)\n'
    events = tutor.events(source, HEAD)
    prints = [event.text for event in events if isinstance(event, Printed) and event.stream == "stdout"]
    assert prints == ["last 1.0\n"]


def test_the_value_of_a_last_expression_is_shown(tutor: Tutor) -> None:
    record = tutor.run("1\nx = [2]\nx\n", HEAD)
    assert [(p.stream, p.text, p.line) for p in record.output] == [("value", "[2]\n", 3)]
    assert tutor.run("x = 1\nNone\n").output == ()


def test_a_flood_is_cut_and_its_end_is_kept(tutor: Tutor) -> None:
    record = tutor.run("for i in range(60_000):\n    print(i)\n")
    assert record.done
    assert record.done.dropped_output == 60_000 - len(record.output) > 0
    assert [p.text for p in record.output[-2:]] == ["59998\n", "59999\n"]
    assert record.output[0].text == "0\n"


def test_what_a_child_wrote_is_told_within_its_own_run(tutor: Tutor) -> None:
    for number in range(3):
        assert told(tutor, f'_ = os.system("echo {number}")') == [(f"{number}\n", "run", None)]
