"""JAX's own words about cache misses, caught before they reach the log.

They are shown beside our reason, never used for it: their wording changes between versions, and for
some misses there are none.
"""

import logging

import jax

from jittutor.worker import internals

_LOGGER = "jax._src.interpreters.partial_eval"
_START = "TRACING CACHE MISS"
_LOUDER = ("jax._src.compiler", "jax._src.compilation_cache")
"""Asking for explanations makes these speak up about the cache on disk, which nobody asked for."""
_ON_DISK = ("PERSISTENT COMPILATION CACHE", "Persistent compilation cache", "Writing ", "Not writing ")
MOST = 50
"""So many explanations are asked for: JAX compares with every key of the past for each of them."""


class _Catch(logging.Filter):
    """Takes explanations out of the log and keeps the newest."""

    def __init__(self) -> None:
        super().__init__()
        self.text: str | None = None
        self.asked = 0
        self.mine = False

    def filter(self, record: logging.LogRecord) -> bool:
        if not self.mine:
            return True
        message = record.getMessage()
        wanted = _is_wanted()
        if record.name in _LOUDER:
            return wanted or not message.startswith(_ON_DISK)
        if not message.startswith(_START):
            return True
        self.text = message
        self.asked += 1
        if self.asked >= MOST:
            stop()
        return wanted


_catch = _Catch()


def start() -> None:
    """Ask JAX for explanations, unless the program has asked for them itself."""
    if jax.config.jax_explain_cache_misses:
        return
    for name in (_LOGGER, *_LOUDER):
        logger = logging.getLogger(name)
        if _catch not in logger.filters:
            logger.addFilter(_catch)
    _catch.mine, _catch.asked, _catch.text = True, 0, None
    internals.ask_for_explanations()


def stop() -> None:
    """Ask no more."""
    if _catch.mine:
        _catch.mine = False
        if not _is_wanted():
            jax.config.update("jax_explain_cache_misses", False)  # noqa: FBT003 - JAX's signature


def is_asking() -> bool:
    """Whether JAX explains its misses because we asked."""
    return _catch.mine and not _is_wanted()


def _is_wanted() -> bool:
    """Whether the program itself asked for explanations: then they belong to its own log."""
    return jax.config.jax_explain_cache_misses is True


def newest() -> str | None:
    """The explanation of the miss that was just found, if JAX gave one; each is handed out once."""
    text, _catch.text = _catch.text, None
    return text
