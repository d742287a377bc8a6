"""XLA's text of a program without its tables of source files, which are mostly frames of the tutor."""

TABLES = ("FileNames", "FunctionNames", "FileLocations", "StackFrames")


def readable(text: str) -> str:
    """The text as it is read: a comment stands where the tables were."""
    kept: list[str] = []
    left_out = 0
    in_table = False
    for line in text.split("\n"):
        in_table = line in TABLES or (in_table and line[:1].isdigit())
        if in_table:
            left_out += 1
        elif not (left_out and not line and not kept[-1]):
            kept.append(line)
    if left_out:
        kept.insert(1, f"// {left_out} lines of tables of source files are left out")
    return "\n".join(kept)
