"""Two tutors and one GPU: the second is asked, and either works on the CPU or takes over."""

import signal
from pathlib import Path

import pytest

from tests.faults.place import PROGRAM, RUNS, Place, begin, ends_well, ps

pytestmark = [pytest.mark.pty, pytest.mark.faults]

GPU = "from jittutor import lease\nlease.device = lambda environ, *, cpu: 'gpu-test' if not cpu else ''\n"


def with_gpu(place: Place) -> None:
    """As if there were a GPU, which only one tutor may use."""
    place.command[2] = GPU + PROGRAM.replace('["--cpu"]', "[]")
    place.environ["JAX_PLATFORMS"] = "cpu"


@pytest.mark.slow
def test_a_second_tutor_can_work_on_the_cpu_while_the_first_has_the_gpu(tmp_path: Path) -> None:
    place = Place(tmp_path, RUNS["nothing"])
    with_gpu(place)
    with place.open() as one:
        begin(one, going=False)
        with place.open() as two:
            two.until("Take it over")
            assert f"process {one.process.pid}" in two.text
            two.type("cpu\r")
            begin(two, going=False)
            assert "holds gpu-test" in ps(place)
            assert len(ps(place).splitlines()) == 2
            assert one.process.poll() is None
            ps(place, "kill", str(one.process.pid))
            assert one.end() == 128 + signal.SIGTERM
            assert str(one.process.pid) not in ps(place)
            assert ps(place, "kill") == "nothing was left behind\n"
            ps(place, "kill", "--all")
            two.end()
    ends_well(place)


@pytest.mark.slow
def test_a_second_tutor_can_take_the_gpu_over_even_if_the_first_is_stopped(tmp_path: Path) -> None:
    place = Place(tmp_path, RUNS["nothing"])
    with_gpu(place)
    with place.open() as one:
        begin(one, going=False)
        one.process.send_signal(signal.SIGSTOP)
        with place.open() as two:
            two.until("Take it over")
            two.type("take\r")
            two.until("ready", 60)
            assert "holds gpu-test" in ps(place)
            assert one.process.wait(10) in (-signal.SIGKILL, 128 + signal.SIGTERM)
            two.process.send_signal(signal.SIGTERM)
            two.end()
    ends_well(place)
