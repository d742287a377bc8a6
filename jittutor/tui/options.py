"""How the tutor should look and behave in this terminal; decided before the screen starts."""

import msgspec


class Options(msgspec.Struct, frozen=True):
    """What the command line and the terminal asked for."""

    ascii: bool = False
    """Draw with ASCII signs only."""
    mouse: bool = True
    slow: bool = False
    """Send as few bytes as possible."""
    theme: str = "jittutor-dark"
