"""What will work here and what will not: device, driver, JAX, memory, state folder, environment.

JAX is asked in a short process of its own: this one must not hold the device.
"""

import ctypes
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

import msgspec

from jittutor import __version__, gpu, lease
from jittutor.spawn import environment
from jittutor.state import State

type Grade = Literal["ok", "note", "bad"]

SECONDS = 120
"""How long JAX may take to start: a cold disk and a GPU can need a minute."""
_ASK_JAX = """
import json, jax, jaxlib
devices = jax.devices()
total = float(jax.jit(lambda x: (x * 2).sum())(jax.numpy.ones(3)))
stats = devices[0].memory_stats() or {}
print(json.dumps({"jax": jax.__version__, "jaxlib": jaxlib.__version__, "platform": devices[0].platform,
    "kind": devices[0].device_kind, "count": len(devices), "limit": stats.get("bytes_limit"),
    "total": total}))
"""
_WHEELS = re.compile(r"jax|jaxlib|numpy|textual|(jax-cuda\d+|nvidia)-.*")
_CHANGES_LESSONS = re.compile(
    r"JAX_(ENABLE_COMPILATION_CACHE|COMPILATION_CACHE\w*|PERSISTENT_CACHE\w*|DISABLE_JIT|ENABLE_X64|LOG_COMPILES"
    r"|DEBUG_NANS|NUM_CPU_DEVICES|DEFAULT_MATMUL_PRECISION|ENABLE_CHECKS|CHECK_TRACER_LEAKS)|XLA_FLAGS|LIBTPU_INIT_ARGS"
)
_CACHE_IS_OFF = re.compile(r"JAX_ENABLE_COMPILATION_CACHE=(false|f|no|n|off|0)", re.IGNORECASE)
"""What the tutor's worker gets in any case, and what our image sets for scripts beside it."""
_GIB = 2**30


class Check(msgspec.Struct, frozen=True):
    """One thing that was looked at; `fix` says what to do when it is not ok."""

    name: str
    grade: Grade
    value: str
    fix: str = ""
    facts: dict[str, Any] = {}


def examine(*, cpu: bool = False) -> Iterator[Check]:
    """All checks but those of the terminal, quick ones first."""
    yield Check("jittutor", "ok", f"{__version__} on Python {platform.python_version()}")
    wheels = _wheels()
    yield _wheel_check(wheels)
    found = driver()
    yield found
    yield from _gpu(cpu=cpu)
    yield _jax(cpu=cpu, has_driver=found.grade == "ok" and bool(found.facts.get("devices")), wheels=wheels)
    yield _memory()
    yield _state()
    yield from _environment(os.environ)


def _wheels() -> dict[str, str]:
    found = {}
    for distribution in metadata.distributions():
        name = str(distribution.metadata["Name"]).lower().replace("_", "-")
        if _WHEELS.fullmatch(name):
            found[name] = distribution.version
    return dict(sorted(found.items()))


def _wheel_check(wheels: dict[str, str]) -> Check:
    short = {name: version for name, version in wheels.items() if not name.startswith("nvidia-")}
    more = len(wheels) - len(short)
    value = ", ".join(f"{name} {version}" for name, version in short.items())
    return Check(
        "wheels", "ok", value + (f" and {more} of nvidia" if more else ""), facts={"versions": wheels}
    )


def driver() -> Check:
    """The NVIDIA driver, asked directly."""
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return Check("driver", "ok", "no NVIDIA driver: the CPU will do the work", facts={"devices": []})
    version, count = ctypes.c_int(), ctypes.c_int()
    if code := cuda.cuInit(0):
        return Check("driver", "note", f"the NVIDIA driver answers with error {code}: {_cuda_word(code)}",
                     "the CPU can do the work; for the GPU see how this container was started",
                     {"error": code, "devices": []})  # fmt: skip
    cuda.cuDriverGetVersion(ctypes.byref(version))
    cuda.cuDeviceGetCount(ctypes.byref(count))
    names = []
    for number in range(count.value):
        name = ctypes.create_string_buffer(256)
        if cuda.cuDeviceGetName(name, 256, number) == 0:
            names.append(name.value.decode("utf-8", "replace"))
    supports = f"{version.value // 1000}.{version.value % 1000 // 10}"
    value = f"NVIDIA driver for CUDA up to {supports}: {', '.join(names) or 'no device'}"
    return Check("driver", "ok", value, facts={"cuda": supports, "devices": names})


