"""Finds what these tests need, and skips with one clear line where it is missing."""

import functools
import importlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
DEPLOY, TERRAFORM = ROOT / "deploy", ROOT / "terraform"
DIGEST = "sha256:" + "0123456789abcdef" * 4
IMAGE = f"europe-docker.pkg.dev/my-project/jittutor/jittutor@{DIGEST}"
KUBERNETES = ("1.30", "1.34", "1.37")
"""Whose schemas the objects are held to."""
HOW = "`uv run --group deploy pytest tests/deploy` brings it"

type Thing = dict[str, Any]


def module(name: str) -> Any:
    """A library of the dependency group `deploy`."""
    try:
        return importlib.import_module(name)
    except ImportError:
        pytest.skip(f"{name} is not installed; {HOW}", allow_module_level=True)


def installed(name: str) -> None:
    """See that a library is there without importing it: some are large."""
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed; {HOW}")


def found(name: str, *elsewhere: str) -> str | None:
    """A program: beside this Python, in the folders given, or on PATH."""
    beside = str(Path(sys.executable).parent)
    return shutil.which(name, path=os.pathsep.join((beside, *elsewhere, os.environ.get("PATH", ""))))


def program(name: str, *elsewhere: str, how: str = HOW) -> str:
    """A program that must be there for the test to run."""
    path = found(name, *elsewhere)
    if path is None:
        pytest.skip(f"{name} is not installed; {how}")
    return path


def run(
    *command: str | Path,
    check: bool = True,
    env: dict[str, str] | None = None,
    cwd: Path = ROOT,
    timeout: float = 300,
) -> subprocess.CompletedProcess[str]:
    """Run a program; when it must work and does not, what it said is the message."""
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False,
        stdin=subprocess.DEVNULL, env=env, cwd=cwd, timeout=timeout,
    )  # fmt: skip
    assert not check or done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done


def documents(text: str) -> list[Thing]:
    """The objects of a YAML file; Lists are opened."""
    objects: list[Thing] = []
    yaml = module("yaml")
    # The loader in C, where PyYAML has it: a class of 300 is 15,000 lines.
    for document in yaml.load_all(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        objects += document["items"] if document.get("kind") == "List" else [document]
    return objects


@functools.cache
def render(overlay: str) -> str:
    """What `kubectl kustomize` makes of an overlay of deploy/."""
    return run(program("kubectl"), "kustomize", DEPLOY / "overlays" / overlay).stdout


@functools.cache
def committed(overlay: str) -> list[Thing]:
    """The objects of an overlay as it stands."""
    return documents(render(overlay))


def classroom(folder: Path, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Write the overlay of a class into `folder`, beside a copy of the committed ones."""
    copy_overlays(folder)
    script = DEPLOY / "classroom.py"
    return run(sys.executable, script, "--to", folder / "overlays" / "class", *arguments, check=check)


def copy_overlays(folder: Path) -> None:
    """Kustomize takes only files beside each other: a copy of base and overlays."""
    for name in ("base", "overlays"):
        shutil.copytree(
            DEPLOY / name, folder / name, dirs_exist_ok=True, ignore=shutil.ignore_patterns("class")
        )


def render_class(folder: Path, *arguments: str) -> list[Thing]:
    """The objects of a class."""
    classroom(folder, *arguments)
    return documents(run(program("kubectl"), "kustomize", folder / "overlays" / "class").stdout)


def of_kind(objects: Iterable[Thing], kind: str) -> list[Thing]:
    """Those of one kind."""
    return [thing for thing in objects if thing["kind"] == kind]


def the(objects: Iterable[Thing], kind: str) -> Thing:
    """The only one of its kind."""
    (thing,) = of_kind(objects, kind)
    return thing


def pod_of(objects: Iterable[Thing]) -> Thing:
    """The spec of the learners' Pods."""
    spec: Thing = the(objects, "StatefulSet")["spec"]["template"]["spec"]
    return spec


def tutor_of(objects: Iterable[Thing]) -> Thing:
    """The container of a learner's Pod."""
    (container,) = pod_of(objects)["containers"]
    assert isinstance(container, dict)
    return container


def environment_of(objects: Iterable[Thing]) -> dict[str, str]:
    """Its variables."""
    return {entry["name"]: entry["value"] for entry in tutor_of(objects)["env"]}


def amount(text: str | int) -> float:
    """A Kubernetes quantity as a number: cores, or bytes."""
    units = {"m": 1e-3, "Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40}
    text = str(text)
    for unit, factor in units.items():
        if text.endswith(unit):
            return float(text.removesuffix(unit)) * factor
    return float(text)
