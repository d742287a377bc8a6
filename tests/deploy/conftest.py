"""What several tests of the scripts need."""

import os
from pathlib import Path

import pytest

from tests.deploy.tools import program


@pytest.fixture
def path_with_kubectl(tmp_path: Path) -> str:
    folder = tmp_path / "tools"
    folder.mkdir()
    (folder / "kubectl").symlink_to(program("kubectl"))
    return f"{folder}:{os.environ['PATH']}"
