"""Escape leaves the code, whatever comes right behind it."""

import pytest
from textual import constants
from textual._xterm_parser import XTermParser
from textual.drivers import linux_driver
from textual.events import Key

from jittutor.tui import inside
from jittutor.tui.escape import Escapes


@pytest.mark.parametrize("key", ["n", "?", ":", "z", "\n", "\r", " ", "é"])
def test_a_key_behind_escape_is_a_key_of_its_own(key: str) -> None:
    assert Escapes().cut(f"x\x1b{key}y\x1b{key}") == ["x", f"{key}y", key]


@pytest.mark.parametrize("rest", ["", "\x1b", "[A", "OP", "[200~", "]52;", "P", "b", "f", "\x7f", "2"])
def test_what_terminals_send_for_one_key_stays_one_key(rest: str) -> None:
    assert Escapes().cut(f"x\x1b{rest}") == [f"x\x1b{rest}"]


def test_a_paste_stays_whole_also_when_it_comes_in_pieces() -> None:
    escapes = Escapes()
    assert escapes.cut("\x1b[200~a\x1bn") == ["\x1b[200~a\x1bn"]
    assert escapes.cut("\x1bn\x1b[201~\x1bn") == ["\x1bn\x1b[201~", "n"]


@pytest.mark.parametrize("key", ["n", "?"])
def test_a_key_that_comes_just_behind_escape_is_one_too(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linux_driver, "XTermParser", XTermParser)
    monkeypatch.setattr(constants, "ESCAPE_DELAY", 0.0)
    inside.read_with_care()
    parser = vars(linux_driver)["XTermParser"]()
    heard = [message for data in ("\x1b", key) for message in parser.feed(data)] + list(parser.tick())
    assert [message.character for message in heard if isinstance(message, Key)] == ["\x1b", key]
