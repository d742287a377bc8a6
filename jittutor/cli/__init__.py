"""The command line: one small file a verb, each imports what it needs when it is used."""
