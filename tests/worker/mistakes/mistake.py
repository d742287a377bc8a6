"""A mistake that a learner makes, and what must be told about it."""

import msgspec


class Mistake(msgspec.Struct, frozen=True):
    """Code that fails at the line that ends in `# here`."""

    name: str
    code: str
    type: str
    traced: str | None
    """The whole text."""
    say: str
    """Words of the reason."""
    fix: str
    """Words of the change that helps."""
    lesson: str | None
    place: str = ""
    devices: int = 1
    """Devices it takes to make it."""

    @property
    def line(self) -> int:
        """The learner's line."""
        lines = self.code.strip("\n").splitlines()
        return next(number for number, text in enumerate(lines, 1) if text.endswith("# here"))
