"""The screens; each holds panes."""
