"""The tutor without a screen."""
