"""The real program on a real pseudo terminal."""
