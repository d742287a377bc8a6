"""Python runs this before a script that is watched: it leaves no trace, and no frame below the script's."""

import importlib
import importlib.util
import os
import sys
from pathlib import Path

_HERE = str(Path(__file__).parent)


def _leave_no_trace() -> None:
    """The script and what it starts find the path they would have found, and their own sitecustomize."""
    sys.path.remove(_HERE)
    sys.path_importer_cache.pop(_HERE, None)
    rest = os.environ.get("PYTHONPATH", "").split(os.pathsep)[1:]
    if rest:
        os.environ["PYTHONPATH"] = os.pathsep.join(rest)
    else:
        os.environ.pop("PYTHONPATH", None)
    ours = sys.modules.pop(__name__)
    try:
        importlib.import_module(__name__)
    except ModuleNotFoundError:
        # Whoever imports this looks for it here afterwards.
        sys.modules[__name__] = ours


def _watch(settings: str) -> None:
    if importlib.util.find_spec("jittutor") is None:
        # Not installed, only beside us.
        sys.path.append(str(Path(__file__).parents[3]))
    from jittutor.worker.script import begin  # noqa: PLC0415 - only when there is something to watch

    begin(settings)


_leave_no_trace()
if (_settings := os.environ.pop("JITTUTOR_SCRIPT", None)) is not None:
    _watch(_settings)
