"""Tests of the screen, on a link that replays events."""
