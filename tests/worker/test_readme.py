"""The README's example: what it shows is what `jittutor run` says, numbers and versions aside."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.worker.tools import PROJECT, surroundings

pytestmark = pytest.mark.worker


def _without_numbers(text: str) -> str:
    return re.sub(r"\d[\d.,]* ms|jax [\d.]+", "#", text).strip()


def test_the_report_in_the_readme_is_what_its_script_gives(tmp_path: Path) -> None:
    section = (PROJECT / "README.md").read_text(encoding="utf-8").split("## Your own script")[1]
    (script, report) = (section.split(f"```{kind}\n")[1].split("```")[0] for kind in ("python", "text"))
    (tmp_path / "train.py").write_text(script)
    done = subprocess.run(
        [sys.executable, "-m", "jittutor", "--cpu", "run", "train.py"],
        cwd=tmp_path, env=surroundings(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert _without_numbers(done.stdout) == _without_numbers(report)
