"""What learners, machines and connections do to the tutor: each fault a row, on the real program."""
