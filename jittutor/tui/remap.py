"""The learner's own keys: a small TOML file in the state folder changes the table of keys.

[keys]
run = ["ctrl+j", "R"]
next = "ctrl+n"
"""

import tomllib
from pathlib import Path

import msgspec

from jittutor.tui.keys import LESSON, Key

FILE = "keys.toml"


def load(folder: Path) -> tuple[tuple[Key, ...], list[str]]:
    """The table with the learner's changes, and a sentence for each change that cannot be."""
    path = folder / FILE
    try:
        wishes = tomllib.loads(path.read_text(encoding="utf-8")).get("keys", {})
    except (FileNotFoundError, NotADirectoryError):
        return LESSON, []
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return LESSON, [f"{path} is not understood: {error}."]
    if not isinstance(wishes, dict):
        return LESSON, [f"{path}: [keys] must be a table."]
    return remapped(wishes)


def remapped(wishes: dict[str, object]) -> tuple[tuple[Key, ...], list[str]]:
    """The table with these wishes: a name of the table -> one key or several."""
    troubles = [f"{FILE}: there is no command `{name}`." for name in wishes if name not in _names()]
    wanted: dict[str, tuple[str, ...]] = {}
    for name, wish in wishes.items():
        keys = [wish] if isinstance(wish, str) else wish
        if name not in _names():
            continue
        if not isinstance(keys, list) or not keys or not all(isinstance(k, str) and k.strip() for k in keys):
            troubles.append(f"{FILE}: `{name}` needs a key or a list of keys.")
            continue
        wanted[name] = tuple(key.strip() for key in keys)
    owners = {key: name for name, keys in wanted.items() for key in keys}
    for name, keys in wanted.items():
        troubles += [
            f"{FILE}: `{key}` is `{owners[key]}`, not `{name}`." for key in keys if owners[key] != name
        ]
    table = tuple(_with(entry, wanted, owners) for entry in LESSON)
    return table, troubles


def _with(entry: Key, wanted: dict[str, tuple[str, ...]], owners: dict[str, str]) -> Key:
    """The entry with its new keys, and without those that now belong to another."""
    keys = wanted.get(entry.id, entry.keys)
    mine = tuple(key for key in keys if owners.get(key, entry.id) == entry.id)
    silent = () if entry.id in wanted else entry.silent
    silent = tuple(key for key in silent if owners.get(key, entry.id) == entry.id)
    # A command without any key can still be called by name.
    return msgspec.structs.replace(entry, keys=mine or ("",), silent=silent)


def _names() -> set[str]:
    return {entry.id for entry in LESSON}
