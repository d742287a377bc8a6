"""The nursery: what it says of a worker is already true."""

import os
import signal

import pytest

from jittutor.nursery import Nursery

pytestmark = pytest.mark.worker


async def test_a_worker_can_be_killed_with_its_group_as_soon_as_it_is_born() -> None:
    nursery = Nursery(cpu=True)
    try:
        for _ in range(10):
            _, writer, child = await nursery.fork()
            assert child.pid is not None
            assert os.getpgid(child.pid) == child.pid
            child.kill()
            assert await child.ended() == -signal.SIGKILL
            writer.close()
    finally:
        await nursery.close()
