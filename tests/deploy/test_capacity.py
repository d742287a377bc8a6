"""The capacity model: its document shows what its script says, and more learners on a node wait longer."""

import runpy
import sys

from tests.deploy.tools import DEPLOY, run


def test_the_document_shows_what_the_script_says() -> None:
    printed = run(sys.executable, DEPLOY / "capacity.py").stdout
    document = (DEPLOY / "capacity.md").read_text()
    assert all(table.strip() in document for table in printed.split("\n\n"))


def test_more_learners_on_the_same_cpus_wait_longer() -> None:
    simulate = runpy.run_path(str(DEPLOY / "capacity.py"))["simulate"]
    few, many = simulate(2, 8), simulate(60, 8)
    assert max(few.slower) < 1.01
    assert max(many.slower) > 3
    assert max(many.ready) > 3 * max(few.ready)
