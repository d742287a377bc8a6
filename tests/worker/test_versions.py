"""Each JAX version has the names the watch uses, and one that is missing takes only its own facts away."""

from textwrap import dedent

import pytest

from jittutor.worker import internals
from tests.worker.tools import OLD_JAX, Tutor


@pytest.mark.parametrize(
    "name", [name for name in internals.Inside.__slots__ if name not in ("bodies", "missing")]
)
def test_without_one_of_jaxs_inner_names_the_rest_still_works(tutor: Tutor, name: str) -> None:
    # The worker's own process is changed, for this one run: its setup runs before the watch starts.
    setup = dedent(
        """
        import dataclasses
        from jittutor.worker import internals
        if not hasattr(internals, "real_find"):
            internals.real_find = internals.find
        """
    )
    spoil = setup + dedent(
        f"""
        internals.find = lambda: dataclasses.replace(internals.real_find(), {name}=None)
        """
    )
    source = "import jax\nf = jax.jit(lambda x: x + 1)\nprint(f(1.0), f(2.0), f(3))\n"
    try:
        tutor.run("1\n", spoil)
        record = tutor.run(source)
    finally:
        tutor.run("1\n", setup + "internals.find = internals.real_find\n")
    assert record.error is None
    assert record.lines() == ["2.0 3.0 4"]
    assert len(record.compiled) == 2
    if name != "slow_call":
        assert record.functions["<lambda>"].calls == 3


def test_this_version_of_jax_has_every_name() -> None:
    assert internals.find().missing == ()


def test_the_old_version_is_really_tested_where_it_is_installed() -> None:
    import jax  # noqa: PLC0415 - only here

    assert jax.__version__.startswith("0.11.") == OLD_JAX
