"""Escape and a letter that come together are two keys: only Alt looks the same, and no key here needs it."""

import re

_BEGIN, _END = "\x1b[200~", "\x1b[201~"
# Not before what begins a sequence, and not before what terminals send for one key: Alt with an arrow,
# Backspace or Tab, and the signs of Option with a digit.
_MARKS = re.compile(r"\x1b\[20[01]~|\x1b(?=[^\x1b\[OP\]_^X\\bf\x7f\t§0-9=-])")


class Escapes:
    """Finds each Escape that a key follows; in a paste there is none."""

    _in_paste = False

    def cut(self, typed: str) -> list[str]:
        """The text before the first such Escape, between it and the next, and so on."""
        pieces, start = [], 0
        for found in _MARKS.finditer(typed):
            if found[0] in (_BEGIN, _END):
                self._in_paste = found[0] == _BEGIN
            elif not self._in_paste:
                pieces.append(typed[start : found.start()])
                start = found.end()
        return [*pieces, typed[start:]]
