"""Colours that a program prints: kept as far as they can be read, and nothing else of them gets through."""

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.color import Color
from textual.theme import Theme

from jittutor.event import Done, Event, Printed, Run
from jittutor.study import sgr
from jittutor.study.output import Output
from jittutor.tui import inks
from jittutor.tui.theme import THEMES
from tests.tui import fake
from tests.tui.wait import ran, ready, screen_text

RED, BOLD, PLAIN = "\x1b[31m", "\x1b[1m", "\x1b[0m"
PARTS = st.sampled_from(
    ["\x1b", "[", "31", ";", "m", "\x1b[32m", "\x1b[m", "\x9b1m", "\x1b[2J", "\x1b]0;", "\x07", "a", "\t",
     "\r", "\n", "é", "e\u0301", "漢", "\x1b[38;5;200m", "\x1b[4:3;38:2::9:8:7m", "\x1b[" + "9" * 5000 + "m"]
)  # fmt: skip
TEXT = st.lists(PARTS | st.characters(max_codepoint=0x2FF), max_size=30).map("".join)


def palette(theme: Theme) -> inks.Palette:
    return inks.palette(theme.to_color_system().generate() | theme.variables, is_ansi=theme.ansi)


def printed(*texts: str, stream: str = "stdout") -> Output:
    output = Output()
    output.add([Printed(1, text, "stderr" if stream == "stderr" else "stdout") for text in texts])
    return output


def looks(*texts: str) -> list[tuple[str, sgr.Looks]]:
    return [(line.text, line.looks) for line in printed(*texts).lines]


class TestWhatIsKept:
    def test_a_colour_begins_and_ends_where_it_was_printed(self) -> None:
        assert looks(f"a{RED}b{BOLD}c{PLAIN}d\n") == [("abcd", ((1, "31"), (2, "1;31"), (3, "")))]

    def test_it_holds_over_lines_until_it_is_ended_as_in_a_terminal(self) -> None:
        assert looks(f"{RED}a\n", f"b{PLAIN}c\n", "d\n") == [
            ("a", ((0, "31"),)), ("bc", ((0, "31"), (1, ""))), ("d", ())]  # fmt: skip

    def test_a_value_is_not_printed_by_the_program_and_takes_no_colour(self) -> None:
        output = Output()
        output.add([Printed(1, f"{RED}a\n"), Printed(1, "3\n", "value"), Printed(1, "b\n")])
        assert [line.looks for line in output.lines] == [((0, "31"),), (), ((0, "31"),)]

    def test_a_new_run_begins_plain(self) -> None:
        printed(f"{RED}a\n")
        assert looks("a\n") == [("a", ())]

    @pytest.mark.parametrize("cut", range(1, len(RED)))
    def test_a_sequence_may_come_in_two_parts(self, cut: int) -> None:
        assert looks("a" + RED[:cut], RED[cut:] + "b\n") == [("ab", ((1, "31"),))]

    def test_what_follows_a_carriage_return_covers_colours_too(self) -> None:
        bar = f"\r{RED}##{PLAIN}--"
        assert looks("abcdef", bar, "\n") == [("##--ef", ((0, "31"), (2, "")))]
        assert looks(*[bar] * 1000) == [("##--", ((0, "31"), (2, "")))]
        assert looks(f"{RED}abcd\rx{PLAIN}y\n") == [("xycd", ((0, "31"), (1, ""), (2, "31")))]

    @pytest.mark.parametrize(
        ("said", "look"),
        [("", ""), ("1;31", "1;31"), ("31;0", ""), ("38;5;9", "38;5;9"), ("38:2::1:2:3", "38;2;1;2;3"),
         ("48;2;1;2;3;4", "48;2;1;2;3;4"), ("4:3", "4"), ("4:0", ""), ("38;5", ""), ("1;22", ""), ("5", ""),
         ("99999999", ""), ("31;91", "91"), ("7;27", "")],
    )  # fmt: skip
    def test_what_parameters_mean(self, said: str, look: str) -> None:
        assert sgr.after("", said) == look

    def test_no_line_has_more_changes_than_are_kept(self) -> None:
        (line,) = printed("".join(f"\x1b[{30 + n % 8}m{n}" for n in range(5000))).lines
        assert len(line.looks) == sgr.CHANGES


class TestWhatGetsThrough:
    @given(TEXT)
    def test_no_control_byte_does(self, text: str) -> None:
        for line, theme in itertools.product(printed(text).lines, THEMES):
            shown = inks.coloured(line.text, line.looks, palette(theme), "").plain
            assert all(ord(sign) >= 0x20 and not 0x7F <= ord(sign) <= 0x9F for sign in shown), shown

    @given(TEXT, st.lists(st.integers(0, 100), max_size=5))
    def test_it_is_the_same_however_the_text_was_cut(self, text: str, cuts: list[int]) -> None:
        places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
        pieces = [text[a:b] for a, b in itertools.pairwise(places) if a < b]
        assert looks(*pieces, "\n") == looks(text, "\n")


class TestWhatCanBeRead:
    @pytest.mark.parametrize("theme", [theme for theme in THEMES if not theme.ansi], ids=lambda t: t.name)
    def test_every_colour_on_every_background(self, theme: Theme) -> None:
        own = palette(theme)
        every = [str(n) for n in (*range(30, 38), *range(90, 98))] + [f"38;5;{n}" for n in range(256)]
        backs = ["", "40", "41", "47", "48;5;16", "48;5;21", "48;5;244", "48;5;226", "48;2;255;255;255"]
        for fore, back, dim in itertools.product(every, backs, ("", "2")):
            style = inks.style(";".join(filter(None, [fore, back, dim])), own)
            assert style.foreground is not None
            behind = style.background if back else Color.parse(own.back)
            assert behind is not None
            assert inks.contrast(style.foreground, behind) >= inks.READABLE, (fore, back, dim)

    def test_sixteen_colours_leave_out_what_may_be_that_of_the_background(self) -> None:
        own = palette(next(theme for theme in THEMES if theme.ansi))
        for look in ("30", "37", "90", "97", "38;5;16", "38;2;250;250;250"):
            assert inks.style(look, own).foreground is None
        assert inks.style("31", own).foreground == Color.parse("ansi_red")
        assert inks.style("33;43", own).foreground == Color.parse("ansi_black")

    def test_letters_keep_what_needs_no_colour(self) -> None:
        for theme in THEMES:
            style = inks.style(sgr.after("", "1;3;4;7;9"), palette(theme))
            assert (style.bold, style.italic, style.underline, style.reverse, style.strike) == (True,) * 5


async def test_the_pane_shows_the_colours_and_not_their_codes(tmp_path: Path) -> None:
    def paints(request: Run) -> list[Event]:
        return [Printed(request.run, f"plain {RED}red{PLAIN}\n"), Done(request.run, "ok", 0.1)]

    app, _ = fake.tutor(paints, folder=tmp_path, start=("what-recompiles", "one-kind-only"))
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(pilot, app)
        await pilot.press("ctrl+j", "o")
        await ran(pilot, app)
        assert any("plain red" in line for line in screen_text(app))
        pieces = [piece for strip in app.screen._compositor.render_strips() for piece in strip]
        (red,) = [piece for piece in pieces if piece.text == "red"]
        assert red.style is not None
        assert red.style.color is not None
        assert red.style.color.get_truecolor().hex == app.theme_variables["wrong"].lower()
