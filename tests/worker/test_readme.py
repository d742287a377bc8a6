"""The README's examples: what they show is what jittutor says, numbers and versions aside."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.worker.tools import PROJECT, surroundings

pytestmark = pytest.mark.worker


def _without_numbers(text: str) -> str:
    return re.sub(r"\d[\d.,]* m?s\b|jax [\d.]+", "#", text).strip()


def _section(title: str) -> str:
    return (PROJECT / "README.md").read_text(encoding="utf-8").split(f"## {title}")[1]


def _said(section: str, file: Path, *command: str) -> str:
    """What jittutor says of the Python code in this section of the README."""
    text = _section(section).split("```python\n")[1].split("```")[0]
    file.write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "jittutor", "--cpu", *command, file.name],
        cwd=file.parent, env=surroundings(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


def test_the_report_in_the_readme_is_what_its_script_gives(tmp_path: Path) -> None:
    report = _section("Your own script").split("```text\n")[1].split("```")[0]
    said = _said("Your own script", tmp_path / "train.py", "run")
    assert _without_numbers(said) == _without_numbers(report)


def test_the_lesson_in_the_readme_holds(tmp_path: Path) -> None:
    assert "traces, cache" in _said("Write a lesson", tmp_path / "readme.py", "verify")
