"""Whatever a program prints, names or raises: no control byte reaches the terminal, no widget crashes."""

from pathlib import Path

import pytest

from jittutor.course import Broken, Chapter, Course
from jittutor.event import (
    Answered,
    Began,
    Called,
    Compiled,
    Done,
    Ended,
    Event,
    Printed,
    Program,
    Raised,
    Run,
    Traced,
    Waited,
)
from jittutor.key import Argument, Key, Leaf
from jittutor.lesson import parse
from jittutor.state import State
from jittutor.tui.app import Tutor
from jittutor.tui.panes.editor import Editor
from jittutor.tui.screens.contents import Contents
from jittutor.tui.screens.dialogs import Solution
from tests.tui import fake
from tests.tui.wait import ran, ready, screen_text, until

EVERY_BYTE = "".join(map(chr, range(0xA0)))
SEQUENCES = (
    "\x1b]52;c;aGk=\x07\x1b]0;owned\x1b\\\x1b[2J\x1b[?1049l\x9b2J\x9d0;x\x9c\u202egnp\u2066e" + "\u0301" * 500
)
MARKUP = "[/] [/bold] x[/2] [/x [$accent] [bold] pjit[name=f jaxpr={ a[0] }] [@click=app.quit]go[/] \\[ [["
HOSTILE = EVERY_BYTE + SEQUENCES + MARKUP


def one_line(text: str) -> str:
    return text.replace("\n", " ")


def script(text: str) -> fake.Script:
    """Every event with this text in every field that is text."""

    def say(request: Run) -> list[Event]:
        run = request.run
        leaf = Leaf(text, (3, text), text, placed=text)
        key = Key(
            text,
            1,
            text,
            (Argument(text, "positional", static=text), Argument("x", "positional", tree=text)),
            (leaf,),
        )
        other = Key(
            text, 1, text, (Argument(text, "positional", static=text + "2"),), (leaf,), ((text, text),)
        )
        said: list[Event] = [
            Began(run, "compile", text),
            Traced(run, 1, key, 1, raw=text),
            Traced(run, 2, other, 1, within=text, raw=text),
            Compiled(run, text, 1.0, eager=True),
            Compiled(run, text, 1.0),
            Program(run, 1, text, text, 1, text, text, text, (1,)),
            Called(run, 1, text, 1, text, hit=False, trace=1, key=key, trace_ms=1.0, program=1),
            Called(run, 2, text, 1, text, hit=False, trace=2, key=other, raised=True),
            Called(run, 3, text, 1, None, within=text),
            Waited(run, 1, 1.0),
        ]
        said += [Printed(run, text, "stdout", 1, "trace", text), Printed(run, text + "\n", "stderr", 1)]
        said += [Printed(run, letter + "\n", "value") for letter in text[:200]]
        said += [Answered(run, ask.id, ok=False, text=text) for ask in request.asks]
        said.append(Raised(run, text, text, 1, text, text, text))
        return [*said, Done(run, "error", 0.1)]

    return say


def hostile_course(text: str) -> Course:
    """A lesson whose every text is hostile (as far as Python lets it into a file)."""
    fit = text.encode("unicode_escape").decode().replace('"', "'")
    prose = (
        one_line(text)
        .replace("\0", "")
        .replace("\\", "")
        .replace('"', "'")
        .replace("\r", "")
        .replace("\x0c", "")
    )
    source = (
        f'"""{prose}\n\n{prose}\n"""\n\n# %% One\n'
        f'"""\n{prose}\n\n- {prose}\n- `{prose}`\n\n    {prose}\n"""\n'
        f'x = "{fit}"\n\n# %% predict: what?  answer="1"\n"""\n- {prose}: {prose}\n- two: {prose}\n"""\n'
        f'# %% hint\n"""{prose}"""\n# %% check\nassert 1\n# %% solution\nx = "{fit}"\n'
    )
    lesson = parse(source, f"{prose}.py", "hostile")
    broken = Broken(prose, f"{prose}:1: {prose}")
    return Course(prose, (Chapter(prose, ("hostile",)),), (lesson, broken))


def only_ours(app: Tutor) -> None:
    for line in screen_text(app):
        bad = [hex(ord(letter)) for letter in line if ord(letter) < 0x20 or 0x7F <= ord(letter) <= 0x9F]
        assert not bad, (bad, line)
        assert not set(line) & set("\u202e\u2066\u2028\u200b")


@pytest.mark.parametrize("text", [HOSTILE, MARKUP, SEQUENCES], ids=["everything", "markup", "sequences"])
async def test_no_hostile_text_gets_through_any_pane(tmp_path: Path, text: str) -> None:
    app, _ = fake.tutor(script(text), folder=tmp_path, lessons=hostile_course(text))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await ready(pilot, app)
        app.notify(text, title=text, markup=False)
        only_ours(app)
        await pilot.press("a", "enter", "ctrl+j")
        await ran(pilot, app)
        only_ours(app)
        for keys in (
            ["h"],
            ["c", "down", "j"],
            ["down"],
            ["w", "z"],
            ["z", "o", "z"],
            ["z", "g", "z"],
            ["m"],
            ["m"],
            ["z"],
        ):
            await pilot.press(*keys)
            await pilot.pause()
            only_ours(app)
        await pilot.press("k")
        await until(pilot, lambda: isinstance(app.screen, Solution))
        only_ours(app)
        await pilot.press("d")
        only_ours(app)
        await pilot.press("escape", "l")
        await until(pilot, lambda: isinstance(app.screen, Contents))
        only_ours(app)
        await pilot.press("slash", *"[/][bold")
        only_ours(app)


async def test_a_hostile_paste_edit_and_notice_are_harmless(tmp_path: Path) -> None:
    state = State.open(tmp_path)
    state.change("what-recompiles", "new-numbers-old-program", edit=HOSTILE)
    state.notice = HOSTILE
    app, _ = fake.tutor(state=state)
    async with app.run_test(size=(120, 40)) as pilot:
        await ready(pilot, app)
        only_ours(app)
        editor = app.screen.query_one(Editor)
        editor.focus()
        editor.clear()
        from textual.events import Paste  # noqa: PLC0415 - used in this one place

        editor.post_message(Paste(HOSTILE))
        await until(pilot, lambda: "pjit" in editor.text)
        assert editor.text.count("pjit") == 1
        only_ours(app)


async def test_a_worker_that_ends_with_hostile_words_is_harmless(tmp_path: Path) -> None:
    app, _ = fake.tutor(
        lambda request: [Ended(HOSTILE)], folder=tmp_path, start=("what-recompiles", "one-kind-only")
    )
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(pilot, app)
        await pilot.press("ctrl+j")
        await until(pilot, lambda: app.study.record.lost)
        await pilot.pause()
        only_ours(app)
