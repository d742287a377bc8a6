"""Running text: paragraphs, lists and code, wrapped to the width with hanging indents."""

import re
from collections.abc import Iterable, Iterator

import msgspec
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from jittutor.tui.panes.code import coloured
from jittutor.tui.say import join, say, stack

_ITEM = re.compile(r"(?P<mark>[-*]|\d+[.)])\s+(?P<text>.*)", re.DOTALL)
_INLINE = re.compile(
    r"``(?P<double>.+?)``|`(?P<code>[^`]+)`|\*\*(?P<bold>[^*]+)\*\*|(?<!\w)\*(?P<slant>[^*\s][^*]*)\*"
)


class Block(msgspec.Struct, frozen=True):
    """A piece of text; `hang` is how far its lines after the first are moved in."""

    text: Content
    hang: int = 0
    wraps: bool = True
    gap: bool = True
    """Whether an empty line stands above."""


def rows(lines: Iterable[Content], hang: int = 0) -> list[Block]:
    """Lines below each other, none of them a paragraph of its own."""
    return [Block(line, hang, gap=False) for line in lines]


def inline(text: str, style: str = "") -> Content:
    """One paragraph with `code`, **bold** and *slanted* words."""
    pieces: list[Content] = []
    at = 0
    for found in _INLINE.finditer(text):
        pieces.append(say(text[at : found.start()]))
        code = found["double"] or found["code"]
        bold, slant = found["bold"], found["slant"]
        pieces.append(
            say(code, "$code-type") if code else say(bold, "bold") if bold else say(slant, "italic")
        )
        at = found.end()
    whole = join(*pieces, say(text[at:]))
    return whole.stylize_before(style) if style else whole


def blocks(text: str) -> Iterator[Block]:
    """Prose as a lesson writes it -> its blocks."""
    for part in re.split(r"\n[ \t]*\n", _fenced(text.expandtabs(4))):
        lines = part.split("\n")
        if all(line.startswith("    ") for line in lines if line.strip()) and part.strip():
            yield from _code(lines)
        elif _ITEM.match(part.strip()):
            yield from _list(part)
        elif part.startswith("#"):
            yield Block(inline(part.lstrip("# "), "bold"))
        elif part.strip():
            yield Block(inline(" ".join(part.split())))


def _fenced(text: str) -> str:
    """Code between ``` fences as indented code."""
    shown: list[str] = []
    inside = False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            inside = not inside
            shown.append("")
        else:
            shown.append("    " + (line or " ") if inside else line)
    return "\n".join(shown)


def _code(lines: list[str]) -> Iterator[Block]:
    for n, line in enumerate(lines):
        yield Block(join("  ", coloured(line[4:], "python")), wraps=False, gap=n == 0)


def _list(part: str) -> Iterator[Block]:
    items = re.split(r"\n(?=\s*(?:[-*]|\d+[.)])\s)", part.strip())
    for n, item in enumerate(items):
        found = _ITEM.match(item.strip())
        assert found
        mark = "•" if found["mark"] in "-*" else found["mark"]
        text = inline(" ".join(found["text"].split()))
        yield Block(join(f"{mark} ", text), len(mark) + 1, gap=n == 0)


def laid_out(content: list[Block], width: int) -> list[Content]:
    """The lines for this width."""
    lines: list[Content] = []
    for block in content:
        if block.gap and lines:
            lines.append(Content(""))
        if not block.wraps or width <= block.hang + 8:
            lines.append(block.text)
            continue
        lines += _wrapped(block, width)
    return lines


def _wrapped(block: Block, width: int) -> Iterator[Content]:
    first, *more = block.text.wrap(width) or [Content("")]
    yield first
    if more:
        # Wrapped again without the first line: the lines below it are narrower.
        rest = block.text[len(first.plain) :]
        rest = rest[len(rest.plain) - len(rest.plain.lstrip()) :]
        for line in rest.wrap(width - block.hang):
            yield join(" " * block.hang, line)


def _alike(one: Block, other: Block) -> bool:
    """Whether two blocks look the same; content in other colours counts as equal for `==`."""
    return one == other and one.text.is_same(other.text)


class Flow(Widget):
    """Blocks of text that take the height they need."""

    DEFAULT_CSS = "Flow { height: auto; width: 1fr; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name for it
        """Hold no text yet."""
        super().__init__(id=id)
        self.content: list[Block] = []

    def show(self, content: list[Block]) -> None:
        """Show these blocks."""
        same = len(content) == len(self.content) and all(map(_alike, content, self.content))
        if not same:
            self.content = content
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - Textual's signature
        """The lines it takes at this width."""
        return len(laid_out(self.content, width))

    def render(self) -> Content:
        """The lines."""
        return stack(laid_out(self.content, self.size.width))

    def plain(self) -> str:
        """The text, one paragraph a line."""
        return "\n".join(("\n" if block.gap else "") + block.text.plain for block in self.content).strip()
