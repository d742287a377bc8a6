"""The compilation cache on disk: told as such, quiet, and gone with the run that turned it on."""

from pathlib import Path

from tests.worker.tools import Tutor

TURNED_ON = """
import jax, numpy as np
for name, value in (
    ("jax_enable_compilation_cache", True),
    ("jax_compilation_cache_dir", {folder!r}),
    ("jax_persistent_cache_min_compile_time_secs", 0.0),
    ("jax_persistent_cache_min_entry_size_bytes", -1),
):
    jax.config.update(name, value)
slow = jax.jit(lambda x: x * 2 + 1)
slow(np.float32(1))
jax.clear_caches()
slow(np.float32(1))
"""

AGAIN = """
import jax, numpy as np
slow = jax.jit(lambda x: x * 2 + 1)
slow(np.float32(1))
"""


def test_a_program_found_on_disk_is_told_as_such_and_jax_stays_quiet(tutor: Tutor, tmp_path: Path) -> None:
    record = tutor.run(TURNED_ON.format(folder=str(tmp_path)))
    assert [event.from_disk for event in record.compiled if not event.eager] == [False, True]
    assert record.lines(stream="stderr") == []


def test_the_next_run_finds_nothing_on_disk(tutor: Tutor, tmp_path: Path) -> None:
    tutor.run(TURNED_ON.format(folder=str(tmp_path)))
    record = tutor.run(AGAIN)
    assert [event.from_disk for event in record.compiled if not event.eager] == [False]
