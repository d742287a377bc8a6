"""The tutor as lines of text: for screen readers, dumb terminals and pipes; imports no Textual."""
