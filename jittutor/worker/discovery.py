"""Finds the script's own code as it starts to run, and JAX when the script has imported it.

One event of sys.monitoring does both: the first start of each code object, told once and then switched
off for it. The script's own code is its file and the modules beside it, not what is installed.
"""

import os
import sys
import sysconfig
import types
from collections.abc import Callable
from importlib import metadata
from typing import TYPE_CHECKING, Any

from jittutor.event import Device, Event, Ready, Unwatched, Versions

if TYPE_CHECKING:
    from jittutor.worker.watch import Watch

_MONITORING = sys.monitoring
_EVENTS = _MONITORING.events
TOOLS = (3, 4, 5)
CALLS = 1_000
"""Calls of a script that are told one by one; the rest are counted."""


class Discovery:
    """Knows the script's code, and starts the watch when there is something to watch."""

    def __init__(self, file: str, say: Callable[[Event], None]) -> None:
        """Find for this script."""
        self.file, self.say = file, say
        self.folder = os.path.dirname(os.path.realpath(file)) + os.sep  # noqa: PTH120 - text is compared
        self.watch: Watch | None = None
        self._found: list[types.CodeType] = []
        self._is_own: dict[str, bool] = {}
        self._installed = tuple(
            os.path.realpath(place) + os.sep
            for place in {*sysconfig.get_paths().values(), sys.prefix, sys.base_prefix}
            if not self.folder.startswith(os.path.realpath(place) + os.sep)
        )
        self._jax: types.CodeType | None = None
        self._tool = -1
        self.came_back: bool | None = None
        """Whether the main code came to its own end; None while it has not begun, or is not seen."""

    def start(self) -> None:
        """Begin to look, before the script's main code starts."""
        self._tool = next((t for t in reversed(TOOLS) if _MONITORING.get_tool(t) is None), -1)
        if self._tool < 0:
            self.say(Unwatched(1, "other tools use all of sys.monitoring: nothing is watched"))
            return
        _MONITORING.use_tool_id(self._tool, "jittutor discovery")
        _MONITORING.register_callback(self._tool, _EVENTS.PY_START, self._on_start)
        _MONITORING.register_callback(self._tool, _EVENTS.PY_RETURN, self._on_return)
        _MONITORING.set_events(self._tool, _EVENTS.PY_START)
        if "jax" in sys.modules:
            self._begin()

    def is_main(self, code: types.CodeType) -> bool:
        """Whether this is the script's main code."""
        return code.co_name == "<module>" and code.co_filename == self.file

    def _on_start(self, code: types.CodeType, offset: int) -> object:
        if self.came_back is None and self.is_main(code):
            self.came_back = False
            _MONITORING.set_local_events(self._tool, code, _EVENTS.PY_RETURN)
        if self._own(code.co_filename):
            if self.watch is not None:
                self.watch.add(code)
            else:
                self._found.append(code)
        elif code.co_name == "<module>" and code.co_filename.endswith(_JAX):
            _MONITORING.set_local_events(self._tool, code, _EVENTS.PY_RETURN)
        return _MONITORING.DISABLE

    def _on_return(self, code: types.CodeType, offset: int, value: object) -> object:
        if self.is_main(code):
            self.came_back = True
        if self.watch is None and code.co_filename.endswith(_JAX):
            self._begin()
        return _MONITORING.DISABLE

    def _own(self, file: str) -> bool:
        known = self._is_own.get(file)
        if known is None:
            real = os.path.realpath(file)
            known = file == self.file or (
                real.startswith(self.folder)
                and os.sep + "site-packages" + os.sep not in real
                and not real.startswith(self._installed)
            )
            self._is_own[file] = known
        return known

    def _begin(self) -> None:
        """JAX is imported: watch it."""
        try:
            from jittutor.worker import raw  # noqa: PLC0415 - it imports JAX
            from jittutor.worker.watch import Watch  # noqa: PLC0415

            watch = Watch(self.say, 1, live=False, calls=CALLS)
            watch.file = self.file
            for code in self._found:
                watch.add(code)
            watch.start()
            raw.start()
        except (ImportError, AttributeError) as error:
            self.say(Unwatched(1, f"this version of JAX cannot be watched: {error}"))
        else:
            self.watch = watch

    def forget(self) -> None:
        """In a forked child: watch no more."""
        if self.watch is not None:
            self.watch.lane.paused = True

    def tell_facts(self) -> None:
        """Say which versions and which device it was; at the very end JAX has let go of its devices."""
        self.say(Ready(_versions(), _device()))

    def tell_error(self, error: BaseException) -> None:
        """Say what ended the script."""
        from jittutor.worker.errors import raised  # noqa: PLC0415 - only when needed

        own = (
            self.watch.own
            if self.watch is not None
            else {id(code): code for code in _with_inner(self._found)}
        )
        self.say(raised(1, error, own, self.file))

    def finish(self) -> tuple[int, int, int]:
        """Say all that is left; how many calls, lines and programs were dropped."""
        if self._tool >= 0:
            _MONITORING.set_events(self._tool, 0)
            _MONITORING.free_tool_id(self._tool)
            self._tool = -1
        watch = self.watch
        if watch is None:
            return 0, 0, 0
        from jittutor.worker import raw  # noqa: PLC0415 - imported already

        watch.stop()
        raw.stop()
        for event in watch.last():
            self.say(event)
        return watch.counting.dropped, 0, watch.programs.dropped


_JAX = os.path.join("jax", "__init__.py")  # noqa: PTH118 - text is compared


def _with_inner(found: list[types.CodeType]) -> list[types.CodeType]:
    """The code objects and all code inside them."""
    every = list(found)
    for code in every:
        every += [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return every


def _versions() -> Versions:
    from jittutor import __version__  # noqa: PLC0415 - only at the end

    def version(name: str) -> str:
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            return ""

    python = ".".join(map(str, sys.version_info[:3]))
    return Versions(__version__, version("jax"), version("jaxlib"), python)


def _device() -> Device:
    """The device the script used; nothing is started to find out."""
    bridge: Any = sys.modules.get("jax._src.xla_bridge")
    if bridge is None or not getattr(bridge, "_backends", None):
        return Device("", "", 0)
    try:
        devices = sys.modules["jax"].devices()
    except RuntimeError:
        return Device("", "", 0)
    return Device(devices[0].platform, devices[0].device_kind, len(devices))
