"""Borders: the contracts of pyproject.toml hold, and a fresh interpreter proves the two that matter most."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

LOADED = "import json, sys; print(json.dumps(sorted(sys.modules)))"


def loaded_by(program: str) -> set[str]:
    """The modules in a fresh interpreter after the program ran."""
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\n{LOADED}"],
        capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return set(json.loads(done.stdout.splitlines()[-1]))


def command(*arguments: str) -> str:
    return f"from jittutor.cli.main import start\nassert start({list(arguments)}) == 0"


def test_every_contract_is_kept(root: Path) -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        capture_output=True, text=True, check=False, cwd=root,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_the_screen_loads_neither_jax_nor_numpy_and_stays_small() -> None:
    loaded = loaded_by("import jittutor.tui.app")
    assert "textual.app" in loaded
    assert not {"jax", "jaxlib", "numpy"} & loaded
    assert len([name for name in loaded if not name.startswith("jittutor")]) < 450


def test_the_worker_loads_no_textual() -> None:
    loaded = loaded_by("import jittutor.worker.loop, jittutor.worker.nursery")
    assert "jax" in loaded
    assert not {"textual", "rich", "click"} & loaded


@pytest.mark.parametrize(
    "arguments", [("--version",), ("--help",), ("list",), ("progress", "--json"), ("verify", "--help")]
)
def test_quick_commands_load_neither_textual_nor_jax(arguments: tuple[str, ...]) -> None:
    assert not {"textual", "rich", "pygments", "jax", "numpy"} & loaded_by(command(*arguments))


def test_the_version_needs_little_more_than_click() -> None:
    assert not {"msgspec", "asyncio", "platformdirs"} & loaded_by(command("--version"))


def test_the_doctor_does_not_load_jax_or_textual_here() -> None:
    loaded = loaded_by("from jittutor.cli.main import start\nstart(['doctor', '--json'])")
    assert not {"textual", "rich", "jax", "jaxlib", "numpy"} & loaded
