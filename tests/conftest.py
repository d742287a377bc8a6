"""Every test starts in the same surroundings: no colours, JAX flags or state of the person who runs it."""

import os
import signal
from pathlib import Path

import pytest

_FOREIGN = ("TEXTUAL", "JAX_", "XLA_", "TF_", "JITTUTOR_", "CUDA_VISIBLE")
_TERMINAL = (
    "COLORTERM", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "TERM_PROGRAM", "LC_TERMINAL", "TMUX", "STY",
    "PYTHONIOENCODING", "PYTHONUTF8", "PYTHONWARNINGS",
)  # fmt: skip

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Started in the background of a shell: the programs that are tested would inherit deafness to ctrl+c.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure() -> None:
    """Clear what the person's own shell sets, before any module of ours is imported."""
    for name in list(os.environ):
        if name.startswith(_FOREIGN) or name in _TERMINAL:
            del os.environ[name]
    os.environ["TERM"] = "xterm-256color"
    os.environ["JAX_PLATFORMS"] = "cpu"


@pytest.fixture(autouse=True)
def _own_state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JITTUTOR_STATE", str(tmp_path_factory.mktemp("state")))


@pytest.fixture
def root() -> Path:
    """The folder of the project."""
    return Path(__file__).parent.parent