def _gpu(*, cpu: bool) -> Iterator[Check]:
    """How much of the GPU is free, and which tutor holds it."""
    memories = gpu.memory()
    if not memories or not (device := lease.device(os.environ, cpu=cpu)):
        return
    holder = lease.holder(lease.folder(), device)
    free = ", ".join(f"{_gib(one.free)} of {_gib(one.total)} free" for one in memories)
    facts = {"memory": [one._asdict() for one in memories], "holder": holder.pid if holder else None}
    if holder is not None:
        yield Check("gpu", "note", f"{free}; a tutor holds it: {lease.describe(holder)}",
                    f"`jittutor kill {holder.pid}` ends that one; its work is saved", facts)  # fmt: skip
    elif min(one.free for one in memories) < _GIB:
        yield Check("gpu", "note", f"{free}; no tutor here holds it, so others use it",
                    "start with --cpu, or try again when they have ended", facts)  # fmt: skip
    else:
        yield Check("gpu", "ok", f"{free}; no tutor holds it", facts=facts)


def _cuda_word(code: int) -> str:
    words = {
        2: "out of memory", 3: "not initialized", 35: "the driver is too old", 100: "there is no GPU",
        802: "the system is not ready yet", 803: "driver and library do not fit", 999: "unknown",
    }  # fmt: skip
    return words.get(code, "see the CUDA driver's list of errors")


def _jax(*, cpu: bool, has_driver: bool, wheels: dict[str, str]) -> Check:
    """JAX and its device, in a process of its own that compiles one small program."""
    command = [sys.executable, "-c", _ASK_JAX]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=SECONDS, check=False,
            stdin=subprocess.DEVNULL, env=environment(cpu=cpu), errors="replace",
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return Check("jax", "bad", f"JAX did not start: {error}", "install it again: see the README")
    try:
        facts = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        return Check("jax", "bad", f"JAX does not work: {last}",
                     "on the CPU it may: try `jittutor doctor --cpu`")  # fmt: skip
    value = f"jax {facts['jax']} runs on {facts['kind']} ({facts['platform']}, {facts['count']} in all)"
    if facts["platform"] != "cpu" or cpu or not has_driver or "cpu" in os.environ.get("JAX_PLATFORMS", ""):
        return Check("jax", "ok", value, facts=facts)
    if any(name.startswith("jax-cuda") for name in wheels):
        return Check("jax", "bad", f"{value}, though there is a GPU and JAX's part for it is installed",
                     "JAX says why: JAX_PLATFORMS=cuda python -c 'import jax; jax.devices()'",
                     facts)  # fmt: skip
    return Check("jax", "note", f"{value}, though there is a GPU",
                 "for the GPU start with `uv run --extra cuda12 jittutor`", facts)  # fmt: skip


def _memory() -> Check:
    available, limit = _available(), _cgroup_limit()
    smallest = min((size for size in (available, limit) if size is not None), default=None)
    facts = {"available": available, "limit": limit, "cpus": os.cpu_count() or 1}
    value = f"{_gib(available)} free, limit {_gib(limit)}, {facts['cpus']} CPUs"
    if smallest is not None and smallest < 1.5 * _GIB:
        return Check("memory", "note", value, "JAX needs about 1.5 GiB; give the container more", facts)
    return Check("memory", "ok", value, facts=facts)


def _available() -> int | None:
    try:
        found = re.search(r"MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text(encoding="ascii"))
    except OSError:
        return None
    return int(found[1]) * 1024 if found else None


def _cgroup_limit() -> int | None:
    try:
        text = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
    except OSError:
        return None
    return int(text) if text.isdecimal() else None


def _gib(size: int | None) -> str:
    return "none" if size is None else f"{size / _GIB:.1f} GiB"


def _state() -> Check:
    state = State.open()
    facts = {"folder": str(state.folder)}
    if state.notice:
        return Check(
            "state", "note", state.notice, "set JITTUTOR_STATE to a folder that can be written", facts
        )
    return Check("state", "ok", f"{state.folder} ({len(state.steps())} steps known)", facts=facts)


def _environment(environ: Mapping[str, str]) -> Iterator[Check]:
    """Variables that make JAX behave differently from what lessons and reports expect."""
    found = {
        name: value
        for name, value in sorted(environ.items())
        if _CHANGES_LESSONS.fullmatch(name) and not _CACHE_IS_OFF.fullmatch(f"{name}={value}")
    }
    if not found:
        yield Check("environment", "ok", "no variable changes how JAX compiles or caches")
        return
    value = ", ".join(f"{name}={text}" for name, text in found.items())
    yield Check("environment", "note", value,
                "these change what is compiled or found on disk; unset them if a lesson surprises you",
                {"variables": found})  # fmt: skip
