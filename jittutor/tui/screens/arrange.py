"""Which panes are on the screen, by its size and the learner's choice. Names in, class names out."""

import msgspec

LEFT = ("read", "editor")
RIGHT = ("calls", "why", "prints", "programs")
PANES = (*LEFT, *RIGHT)
WIDE, TALL = 100, 30
NEED = (60, 16)
SHORT = [(0, "-short"), (TALL, "-tall")]
"""Classes of a page by the rows of the screen: a short one gives it all."""


class Arrangement(msgspec.Struct, frozen=True):
    """How the lesson screen is divided."""

    width: int = 80
    height: int = 24
    top: str = "read"
    """The pane at the top when there is room for one."""
    tab: str = "calls"
    """The pane at the bottom (or right) when there is room for one."""
    zoomed: str | None = None

    @property
    def is_small(self) -> bool:
        """Whether nothing useful fits."""
        return self.width < NEED[0] or self.height < NEED[1]

    @property
    def is_narrow(self) -> bool:
        """Whether the columns stand below each other."""
        return self.width < WIDE

    @property
    def is_tabbed(self) -> bool:
        """Whether the panes of the right column share one place."""
        return self.is_narrow or self.height < TALL

    def sees(self, pane: str) -> bool:
        """Whether this pane is on the screen."""
        if self.zoomed is not None:
            return pane == self.zoomed
        if pane in LEFT:
            return not self.is_narrow or pane == self.top
        return not self.is_tabbed or pane == self.tab

    def to(self, pane: str) -> "Arrangement":
        """The same with this pane in sight."""
        if self.zoomed is not None:
            return msgspec.structs.replace(self, zoomed=pane, **_slot(pane))
        return msgspec.structs.replace(self, **_slot(pane))

    def zoom(self, pane: str) -> "Arrangement":
        """The same with one pane on the whole screen, or no longer."""
        return msgspec.structs.replace(self, zoomed=None if self.zoomed else pane)


def _slot(pane: str) -> dict[str, str]:
    return {"top": pane} if pane in LEFT else {"tab": pane}
