"""The cells of a notebook -> the text of a lesson to go on with, and what its author must still see to.

A heading begins a step, the text below it is the prose, the code below that is the step's code. What stands
above the first step is introduction and setup.
"""

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from jittutor.lesson import slugify

type Kind = Literal["heading", "text", "code"]
_HEADING = re.compile(r"(?m)^#{1,6} +(.+?)[ #]*$")
_SHELL = re.compile(r"^\s*(?:[%!?]|\w[\w.]*\?{1,2}$)")
NO_PROSE = "Tell here what this step shows, and what to look at when it has run."


class Raw(NamedTuple):
    """A cell as it stands in the notebook."""

    is_code: bool
    text: str
    raises: bool = False


class Part:
    """A step in the making."""

    def __init__(self, title: str = "") -> None:
        """Begin without text and code."""
        self.title = title
        self.prose: list[str] = []
        self.code: list[str] = []
        self.raises = False


class Draft(NamedTuple):
    """The text of the lesson file, and sentences for its author."""

    text: str
    notes: list[str]


def convert(cells: Iterable[Raw], name: str) -> Draft:
    """The draft of a lesson; `name` is its title when the notebook has none."""
    head, steps = _parts(cell._replace(text=_plain(cell.text)) for cell in cells)
    if not steps:
        # Code without any heading: its imports are the setup, the rest is one step.
        steps, head.code = _split(head.code)
    title = head.title or _plain(name)
    pieces = [_docstring(f"{title}\n\n{_joined(head.prose) or NO_PROSE}"), _joined(head.code)]
    seen: set[str] = set()
    for number, part in enumerate(steps, 1):
        prose = _docstring("\n" + (_joined(part.prose) or NO_PROSE))
        pieces += [f"{_marker(part, number, seen)}\n{prose}", _joined(part.code)]
    return Draft("\n\n".join(filter(None, pieces)) + "\n", [*_notes(head, steps)])


def _parts(cells: Iterable[Raw]) -> tuple[Part, list[Part]]:
    head, steps, waiting = Part(), list[Part](), list[str]()
    for kind, text, raises in _pieces(cells):
        part = steps[-1] if steps else head
        if kind == "heading":
            part.prose += waiting
            waiting = []
            if not (steps or head.title or head.code):
                head.title = text
            else:
                steps.append(Part(text))
        elif kind == "text":
            # Below code it is the end of this step or the beginning of the next: what follows decides.
            (waiting if part.code else part.prose).append(text)
        elif not _repeats(text, head):
            if waiting:
                part = Part()
                steps.append(part)
                part.prose, waiting = waiting, []
            part.code.append(text)
            part.raises = part.raises or raises
    (steps[-1] if steps else head).prose.extend(waiting)
    return head, _with_code(steps)


def _with_code(steps: list[Part]) -> list[Part]:
    """Steps without code are prose of the step before, or get a line to fill."""
    kept: list[Part] = []
    for part in steps:
        if part.code or not kept:
            kept.append(part)
        else:
            kept[-1].prose += [f"**{part.title}**", *part.prose]
    for part in kept:
        part.code = part.code or ["..."]
    return kept


def _pieces(cells: Iterable[Raw]) -> Iterator[tuple[Kind, str, bool]]:
    for cell in cells:
        if cell.is_code:
            if cell.text.strip():
                yield "code", _python(cell.text), cell.raises
            continue
        at = 0
        for found in _HEADING.finditer(cell.text):
            if before := cell.text[at : found.start()].strip():
                yield "text", before, False
            yield "heading", found[1], False
            at = found.end()
        if rest := cell.text[at:].strip():
            yield "text", rest, False


def _repeats(text: str, head: Part) -> bool:
    """Whether a cell is only the setup once more, as `jittutor export` writes it."""
    first, _, rest = text.strip().partition("\n")
    return bool(head.code) and first.startswith("#") and rest.strip() == _joined(head.code)


def _split(code: list[str]) -> tuple[list[Part], list[str]]:
    lines = _joined(code).splitlines()
    tree = ast.parse("\n".join(lines))
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    end = max((node.end_lineno or 0 for node in imports), default=0)
    part = Part()
    part.code = ["\n".join(lines[end:]).strip() or "..."]
    return [part], ["\n".join(lines[:end])]


# ---------------------------------------------------------------- text


def _plain(text: str) -> str:
    """The text without what can stand in a notebook's JSON, but in no Python file."""
    text = re.sub(r"[\0\f\v\x1c-\x1e\x85\u2028\u2029]", "", text).replace("\r\n", "\n").replace("\r", "\n")
    return text.encode("utf-8", "replace").decode()


def _python(text: str) -> str:
    """The code, with what only a notebook understands made a comment."""
    lines = [f"# {line}" if _SHELL.match(line) else line for line in text.strip("\n").splitlines()]
    if text.lstrip().startswith("%%") or not _is_python("\n".join(lines)):
        lines = [f"# {line}".rstrip() for line in text.strip("\n").splitlines()]
    return _unmarked("\n".join(lines)).rstrip()


def _is_python(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        try:
            ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


def _unmarked(text: str) -> str:
    """A line that looks like a marker of ours must not become one."""
    return re.sub(r"(?m)^# ?%%", "#  %%", text)


def _joined(parts: Iterable[str]) -> str:
    return "\n\n".join(filter(None, (part.strip() for part in parts)))


def _docstring(text: str) -> str:
    quoted = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'"""{_unmarked(quoted)}\n"""'


def _marker(part: Part, number: int, seen: set[str]) -> str:
    title = re.sub(r"^\d+[.)] +", "", " ".join(part.title.replace("`", "").split())) or f"Step {number}"
    if re.match(r"(?:predict|hint|check|solution|wrong)\b", title):
        title = f"Step {number}: {title}"
    name = base = slugify(title) or f"step-{number}"
    while name in seen:
        name = f"{base}-{number}"
        number += 1
    seen.add(name)
    return f'# %% {title}  id="{name}"'


# ---------------------------------------------------------------- notes


def _notes(head: Part, steps: list[Part]) -> Iterator[str]:
    """What a lesson does otherwise than a notebook."""
    bound = dict.fromkeys(_names(_joined(head.code), ast.Store), "the setup")
    for number, part in enumerate(steps, 1):
        code = _joined(part.code)
        own = _names(code, ast.Store)
        borrowed = [
            n for n in sorted(_names(code, ast.Load) - own) if bound.get(n, "the setup") != "the setup"
        ]
        if borrowed:
            yield (
                f"step {number} uses {', '.join(borrowed)} of {bound[borrowed[0]]}, "
                "but each step starts afresh: repeat that code, or move it to the setup"
            )
        if part.raises:
            yield f'step {number} may raise: claim it, as in raises="ValueError"'
        bound |= {name: f"step {number}" for name in own if name not in bound}


def _names(code: str, how: type[ast.expr_context]) -> set[str]:
    tree = ast.parse(code)
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, how)}
    if how is ast.Store:
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                names.add(node.name)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                names |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.arg):
                names.add(node.arg)
    return names
