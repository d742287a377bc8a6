"""Code spans in a lesson's prose: what they name must be in the step's code, in its output, or in JAX.

Looked up in this order: Python's own words, the names of the code, the words of the output (prints,
values, errors, jaxprs), the pack's words.txt, and last the worker is asked whether JAX or NumPy has it.
"""

import ast
import builtins
import functools
import keyword
import re
import warnings
from collections.abc import Iterable, Iterator

from jittutor.claims import Verdict
from jittutor.event import Ask
from jittutor.lesson import Lesson, Step
from jittutor.record import Record

ASK = "names"
PHASES = ("hit", "miss", "trace", "lower", "compile", "execute")
PLACEHOLDERS = frozenset(
    """a args b body body_fun carry cond_fun condition false_fun first fun if_false if_true index init key
    kwargs last length lower n name operand shape size start step true_fun upper value which x xs y""".split()  # noqa: SIM905 - a list of words is read as text
)
"""Words that stand for an argument when the form of a call is told: `jnp.where(condition, a, b)`."""
_FENCE = re.compile(r"(?ms)^ *(```|~~~)[^\n]*\n(?P<code>.*?)^ *\1 *$")
_SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_TEXT = re.compile(r"""[rbf]?("[^"]*"|'[^']*')""")
_PATH = re.compile(r"\.?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_TYPED = re.compile(r"jittutor( .*)?|(ctrl|shift)\+\w+")
"""What the learner types at a terminal."""
_OWN = frozenset(
    {
        *keyword.kwlist,
        *dir(builtins),
        "jax",
        "jnp",
        "lax",
        "np",
        *PHASES,
    }
)


def spans(text: str) -> list[str]:
    """What stands between single backticks, in order, each on one line."""
    return [_one_line(span) for span in _SPAN.findall(_FENCE.sub("", text))]


def blocks(text: str) -> list[str]:
    """The lines of the fenced blocks of code."""
    return [_one_line(line) for found in _FENCE.finditer(text) for line in found["code"].splitlines()]


def without_code(text: str) -> str:
    """The prose alone."""
    return _SPAN.sub(" ", _FENCE.sub("", text))


def told(lesson: Lesson, step: Step) -> str:
    """All prose of a step that the learner reads; the introduction belongs to the first step."""
    intro = lesson.intro if step == lesson.steps[0] else ""
    guesses = (text for p in step.predicts for text in (p.question, *(choice.why for choice in p.choices)))
    return "\n\n".join((intro, step.prose, *guesses, *step.hints))


def paths(text: str) -> list[str]:
    """The dotted names in the spans of a text, each once; a name after a bracket keeps its dot."""
    bare = (_TEXT.sub(" ", span) for span in spans(text))
    return list(dict.fromkeys(path for span in bare for path in _PATH.findall(span)))


def asks(lesson: Lesson, step: Step) -> list[Ask]:
    """What the worker is asked: which of the names JAX, NumPy and the step's own objects do not have."""
    names = paths(told(lesson, step))
    return [Ask(ASK, f"{_LOOK}\n_hold({names!r})", "check", step.line)] if names else []


def hold(
    lesson: Lesson, step: Step, records: Iterable[Record], words: Iterable[str] = ()
) -> Iterator[Verdict]:
    """Whether the step's text keeps to what is there; nothing when it holds no span."""
    first, *others = records
    found = spans(told(lesson, step))
    if found and first.lost is None:
        source = _sources(lesson, step)
        code, output = "\n".join(source), "\n".join(map(_output, (first, *others)))
        answer = first.answers.get(ASK)
        missing = set(answer.text.split()) if answer and not answer.ok else set()
        known = frozenset({*_OWN, *PLACEHOLDERS, *words, *_names(code), *_PATH.findall(output)})
        strange = [span for span in found if not _is_known(span, f"{code}\n{output}", known, missing)]
        expected = "each name in the text is in the code, in the output, or in JAX"
        actual = f"not found: {', '.join(dict.fromkeys(strange))}" if strange else "all found"
        yield Verdict("spans", expected, actual, not strange, step.line)
    if step.hints and step.solution is not None:
        shown = [
            piece for hint in step.hints for piece in (*spans(hint), *blocks(hint)) if _PATH.search(piece)
        ]
        start, end = _one_line(step.source), _one_line(step.solution.source)
        ok = any(piece in end and piece not in start for piece in shown)
        expected = "a hint shows code of the solution that the start code does not have"
        yield Verdict("hints", expected, " | ".join(shown) or "no code", ok, step.line)


def _sources(lesson: Lesson, step: Step) -> list[str]:
    own = [step.source, step.solution.source if step.solution else ""]
    # The introduction speaks of the lesson as a whole.
    rest = [other.source for other in lesson.steps if step == lesson.steps[0]]
    return [lesson.setup, *own, *(wrong.source for wrong in step.wrongs), *rest]


def _is_known(span: str, text: str, known: frozenset[str], missing: set[str]) -> bool:
    if span in known or span in _one_line(text) or _TYPED.fullmatch(span):
        return True
    found = _PATH.findall(_TEXT.sub(" ", span))
    return bool(found) and all(_path_is_known(path, known, missing) for path in found)


def _path_is_known(path: str, known: frozenset[str], missing: set[str]) -> bool:
    root, *rest = path.split(".")
    if path in known or (path not in missing and (not rest or root in known or not root)):
        return True
    return root in known and all(part in known or f".{part}" in known for part in rest)


@functools.lru_cache(maxsize=64)
def _names(code: str) -> frozenset[str]:
    """The names of the code, also those of attributes, arguments and keywords."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        tree = ast.parse(code)
    fields = ("id", "attr", "arg", "name", "module")
    found = {str(getattr(node, field, "")) for node in ast.walk(tree) for field in fields}
    return frozenset(part for name in found for part in (name, *name.split(".")) if part)


def _output(record: Record) -> str:
    error = record.error
    parts = [printed.text for printed in record.output]
    parts += [text for program in record.programs for text in (program.jaxpr, program.signature)]
    parts += [program.stablehlo or "" for program in record.programs]
    parts += [call.call.signature or "" for call in record.rows]
    parts += [event.function for event in record.compiled]
    parts += [f"{error.type} {error.message} {error.type.rpartition('.')[2]}"] if error else []
    return "\n".join(parts)


def _one_line(text: str) -> str:
    return " ".join(text.split())


_LOOK = """
def _hold(paths):
    import inspect
    import pkgutil
    import jax

    jitted = jax.jit(lambda: 0)
    indexed = type(jax.numpy.zeros(1).at[0])
    kinds = (jax.Array, str, dict, indexed, type(jitted), *vars(jax.stages).values())
    takers = (jax.jit, jax.vmap, jax.grad, jax.checkpoint, jax.lax.scan, jax.numpy.nonzero, jax.numpy.array)
    keywords = {name for taker in takers for name in inspect.signature(taker).parameters}
    roots = {"jnp": "jax.numpy", "lax": "jax.lax", "np": "numpy", "jax": "jax"}
    homes = ("jax.", "jax.numpy.", "jax.lax.", "numpy.", "jax.errors.")

    def resolves(name):
        try:
            pkgutil.resolve_name(name)
        except Exception:
            return False
        return True

    def is_there(path):
        root, *rest = path.split(".")
        if root in roots:
            return resolves(".".join((roots[root], *rest)))
        value = globals().get(root, inspect)
        for part in rest:
            value = getattr(value, part, inspect)
        if root in globals() and value is not inspect:
            return True
        if rest and any(hasattr(kind, rest[-1]) for kind in kinds):
            return True
        return path in keywords or any(resolves(home + path) for home in homes)

    missing = [path for path in paths if not is_there(path)]
    assert not missing, " ".join(missing)
"""
