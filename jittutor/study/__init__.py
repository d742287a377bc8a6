"""A learner at a step, whatever shows it: the facts behind the screen and behind the plain lines."""
