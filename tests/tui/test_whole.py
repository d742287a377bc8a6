"""What holds of the whole screen: colours can be read, keys have one meaning, imports stay light."""

import subprocess
import sys
from pathlib import Path

from rich.color import ColorSystem
from textual.color import Color

from jittutor.tui import keys
from jittutor.tui.panes.editor import Editor
from jittutor.tui.theme import THEMES
from tests.tui import fake
from tests.tui.wait import ready, until


def contrast(one: Color, other: Color) -> float:
    """The ratio as WCAG 2 defines it."""

    def luminance(colour: Color) -> float:
        parts = [part / 255 for part in colour.rgb]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_every_text_can_be_read_on_its_background() -> None:
    for theme in THEMES:
        if theme.ansi:
            continue
        back = [Color.parse(str(theme.background)), Color.parse(theme.variables["chosen"])]
        back.append(Color.parse(str(theme.panel)))
        words = (
            "trace",
            "build",
            "run",
            "right",
            "wrong",
            "muted",
            "code-comment",
            "code-keyword",
            "code-string",
        )
        colours = {name: theme.variables[name] for name in words} | {"fore": str(theme.foreground)}
        for name, colour in colours.items():
            for behind in back:
                for pair in ((behind, Color.parse(colour)), (in_256(behind), in_256(Color.parse(colour)))):
                    ratio = contrast(*pair)
                    assert ratio >= 4.5, (theme.name, name, pair, round(ratio, 2))


def in_256(colour: Color) -> Color:
    """The colour as a terminal with 256 of them gets it."""
    return Color.from_rich_color(colour.rich_color.downgrade(ColorSystem.EIGHT_BIT))


def test_what_lies_behind_text_stays_near_grey_in_256_colours() -> None:
    for theme in THEMES:
        if not theme.ansi:
            for colour in (str(theme.background), str(theme.panel), theme.variables["chosen"]):
                behind = in_256(Color.parse(colour))
                assert max(behind.rgb) - min(behind.rgb) <= 40, (theme.name, colour, behind)


def test_every_key_has_one_meaning_and_a_tooltip_and_needs_no_special_key() -> None:
    seen: set[str] = set()
    for key in keys.LESSON:
        assert not seen & set(key.keys), key
        seen |= set(key.keys) | set(key.silent)
        assert key.tooltip.endswith(".")
        assert any(len(name) == 1 or name in ("ctrl+j", "space", "tab", "ctrl+l") for name in key.keys), key


def test_the_screen_loads_neither_jax_nor_numpy_and_not_too_much() -> None:
    program = (
        "import jittutor.tui.app, sys; print(len(sys.modules), 'jax' in sys.modules, 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    count, jax, numpy = done.stdout.split()
    assert (jax, numpy) == ("False", "False")
    assert int(count) < 520, "importing more than this makes the first paint late"


async def test_nothing_ticks_while_nothing_happens(tmp_path: Path) -> None:
    app, _ = fake.tutor(folder=tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await ready(pilot, app)
        await pilot.press("b", "ctrl+j")
        await until(pilot, lambda: app.study.known.done)
        await until(pilot, lambda: app.lesson_screen._clock is None)
        assert not app.screen.query_one(Editor).cursor_blink
