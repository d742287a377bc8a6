"""The memory of NVIDIA GPUs, asked of the driver's own library: without JAX, without holding anything."""

import contextlib
import ctypes
from typing import NamedTuple


class Memory(NamedTuple):
    """Bytes of one GPU."""

    total: int
    free: int


class _Numbers(ctypes.Structure):
    _fields_ = (("total", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong), ("used", ctypes.c_ulonglong))


def memory() -> list[Memory]:
    """Each GPU's; empty when there is none, or nobody to ask."""
    try:
        library = ctypes.CDLL("libnvidia-ml.so.1")
    except OSError:
        return []
    if library.nvmlInit_v2() != 0:
        return []
    found = []
    with contextlib.suppress(AttributeError):  # an older library
        count = ctypes.c_uint()
        library.nvmlDeviceGetCount_v2(ctypes.byref(count))
        for number in range(count.value):
            handle, numbers = ctypes.c_void_p(), _Numbers()
            library.nvmlDeviceGetHandleByIndex_v2(number, ctypes.byref(handle))
            if library.nvmlDeviceGetMemoryInfo(handle, ctypes.byref(numbers)) == 0:
                found.append(Memory(numbers.total, numbers.free))
    library.nvmlShutdown()
    return found
