"""`uv run python -m tests.bench [NAME …]`: run the benchmarks and print one table."""

import importlib
import pkgutil
import sys
from pathlib import Path

from tests.bench.table import Row, show


def main(names: list[str]) -> None:
    """Run the named benchmarks, or all of them."""
    here = Path(__file__).parent
    known = sorted(m.name for m in pkgutil.iter_modules([str(here)]) if m.name.startswith("bench_"))
    rows: list[Row] = []
    for name in known:
        if not names or name.removeprefix("bench_") in names:
            rows += importlib.import_module(f"tests.bench.{name}").rows()
    print(show(rows))


if __name__ == "__main__":
    main(sys.argv[1:])
