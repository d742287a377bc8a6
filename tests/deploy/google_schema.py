"""Reads the real schema of Terraform's google provider out of its prebuilt bindings: no provider, no network.

The bindings (cdktn-provider-google) hold, for each resource, JavaScript that lists its arguments: type, block
or attribute, single or list, required or not. Nothing of it is kept here: it is read when a test runs.
Not in it: what only the provider's own code knows (allowed values, arguments that exclude each other).
"""

import importlib.util
import json
import re
import tarfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PACKAGE = "cdktn_provider_google"

type Cty = str | list[Any]
"""A type in Terraform's own notation: "string", ["list", "string"], …"""

_FUNCTION = re.compile(r"^function (\w+)ToHclTerraform\(struct\) \{(.*?)^\}", re.DOTALL | re.MULTILINE)
_ARGUMENT = re.compile(
    r"^\s+(\w+): \{\s+value: .*?,\n\s+isBlock: (?:true|false),"
    r"\s+type: \"(\w+)\",\s+storageClassType: \"(\w+)\"",
    re.MULTILINE,
)
_CLASS = re.compile(r"^class (\w+) extends cdk(?:tf|tn)\.\w+ \{(.*?)^\}", re.DOTALL | re.MULTILINE)
_FLAGS = re.compile(r"// (\w+) - computed: (true|false), optional: (true|false), required: (true|false)")
_PRIMITIVE = {"string": "string", "number": "number", "boolean": "bool", "any": "dynamic"}
_GETTERS = {"getNumberAttribute": "number", "getBooleanAttribute": "bool", "getStringAttribute": "string",
            "getListAttribute": ["list", "string"]}  # fmt: skip


@dataclass(frozen=True)
class Attribute:
    """One plain argument or exported value."""

    name: str
    type: Cty
    required: bool
    optional: bool
    computed: bool


@dataclass(frozen=True)
class Nested:
    """A block inside a block; `single` means at most one."""

    name: str
    block: "Block"
    nesting: str
    required: bool
    single: bool


@dataclass(frozen=True)
class Block:
    """What may stand in a resource, or in a block of it."""

    attributes: list[Attribute] = field(default_factory=list)
    blocks: list[Nested] = field(default_factory=list)


def used(folder: Path) -> set[tuple[str, str]]:
    """The kinds and types that the *.tf files of a folder use: ("resource", "google_compute_network"), …"""
    text = "\n".join(path.read_text() for path in folder.glob("*.tf"))
    return set(re.findall(r'^\s*(resource|data)\s+"(google_\w+)"', text, re.MULTILINE))


def binding(kind: str, name: str) -> str:
    """The folder of the bindings that has this type."""
    return (f"data-{name}" if kind == "data" else name.removeprefix("google_")).replace("_", "-")


def read(folders: Iterable[str]) -> dict[str, Block]:
    """The schema in each of these folders of the bindings; a folder that is not there is left out."""
    spec = importlib.util.find_spec(PACKAGE)
    assert spec
    assert spec.submodule_search_locations
    (archive,) = (Path(spec.submodule_search_locations[0]) / "_jsii").glob("*.tgz")
    wanted, sources = set(folders), dict[str, list[str]]()
    with tarfile.open(archive) as tar:
        for member in tar:
            parts = member.name.split("/")
            if member.name.endswith(".js") and len(parts) > 3 and parts[1] == "lib" and parts[2] in wanted:
                file = tar.extractfile(member)
                assert file
                sources.setdefault(parts[2], []).append(file.read().decode())
    return {folder: _Source("\n".join(texts)).resource() for folder, texts in sources.items()}


class _Source:
    """The JavaScript of one resource."""

    def __init__(self, text: str) -> None:
        self._structs = {
            name[0].upper() + name[1:]: _arguments(body) for name, body in _FUNCTION.findall(text)
        }
        self._classes: dict[str, str] = dict(_CLASS.findall(text))

    def resource(self) -> Block:
        """The outermost block."""
        body = next(body for body in self._classes.values() if "synthesizeHclAttributes" in body)
        return self._block(_arguments(body), body)

    def _block(self, arguments: dict[str, tuple[str, str]], body: str) -> Block:
        block = Block()
        for name, (computed, optional, required) in _flags(arguments, body).items():
            kind, storage = arguments.get(name, ("", ""))
            cty = _cty(kind, storage) if name in arguments else self._computed(body, name)
            if cty is not None:
                free = not required
                block.attributes.append(Attribute(name, cty, required, optional and free, computed and free))
            else:
                block.blocks.append(self._nested(name, kind, storage, body, required=required))
        return block

    def _nested(self, name: str, kind: str, storage: str, body: str, *, required: bool) -> Nested:
        struct = storage if storage in self._structs else re.sub(r"(List|Set|Map)$", "", storage)
        inner = self._block(self._structs[struct], self._classes.get(f"{struct}OutputReference", ""))
        single = re.search(rf"new \w+OutputReference\(this, \"{name}\"\)", body) is not None
        nesting = "SINGLE" if name == "timeouts" else "SET" if kind == "set" else "LIST"
        return Nested(name, inner, nesting, required and nesting != "SINGLE", single and nesting != "SINGLE")

    def _computed(self, body: str, name: str) -> Cty:
        """The type of a value that only the provider sets, from the getter that reads it."""
        if match := re.search(rf"new (\w+?)List\(this, \"{name}\", (true|false)\)", body):
            inside = self._classes.get(f"{match[1]}OutputReference")
            if inside is not None:
                fields = {flag[0]: self._computed(inside, flag[0]) for flag in _FLAGS.findall(inside)}
                return ["set" if match[2] == "true" else "list", ["object", fields]]
        getter = re.search(rf"// {name} - computed: [^\n]+\n\s*get \w+\(\) \{{\s*return ([^;]+);", body)
        code = getter[1] if getter else ""
        for call, cty in _GETTERS.items():
            if call in code:
                return cty  # type: ignore[return-value] # str or list, both are Cty
        return ["map", "string"] if "Map" in body and f'"{name}"' in body else "string"


def _arguments(body: str) -> dict[str, tuple[str, str]]:
    return {name: (kind, storage) for name, kind, storage in _ARGUMENT.findall(body)}


def _flags(arguments: dict[str, tuple[str, str]], body: str) -> dict[str, tuple[bool, bool, bool]]:
    """Computed, optional, required for each name; a plain argument that cannot be reset is required."""
    flags = {name: (c == "true", o == "true", r == "true") for name, c, o, r in _FLAGS.findall(body)}
    for name in arguments.keys() - flags.keys():
        camel = "".join(word[:1].upper() + word[1:] for word in name.split("_"))
        optional = f"reset{camel}()" in body
        flags[name] = (name == "id", optional, not optional)
    return flags


def _cty(kind: str, storage: str) -> Cty | None:
    """The type of an attribute; None for a block."""
    if kind == "simple":
        return _PRIMITIVE.get(storage)
    match = re.fullmatch(r"(string|number|boolean|any)(?:List|Map|Set)?", storage)
    return [kind, _PRIMITIVE[match[1]]] if match else None


def encoded(cty: Cty) -> bytes:
    """A type as Terraform's protocol wants it."""
    return json.dumps(cty).encode()
