"""`uv run python -m tests.bench [NAME …]`: run the benchmarks and print one table."""

import compileall
import importlib
import pkgutil
import sys
from pathlib import Path

from tests.bench.table import Row, show


def main(names: list[str]) -> None:
    """Run the named benchmarks, or all of them."""
    here = Path(__file__).parent
    # As an installed package has it: else what was edited last is compiled again at each start.
    compileall.compile_dir(here.parents[1] / "jittutor", quiet=1)
    known = sorted(m.name for m in pkgutil.iter_modules([str(here)]) if m.name.startswith("bench_"))
    rows: list[Row] = []
    drawings: list[str] = []
    for name in known:
        if not names or name.removeprefix("bench_") in names:
            module = importlib.import_module(f"tests.bench.{name}")
            rows += module.rows()
            drawings += [module.drawing()] if hasattr(module, "drawing") else []
    print(show(rows))
    for drawing in drawings:
        print(drawing)


if __name__ == "__main__":
    main(sys.argv[1:])
