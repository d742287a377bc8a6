"""What well-known checkers say of deploy/ and terraform/; each exception has its reason beside it."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.deploy.tools import DEPLOY, ROOT, TERRAFORM, program, render, run

CHECKOV = "`.ci/run` puts it into .venv-checkov, an environment of its own"


def files(pattern: str) -> list[Path]:
    """Files of this pattern that git knows or will know."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", pattern]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in done.stdout.splitlines()]


def scripts() -> list[Path]:
    """Shell scripts, told by their first line."""
    paths = files("deploy/*") + files("tests/deploy/*")
    return [path for path in paths if path.read_bytes().startswith(b"#!/usr/bin/env bash")]


def test_yaml_is_tidy() -> None:
    run(program("yamllint"), "--strict", "-c", DEPLOY / ".yamllint", *files("deploy/*.yaml"))


def test_shell_scripts_are_clean() -> None:
    assert scripts()
    run(program("shellcheck"), "--enable=all", "--severity=style", *scripts())


def test_shell_scripts_can_be_started() -> None:
    assert all(os.access(path, os.X_OK) for path in scripts())


def test_the_image_is_built_as_hadolint_advises() -> None:
    run(program("hadolint"), DEPLOY / "Dockerfile")


@pytest.mark.slow
def test_checkov_finds_nothing_but_what_has_a_reason(tmp_path: Path) -> None:
    checkov = program("checkov", str(ROOT / ".venv-checkov/bin"), how=CHECKOV)
    for path in TERRAFORM.glob("*.tf"):
        shutil.copy(path, tmp_path)
    shutil.copy(DEPLOY / "Dockerfile", tmp_path)
    # cpu runs a local image by its tag: CKV_K8S_43 and _15 want a digest, which gpu and workshop have.
    (tmp_path / "workshop.yaml").write_text(render("workshop"))
    frameworks = ("--framework", "terraform", "kubernetes", "dockerfile")
    quiet = ("--skip-download", "--quiet", "--compact", "--output", "json")
    # Its own environment's packages only, and no look at where this runs.
    done = run(checkov, "--directory", tmp_path, *frameworks, *quiet, cwd=tmp_path, check=False)
    reports = json.loads(done.stdout)
    assert {report["check_type"] for report in reports} == {"terraform", "kubernetes", "dockerfile"}
    failed = [
        f"{check['check_id']} {check['check_name']}: {check['resource']}"
        for report in reports
        for check in report["results"]["failed_checks"]
    ]
    assert failed == []
    assert all(report["summary"]["passed"] >= 10 for report in reports)


def test_each_exception_says_why() -> None:
    text = "\n".join(
        path.read_text() for folder in (DEPLOY, TERRAFORM) for path in folder.rglob("*") if path.is_file()
    )
    exceptions = re.findall(r"checkov[:.](?:io/)?skip\d*[=:]\s*(CKV\w+)[=:](.*)", text)
    exceptions += [(code, why) for why, code in re.findall(r"# (.*)\n# hadolint ignore=(DL\d+)", text)]
    assert len(exceptions) > 5
    assert all(len(reason) > 20 for _, reason in exceptions)
