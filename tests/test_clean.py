"""Whatever a program prints, nothing in it can command the terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jittutor.clean import clean, clean_line


def harmless(text: str) -> bool:
    return all(letter == "\n" or (ord(letter) >= 0x20 and not 0x7F <= ord(letter) <= 0x9F) for letter in text)


@pytest.mark.parametrize("code", range(0xA0))
def test_no_control_byte_passes(code: int) -> None:
    shown = clean(f"a{chr(code)}b")
    assert harmless(shown)
    if not 0x20 <= code < 0x7F and chr(code) not in "\n\t":
        assert shown != "ab", "a control byte on its own is made visible, not dropped"


@given(st.text())
def test_any_text_becomes_harmless_and_can_be_encoded(text: str) -> None:
    shown = clean(text)
    assert harmless(shown)
    shown.encode()


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E)))
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert clean(text) == text


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("a\x1b]0;title\x07b", "ab"),
        ("a\x1b]52;c;aGk=\x1b\\b", "ab"),
        ("a\x9d0;title\x9cb", "ab"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[2J\x1b[?1049lgone", "gone"),
        ("\x9b2Kgone", "gone"),
        ("\x1bPq#0\x1b\\sixel", "sixel"),
        ("\x1b", "␛"),
        ("\x7f", "␡"),
        ("\x85", "\\x85"),
        ("\u202eright to left", "\\u202eright to left"),
        ("a\tb", "a       b"),
        ("1234567\tb", "1234567 b"),
        ("\ud800", "\\ud800"),
    ],
)
def test_sequences_go_and_single_signs_are_shown(hostile: str, shown: str) -> None:
    assert clean(hostile) == shown


def test_a_sequence_that_is_never_ended_cannot_swallow_other_lines() -> None:
    assert clean("\x1b]0;title\nnext line") == "␛]0;title\nnext line"


def test_towers_of_combining_marks_are_cut() -> None:
    assert len(clean("e" + "\u0301" * 1000)) < 10
    assert clean("e\u0301") == "e\u0301"


def test_letters_of_other_scripts_stay() -> None:
    for text in ("naïve", "漢字", "λ → ∂", "здравствуй", "हिन्दी", "عربى"):
        assert clean(text) == text


def test_a_line_has_no_newline() -> None:
    assert clean_line("a\nb") == "a␊b"
