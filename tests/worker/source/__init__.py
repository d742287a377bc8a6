"""Scripts that the tests run: read as text, never imported."""
