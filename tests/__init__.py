"""The tests: each says in a sentence what must hold."""
