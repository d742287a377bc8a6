"""Slow faults run when they are asked for (`pytest tests/faults -m faults`); at the end rows are counted."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the slow ones out unless -m says what is wanted."""
    if config.getoption("markexpr"):
        return
    slow = [item for item in items if HERE in item.path.parents and item.get_closest_marker("slow")]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many faults were tried and how many ended well."""

    def count(outcome: str) -> int:
        reports = terminalreporter.stats.get(outcome, [])
        return sum("tests/faults" in report.nodeid for report in reports)

    passed, failed = count("passed"), count("failed") + count("error")
    if passed + failed:
        terminalreporter.write_line(f"faults: {passed + failed} rows, {passed} passed")
