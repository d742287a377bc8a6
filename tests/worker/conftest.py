"""One warm tutor for all tests of the worker; every test here starts real processes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.worker.tools import Tutor

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what lies in this folder."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.worker)


@pytest.fixture(scope="session")
def tutor() -> Iterator[Tutor]:
    """A worker that has JAX ready."""
    one = Tutor()
    yield one
    one.close()
