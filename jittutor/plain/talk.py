"""The plain tutor from its first line to its last: read a line, do it, read the next."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import Iterator
from typing import TextIO

from jittutor.course import Course
from jittutor.plain.lines import Lines
from jittutor.plain.running import Running
from jittutor.plain.session import Session
from jittutor.state import State
from jittutor.study.link import Link
from jittutor.study.study import Study

WELCOME = (
    "jittutor, plain text. `help` tells all words; `read` reads the step again; `quit` leaves.",
    "Where a text names a key: for ctrl+j type `run`, for n `next`, for h `hint`, for k `solution`,",
    "for c and w `calls`, for o `output`, for g `program`, for e `code`, for A `above`.",
)


async def talk(
    course: Course,
    link: Link,
    state: State,
    start: tuple[str, str] | None,
    *,
    stdin: TextIO = sys.stdin,
    stdout: TextIO = sys.stdout,
) -> None:
    """Talk with the learner until `quit` or the end of input."""
    lines, study = Lines(stdin, stdout), Study(course, state, start)
    running = Running(study, link, lines)
    session = Session(study, running, lines)
    for words in WELCOME:
        lines.write(words)
    if state.notice:
        lines.write(state.notice)
        state.notice = None
    session.do_read("")
    running.start()
    try:
        with _signals(running):
            while not session.over and (line := await lines.ask()) is not None:
                await session.obey(line)
    except asyncio.CancelledError:
        lines.write("The tutor was ended; everything is saved.")
    finally:
        state.save()
        await running.close()


@contextlib.contextmanager
def _signals(running: Running) -> Iterator[None]:
    """Ctrl+c stops a run; what ends a program ends this one in order."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    loop.add_signal_handler(signal.SIGINT, running.stop)
    ends = (signal.SIGTERM, signal.SIGHUP)
    for number in ends:
        loop.add_signal_handler(number, task.cancel)
    try:
        yield
    finally:
        for number in (signal.SIGINT, *ends):
            loop.remove_signal_handler(number)
