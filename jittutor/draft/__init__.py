"""Lessons that are about to be written: a skeleton, or a notebook turned into a draft."""
