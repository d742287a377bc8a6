"""Mistakes that people make with jit are told as they are; each is made on real JAX."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from jittutor.advice import RULES, advise, find
from jittutor.event import Raised
from tests.worker.mistakes import MISTAKES, Mistake
from tests.worker.tools import Tutor, fails, run, tutored

MET: dict[str, Raised] = {}


def met(tutor: Tutor, mistake: Mistake) -> Raised:
    """What is told of a mistake, which is made once."""
    if mistake.name not in MET:
        MET[mistake.name] = (
            fails(tutor, mistake.code) if mistake.devices == 1 else fails_on(mistake.devices, mistake.code)
        )
    return MET[mistake.name]


def fails_on(devices: int, code: str) -> Raised:
    """What is told when this code is run where there are several devices."""
    imports = "import jax, jax.numpy as jnp, numpy as np; "
    with TemporaryDirectory() as folder:
        Path(folder, "script.py").write_text(imports + code.strip("\n"))
        several = {"XLA_FLAGS": f"--xla_force_host_platform_device_count={devices}"}
        error = run(tutored("--json", "--cpu", "script.py"), Path(folder), several).record["error"]
    told = {name: error[name] for name in ("type", "message", "line", "traced")}
    return Raised(1, **told, place=error["place"] or "", code=error["code"] or "")


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_a_mistake_is_told_with_its_line_what_was_traced_why_and_what_helps(
    tutor: Tutor, mistake: Mistake
) -> None:
    error = met(tutor, mistake)
    assert (error.type, error.line) == (mistake.type, mistake.line)
    assert error.traced == mistake.traced
    assert error.place == mistake.place
    advice = advise(error)
    assert advice is not None
    assert mistake.say in advice.say
    assert mistake.fix in advice.fix
    assert advice.lesson == mistake.lesson


def test_no_two_mistakes_have_one_name() -> None:
    assert len({mistake.name for mistake in MISTAKES}) == len(MISTAKES)


def test_every_rule_is_met_by_a_real_mistake(tutor: Tutor) -> None:
    used = {id(found[0]) for mistake in MISTAKES if (found := find(met(tutor, mistake)))}
    assert [rule for rule in RULES if id(rule) not in used] == []


def test_no_word_of_an_advice_is_left_open(tutor: Tutor) -> None:
    texts = [advice.say + advice.fix for mistake in MISTAKES if (advice := advise(met(tutor, mistake)))]
    assert [text for text in texts if "$" in text] == []
