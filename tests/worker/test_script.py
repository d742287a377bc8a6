"""Under `jittutor run` a script is what it is under python: output, errors, exit code, surroundings."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from tests.worker.behaviour import SCRIPTS
from tests.worker.tools import PATIENCE, Ran, bare, run, surroundings, tutored

BESIDE = "value = 42\n\ndef fail():\n    raise ValueError('from beside')\n"
REPORT = b"\n\xe2\x94\x80\xe2\x94\x80 jittutor"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "beside.py").write_text(BESIDE)
    return tmp_path


def written(folder: Path, name: str, source: str) -> str:
    (folder / f"{name}.py").write_bytes(source.encode("latin-1" if "latin-1" in source else "utf-8"))
    return f"{name}.py"


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_does_what_it_does_under_python(folder: Path, name: str) -> None:
    file = written(folder, name, SCRIPTS[name])
    typed = b"Ada\nmore\n"
    expected = run(bare(file, "a", "-b"), folder, typed=typed)
    found = run(tutored(file, "--", "a", "-b"), folder, typed=typed)
    output, _, report = found.stdout.partition(REPORT)
    assert (output, found.stderr) == (expected.stdout, expected.stderr)
    assert found.code == (expected.code if expected.code >= 0 else 128 - expected.code)
    assert file in report.decode().splitlines()[0]


@pytest.mark.parametrize("name", ["order", "error", "stdin", "exit_words", "fork", "bytes", "thread_error"])
def test_the_record_holds_the_output_and_stdout_is_the_record_alone(folder: Path, name: str) -> None:
    file = written(folder, name, SCRIPTS[name])
    expected = run(bare(file), folder, typed=b"Ada\n")
    found = run(tutored("--json", file), folder, typed=b"Ada\n")
    assert found.stderr == expected.stderr
    assert found.code == expected.code == found.record["exit_code"]
    for stream, data in (("stdout", expected.stdout), ("stderr", expected.stderr)):
        lines = data.decode("utf-8", "replace").removesuffix("\n").split("\n") if data else []
        assert [line["text"] for line in found.record["output"] if line["stream"] == stream] == lines


def test_an_exception_with_whole_tracebacks_of_jax_in_it_shows_the_script_only(folder: Path) -> None:
    file = written(
        folder,
        "keys",
        "import jax\n"
        "jax.config.update('jax_debug_key_reuse', True)\n"
        "key = jax.random.key(0)\n"
        "jax.random.normal(key)\n"
        "jax.random.normal(key)\n",
    )
    expected, found = run(bare(file), folder), run(tutored(file), folder)
    assert found.stderr == expected.stderr
    assert b"KeyReuseError" in found.stderr


def test_a_writer_that_was_kept_goes_on_when_no_more_is_told(folder: Path) -> None:
    source = "import sys\nwrite = sys.stdout.write\nfor n in range(12_000):\n    write(f'{n}\\n')\n"
    found = run(tutored("--json", written(folder, "kept", source)), folder)
    assert (found.code, found.stderr) == (0, b"")
    assert found.record["output"][-1]["text"] == "11999"
    assert len(found.record["output"]) + found.record["output_dropped"] == 12_000


def test_a_script_without_jax_never_imports_it(folder: Path) -> None:
    file = written(
        folder,
        "plain",
        "import sys\nprint([m for m in sys.modules if m.split('.')[0] in ('jax', 'numpy')])\n",
    )
    found = run(tutored("--json", file), folder)
    assert found.record["output"][0]["text"] == "[]"
    assert (found.record["device"], found.record["calls"], found.record["compiles"]) == (None, [], 0)


def test_the_environment_that_a_script_sets_before_jax_counts(folder: Path) -> None:
    source = (
        "import os\nos.environ['XLA_FLAGS'] = '--xla_force_host_platform_device_count=3'\n"
        "os.environ['JAX_ENABLE_X64'] = '1'\n"
        "import jax\nprint(jax.device_count(), jax.numpy.arange(2.0).dtype)\n"
    )
    found = run(tutored("--json", written(folder, "early", source)), folder)
    assert found.record["output"][0]["text"] == "3 float64"
    assert found.record["device"]["count"] == 3


WAITS = """
import signal, sys, time
if sys.argv[1:]:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(4))
print("ready", file=sys.stderr, flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize(
    ("number", "arguments", "code", "outcome"),
    [
        (signal.SIGINT, (), 130, "interrupted"),
        (signal.SIGTERM, (), 143, "crashed"),
        (signal.SIGTERM, ("handled",), 4, "exit"),
        (signal.SIGUSR1, (), 138, "crashed"),
    ],
)
def test_a_signal_sent_to_us_reaches_the_script(
    folder: Path, number: signal.Signals, arguments: tuple[str, ...], code: int, outcome: str
) -> None:
    command = tutored("--json", written(folder, "waits", WAITS), "--", *arguments)
    program = subprocess.Popen(
        command, cwd=folder, env=surroundings(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert program.stderr
    assert program.stderr.readline() == b"ready\n"
    program.send_signal(number)
    stdout, _ = program.communicate(timeout=PATIENCE)
    record = json.loads(stdout)
    assert (program.returncode, record["outcome"]) == (code, outcome)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("missing.py", None, "there is no file missing.py"),
        ("folder", "folder", "is a folder"),
        ("syntax.py", b"x = 1\nif x\n", "syntax.py:2"),
        ("bytes.py", b"x = '\xff\xfe'\n", "bytes.py"),
        ("binary.py", bytes(range(256)), "binary.py"),
        ("null.py", b"x = 1\0\n", "null.py"),
    ],
)
def test_what_cannot_be_run_is_one_sentence(
    folder: Path, name: str, content: bytes | str | None, words: str
) -> None:
    if content == "folder":
        (folder / name).mkdir()
    elif isinstance(content, bytes):
        (folder / name).write_bytes(content)
    for options in ((), ("--json",)):
        found = run(tutored(*options, name), folder)
        assert (found.code, found.stdout) == (2, b"")
        assert words in found.error
        assert "Traceback" not in found.error
        assert len(found.error.strip().splitlines()) <= 2


def test_the_exit_status_of_a_signal_is_that_of_a_shell(folder: Path) -> None:
    file = written(
        folder, "dies", "import os, signal\nprint('out', flush=True)\nos.kill(os.getpid(), signal.SIGSEGV)\n"
    )
    found = run(tutored("--json", file), folder)
    assert (found.code, found.record["outcome"], found.record["exit_code"]) == (139, "crashed", -11)
    assert found.record["output"][0]["text"] == "out"


def test_a_reader_that_goes_away_ends_the_script_as_under_python(folder: Path) -> None:
    file = written(folder, "flood", "while True:\n    print('y' * 1000)\n")

    def head(command: list[str]) -> Ran:
        program = subprocess.Popen(
            command, cwd=folder, env=surroundings(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert program.stdout
        assert program.stderr
        first = program.stdout.read(10)
        program.stdout.close()
        error = program.stderr.read()
        program.stderr.close()
        return Ran(program.wait(PATIENCE), first, error)

    expected, found = head(bare(file)), head(tutored(file))
    assert (found.code, found.stdout) == (expected.code, expected.stdout)
    assert b"BrokenPipeError" in found.stderr


def test_a_module_beside_the_script_is_watched_too(folder: Path) -> None:
    (folder / "model.py").write_text(
        "import jax\n@jax.jit\ndef step(x):\n    return x * 2\n\ndef go():\n    return step(1.0)\n"
    )
    file = written(folder, "uses", "import model\nmodel.go()\nmodel.go()\nmodel.step(2)\n")
    record = run(tutored("--json", file), folder).record
    assert [(call["function"], call["cache"], call["line"]) for call in record["calls"]] == [
        ("step", "miss", 2),
        ("step", "hit", 3),
        ("step", "miss", 4),
    ]


def test_coverage_like_tools_of_the_script_keep_working(folder: Path) -> None:
    source = (
        "import sys, jax\nm = sys.monitoring\nfor tool in range(6):\n"
        "    if m.get_tool(tool) is None:\n        m.use_tool_id(tool, 'mine')\n"
        "f = jax.jit(lambda x: x + 1)\nprint(f(1.0), f(2.0))\n"
    )
    found = run(tutored("--json", written(folder, "tools", source)), folder)
    assert (found.code, found.record["output"][0]["text"]) == (0, "2.0 3.0")
    assert found.record["functions"]["<lambda>"]["traces"] == 1


def test_a_fork_after_jax_is_not_told_twice(folder: Path) -> None:
    source = (
        "import os, warnings\nwarnings.simplefilter('ignore')\nimport jax\n"
        "f = jax.jit(lambda x: x + 1)\nf(1.0)\npid = os.fork()\n"
        "if pid == 0:\n    print('child', flush=True)\n    os._exit(0)\n"
        "os.waitpid(pid, 0)\nf(2.0)\n"
    )
    record = run(tutored("--json", written(folder, "forks", source)), folder).record
    assert [call["cache"] for call in record["calls"]] == ["miss", "hit"]
    assert [line["text"] for line in record["output"]] == ["child"]


def test_explanations_that_the_script_asks_for_stay_in_its_own_log(folder: Path) -> None:
    file = written(
        folder,
        "asking",
        "import jax\n"
        "jax.config.update('jax_explain_cache_misses', True)\n"
        "f = jax.jit(lambda x: x)\n"
        "f(1.0), f(2)\n",
    )
    expected, found = run(bare(file), folder), run(tutored(file), folder)
    told = [re.sub(rb"id=\d+", b"", ran.stderr) for ran in (expected, found)]
    assert told[0].count(b"TRACING CACHE MISS") == 2
    assert told[1] == told[0]


def test_a_sitecustomize_of_the_caller_is_run_as_ever(folder: Path) -> None:
    place = folder / "place"
    place.mkdir()
    (place / "sitecustomize.py").write_text("import builtins\nbuiltins.greeting = 'hello'\n")
    file = written(folder, "greets", "import sitecustomize\nprint(greeting, sitecustomize.__file__)\n")
    path = {"PYTHONPATH": os.pathsep.join([str(place), surroundings()["PYTHONPATH"]])}
    expected, found = run(bare(file), folder, path), run(tutored(file), folder, path)
    assert found.stdout.startswith(expected.stdout)
    assert (found.code, found.stderr) == (expected.code, expected.stderr) == (0, b"")


def test_surroundings_are_those_of_the_caller(folder: Path) -> None:
    file = written(
        folder,
        "environment",
        "import os, sys\nprint(os.environ.get('OWN'), sorted(set(os.environ)), sys.flags)\n",
    )
    own = {"OWN": "here"}
    assert run(tutored("--json", file), folder, own).record["output"][0]["text"].encode() == run(
        bare(file), folder, own
    ).stdout.rstrip(b"\n")
    assert os.environ.get("OWN") is None
