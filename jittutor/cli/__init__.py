"""The command line: one small file a verb, each importing what it needs when it needs it."""
