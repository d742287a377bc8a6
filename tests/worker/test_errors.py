"""What is told of an error: the learner's line, what was traced, why, what helps."""

from pathlib import Path

import pytest

from jittutor.advice import advise
from tests.worker.tools import HEAD, Tutor, fails, run, tutored


def of_script(folder: Path, name: str = "script.py") -> dict[str, object]:
    """The error that `jittutor run --json` tells of a script."""
    error: dict[str, object] = run(tutored("--json", name), folder).record["error"]
    return error


def test_an_error_that_is_unknown_is_told_without_advice(tutor: Tutor) -> None:
    error = fails(tutor, "def f(d):\n    return d['weights']\nf({})")
    assert (error.type, error.message, error.line, error.function) == ("KeyError", "'weights'", 2, "f")
    assert (error.traced, advise(error)) == (None, None)


def test_an_error_in_the_setup_is_told_at_the_learners_line_and_its_own_place(tutor: Tutor) -> None:
    error = fails(tutor, "check(1.0)", HEAD + "@jax.jit\ndef check(x):\n    return x if x > 0 else -x\n")
    assert (error.line, error.place) == (1, "the setup, line 5, in check")
    assert error.traced == "x: float32[], argument of check"


def test_a_decorator_that_hides_the_function_makes_no_leak_of_it(tutor: Tutor) -> None:
    error = fails(
        tutor,
        """
import functools
def logged(f):
    @functools.wraps(f)
    def wrapper(*args):
        if args[0] > 0:
            return f(*args)
    return wrapper
@jax.jit
@logged
def g(x):
    return x
g(1.0)
""",
    )
    assert error.line == 5
    assert error.traced is not None
    assert "kept" not in error.traced


def test_looking_for_traced_values_runs_nothing_of_the_learners(tutor: Tutor) -> None:
    record = tutor.run(
        """
class Secret:
    __class__ = property(lambda self: 1 / 0)
    def __getattr__(self, name):
        print("looked at", name)
        return 1.0
class Table(dict):
    def __getitem__(self, key):
        print("looked up", key)
        return 1.0
@jax.jit
def f(x):
    secret, table = Secret(), Table()
    return float((x, lambda: secret.a.b, secret.c if x is None else 1, table["b"] if x is None else 2)[0])
f(1.0)
""".strip(),
        HEAD,
    )
    assert record.error is not None
    assert record.error.traced == "x: float32[], argument of f"
    assert record.output == ()


def test_an_error_in_a_helper_module_is_told_at_the_scripts_line_and_its_own_place(tmp_path: Path) -> None:
    (tmp_path / "layers").mkdir()
    (tmp_path / "layers" / "dense.py").write_text("def dense(w, x):\n    y = w @ x\n    return y\n")
    (tmp_path / "script.py").write_text(
        "import jax, jax.numpy as jnp\nfrom layers.dense import dense\n\n"
        "jax.jit(dense)(jnp.ones((2, 3)), jnp.ones(2))\n"
    )
    error = of_script(tmp_path)
    assert (error["line"], error["place"]) == (4, "layers/dense.py, line 2, in dense")
    assert error["code"] == "y = w @ x"
    assert error["traced"] == "w: float32[2,3] and x: float32[2], arguments of dense"


