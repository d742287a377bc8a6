"""The house itself: pins agree, lint and types are clean, files are small and say what they are."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

# Spelled in pieces, so that this file does not find itself.
FOREIGN = re.compile(
    "|".join(
        ("py" + r"pi\.org", "python" + r"hosted\.org", "regis" + r"try\.npm", "/wo" + "rk/(main|shared)")
    )
)


def tool(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    name, *rest = arguments
    return subprocess.run(
        [Path(sys.executable).with_name(name), *rest], capture_output=True, text=True, check=False, cwd=root
    )


def tracked(root: Path, pattern: str = "*") -> Iterator[Path]:
    """The files git knows of."""
    done = subprocess.run(
        ["git", "ls-files", "-z", "--", pattern], capture_output=True, text=True, check=False, cwd=root
    )
    if done.returncode:
        pytest.skip("not a git checkout")
    yield from (root / name for name in done.stdout.split("\0") if name and (root / name).is_file())


def modules(root: Path) -> list[Path]:
    """Our Python files but the lessons, which learners read as pages."""
    return [path for path in tracked(root, "*.py") if "lessons" not in path.relative_to(root).parts[0]]


def test_constraints_for_pip_are_those_of_uv(root: Path) -> None:
    pins = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["uv"]["constraint-dependencies"]
    lines = (root / "constraints.txt").read_text().splitlines()
    assert lines == pins
    assert all(re.fullmatch(r"[a-z0-9.-]+==[0-9][0-9a-z.]*", line) for line in lines)


def test_every_dependency_is_pinned(root: Path) -> None:
    table = tomllib.loads((root / "pyproject.toml").read_text())
    wanted = [*table["project"]["dependencies"], *table["dependency-groups"]["dev"]]
    pinned = {pin.split("==")[0] for pin in table["tool"]["uv"]["constraint-dependencies"]}
    assert {re.split(r"[^\w-]", name)[0] for name in wanted} <= pinned


def test_the_version_is_the_same_everywhere(root: Path) -> None:
    from jittutor import __version__  # noqa: PLC0415 - only this test needs it

    assert tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"] == __version__


@pytest.mark.slow
@pytest.mark.parametrize("command", ["ruff check --no-cache .", "ruff format --no-cache --check .", "mypy ."])
def test_lint_format_and_types_are_clean(root: Path, command: str) -> None:
    done = tool(root, *command.split())
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_file_names_a_package_registry_or_a_machine(root: Path) -> None:
    found = [
        f"{path.relative_to(root)}: {match[0]}"
        for path in tracked(root)
        if (match := FOREIGN.search(path.read_text(encoding="utf-8", errors="replace")))
    ]
    assert found == []


def test_what_uv_resolves_here_is_not_kept_in_the_repository(root: Path) -> None:
    assert [path.name for path in tracked(root, "uv.lock")] == []


def test_every_file_says_its_one_idea_first(root: Path) -> None:
    silent = [
        str(path.relative_to(root))
        for path in modules(root)
        if not (ast.get_docstring(ast.parse(path.read_text())) or "").split("\n")[0].strip()
    ]
    assert silent == []


def test_no_file_is_long(root: Path) -> None:
    assert [p.name for p in modules(root) if len(p.read_text().splitlines()) > 300] == []


def test_no_function_is_long(root: Path) -> None:
    long = [
        f"{path.relative_to(root)}: {node.name}"
        for path in modules(root)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _lines(node) > 40
    ]
    assert long == []


def _lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    assert node.end_lineno
    return node.end_lineno - node.lineno + 1


def test_jaxs_inside_is_touched_in_one_file(root: Path) -> None:
    inside = re.compile(r"^\s*(from|import) jax\._src", re.MULTILINE)
    found = [path.name for path in tracked(root, "jittutor/*.py") if inside.search(path.read_text())]
    assert found in ([], ["internals.py"])
