"""Writes the README's picture with the tutor itself: `uv run python -m tests.pictures`."""

import asyncio
import os
import tempfile
from pathlib import Path

os.environ |= {"TERM": "xterm-256color", "COLORTERM": "truecolor"}

from tests.tui import fake
from tests.tui.wait import ran, ready


async def picture(size: tuple[int, int], *keys: str, theme: str = "jittutor-dark") -> str:
    """The screen as SVG after these keys."""
    with tempfile.TemporaryDirectory() as folder:
        app, _ = fake.tutor(folder=Path(folder), theme=theme)
        async with app.run_test(size=size) as pilot:
            await ready(pilot, app)
            for key in keys:
                await pilot.press(key)
                if key == "ctrl+j":
                    await ran(pilot, app)
            # Without this, some viewers drop the spaces at the start of a coloured piece.
            return app.export_screenshot(simplify=True).replace("<text ", '<text xml:space="preserve" ')


def main() -> None:
    """Write screenshot.svg beside the README."""
    target = Path(__file__).parent.parent / "screenshot.svg"
    target.write_text(asyncio.run(picture((120, 36), "b", "ctrl+j", "c", "down", "down")), encoding="utf-8")


if __name__ == "__main__":
    main()