def test_a_syntax_error_in_a_helper_module_names_the_module(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("x = = 1\n")
    (tmp_path / "script.py").write_text("import jax\nimport helper\n")
    error = of_script(tmp_path)
    assert (error["type"], error["line"], error["place"]) == ("SyntaxError", 2, "helper.py, line 1")
    assert error["code"] == "x = = 1"


def test_a_syntax_error_in_a_step_has_its_line(tutor: Tutor) -> None:
    error = fails(tutor, "x = 1\ny = = 2\n")
    assert (error.type, error.line, error.code) == ("SyntaxError", 2, "y = = 2")


def test_an_error_in_a_thread_that_the_script_waits_for_is_told(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        "import jax\nfrom concurrent.futures import ThreadPoolExecutor\n\n"
        "@jax.jit\ndef work(x):\n    return x if x > 0 else -x\n\n"
        "with ThreadPoolExecutor() as pool:\n    pool.submit(work, 1.0).result()\n"
    )
    error = of_script(tmp_path)
    assert (error["line"], error["function"]) == (6, "work")
    assert error["traced"] == "x: float32[], argument of work"


def test_an_error_in_a_thread_alone_does_not_end_the_script(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        "import threading\n\ndef work():\n    raise ValueError('in the thread')\n\n"
        "thread = threading.Thread(target=work)\nthread.start()\nthread.join()\nprint('goes on')\n"
    )
    ran = run(tutored("--json", "script.py"), tmp_path)
    assert (ran.record["outcome"], ran.record["error"], ran.code) == ("ok", None, 0)
    assert "in the thread" in ran.error


def test_a_group_tells_its_members(tutor: Tutor) -> None:
    error = fails(
        tutor,
        """
errors = []
for value in ("a", "b"):
    try:
        int(value)
    except ValueError as error:
        errors.append(error)
raise ExceptionGroup("two", errors)
""",
    )
    assert (error.type, error.line) == ("ExceptionGroup", 7)
    assert "1 of the group:\nline 4\n    int(value)\nValueError: invalid literal" in error.traceback
    assert "2 of the group:" in error.traceback


@pytest.mark.parametrize(
    "raising",
    [
        'raise RuntimeError("my training failed") from error',
        'raise RuntimeError("my training failed")',
        'raise ExceptionGroup("all", [KeyError("x"), ExceptionGroup("some", [error])])',
    ],
)
def test_an_error_of_jax_inside_the_one_that_was_raised_is_explained(tutor: Tutor, raising: str) -> None:
    error = fails(
        tutor,
        f"""
@jax.jit
def f(x):
    if x > 0:
        return x
    return -x
try:
    f(1.0)
except Exception as error:
    {raising}
""",
    )
    assert error.line == 9
    advice = advise(error)
    assert advice is not None
    assert advice.say.startswith("TracerBoolConversionError at line 3: Python's `if` needs True or False")
    assert 'static_argnames="x"' in advice.fix
    assert advice.lesson == "branches"


def test_the_causes_of_an_error_are_told_and_those_inside_jax_are_not(tutor: Tutor) -> None:
    chained = fails(
        tutor,
        """
def start():
    try:
        {}["weights"]
    except KeyError as error:
        raise RuntimeError("cannot start") from error
try:
    start()
except RuntimeError:
    1 / 0
""",
    )
    assert (chained.type, chained.line) == ("ZeroDivisionError", 9)
    assert "raised while this was handled:\nline 7\n    start()" in chained.traceback
    assert "caused by:\nline 3, in start" in chained.traceback
    of_jax = fails(tutor, "@jax.jit\ndef f(x):\n    return float(x)\nf(1.0)")
    assert "caused by" not in of_jax.traceback
    assert "handled" not in of_jax.traceback


def test_an_error_whose_text_cannot_be_made_is_told_without_it(tutor: Tutor) -> None:
    error = fails(tutor, "class E(Exception):\n    def __str__(self):\n        raise RuntimeError\nraise E")
    assert (error.type, error.line) == ("E", 4)
    assert error.message == "(its message cannot be shown: RuntimeError)"


def test_a_very_long_message_keeps_its_beginning_and_its_end(tutor: Tutor) -> None:
    error = fails(
        tutor,
        """
np.set_printoptions(threshold=10**7)
@partial(jax.jit, static_argnames="table")
def f(table):
    return 1.0
f(table=np.arange(100_000))
""",
    )
    assert len(error.message) <= 4000
    assert error.message.startswith("Non-hashable static arguments")
    assert "unhashable type: 'numpy.ndarray'" in error.message
    advice = advise(error)
    assert advice is not None
    assert "an array has none" in advice.say


def test_a_deep_recursion_is_told_in_a_few_lines(tutor: Tutor) -> None:
    error = fails(tutor, "def f(n):\n    return f(n + 1)\nf(0)")
    assert (error.type, error.line) == ("RecursionError", 2)
    assert "more lines" in error.traceback
    assert len(error.traceback.splitlines()) < 50


def test_an_error_in_a_library_that_calls_back_is_told_at_the_learners_own_line(tutor: Tutor) -> None:
    error = fails(
        tutor,
        """
def host(x):
    return np.linalg.inv(np.zeros((2, 2), np.float32))
@jax.jit
def f(x):
    return jax.pure_callback(host, jax.ShapeDtypeStruct((2, 2), jnp.float32), x)
jax.block_until_ready(f(1.0))
""",
    )
    assert (error.line, error.place) == (6, "line 2, in host")
    advice = advise(error)
    assert advice is not None
    assert "LinAlgError: Singular matrix" in advice.say


def test_the_report_shows_where_what_was_traced_why_what_helps_and_the_lesson(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        "import jax\n\n@jax.jit\ndef power(x, n):\n    for _ in range(n):\n        x = x * x\n"
        "    return x\n\npower(2.0, 3)\n"
    )
    ran = run(tutored("script.py"), tmp_path)
    end = ran.stdout.decode().partition("ended by ")[2].splitlines()
    assert end[0] == "TracerIntegerConversionError at script.py:5"
    assert [line.strip().partition(":")[0] for line in end[1:]] == [
        "for _ in range(n)", "traced", "why", "fix", "lesson",
    ]  # fmt: skip
    assert "    traced: n: int32[], argument of power" in end
    assert any('static_argnames="n"' in line for line in end)
