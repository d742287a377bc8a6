"""A scrolling list of lines of which only the visible ones are ever drawn."""

from typing import ClassVar

from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.cache import LRUCache
from textual.content import Content
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from jittutor.tui.say import say_line

MORE = say_line("…", "$muted")


class Lines(ScrollView, can_focus=True):
    """The base of every pane that may hold very many lines; a subclass gives `length` and `content`."""

    DEFAULT_CSS = """
    Lines {
        scrollbar-size-horizontal: 0;
        scrollbar-size-vertical: 1;
        background: $background;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "scroll_left", show=False),
        Binding("right", "scroll_right", show=False),
    ]
    ALLOW_SELECT = True

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name for it
        """Hold no lines yet."""
        super().__init__(id=id)
        self._strips: LRUCache[int, Strip] = LRUCache(512)

    def length(self) -> int:
        """How many lines there are."""
        raise NotImplementedError

    def content(self, at: int) -> Content:
        """The line at this place."""
        raise NotImplementedError

    def pinned(self, at: int) -> Content | None:  # noqa: ARG002 - for those who have something to pin
        """What stands at the right edge of this line, however far the text is scrolled."""
        return None

    def widest(self) -> int:
        """The cells of the widest line, as far as is known."""
        return 0

    def changed(self) -> None:
        """Draw again after the lines changed; the scroll position stays."""
        self._strips.clear()
        size = Size(self.widest(), self.length())
        if size != self.virtual_size:
            self.virtual_size = size
        self.refresh()

    def notify_style_update(self) -> None:
        """Forget what was drawn in other colours."""
        super().notify_style_update()
        self._strips.clear()

    def on_resize(self) -> None:
        """Forget what was drawn for another width."""
        self._strips.clear()

    def render_line(self, y: int) -> Strip:
        """One visible line."""
        x, top = self.scroll_offset
        at, width = top + y, self.scrollable_content_region.width
        if at >= self.length():
            return Strip.blank(width, self.rich_style)
        note, line = self.pinned(at), self._whole(at)
        pin = Strip([]) if note is None else self._strip(note)
        room = max(0, width - pin.cell_length)
        text = line.crop_extend(x, x + room, self.rich_style)
        if line.cell_length > x + room > x:
            # Something is hidden at the right: say so instead of looking complete.
            text = Strip.join([text.crop(0, room - 1), self._strip(MORE)])
        return Strip.join([text, pin])

    def _whole(self, at: int) -> Strip:
        strip = self._strips.get(at)
        if strip is None:
            strip = self._strip(self.content(at)).apply_offsets(0, at)
            self._strips[at] = strip
        return strip

    def _strip(self, content: Content) -> Strip:
        pieces = content.render(self.visual_style, end="", parse_style=self._get_style)
        return Strip([Segment(text, style.rich_style) for text, style in pieces])

    def get_selection(self, selection: Selection) -> tuple[str, str]:
        """The text under a mouse selection."""
        text = "\n".join(self.content(at).plain for at in range(self.length()))
        return selection.extract(text), "\n"

    def selection_updated(self, selection: Selection | None) -> None:  # noqa: ARG002 - Textual's signature
        """Draw again: the selection moved."""
        self._strips.clear()
        self.refresh()
