"""What can be read off a lesson's text alone: lengths, widths, spelling, links, ids, names used too early.

Nothing runs here. Spelling needs pyspellchecker (the extra `authors`); without it that one is left out.
"""

import ast
import functools
import importlib.util
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jittutor import ids, names, spans
from jittutor.claims import Verdict
from jittutor.course import Course, words
from jittutor.finding import Finding, finding
from jittutor.lesson import Lesson, Step

if TYPE_CHECKING:
    from spellchecker import SpellChecker

PROSE, INTRO, TITLE, WIDEST = (60, 150), (15, 80), 48, 76
"""Words of a step, words of an introduction, signs of a title, columns of a line of code."""
_TERMS = frozenset(
    """args autotuning backend bool boolean bools boolean callback callbacks compilable config cpu cpus
    cuda dataclass dataclasses decorator dict dicts differentiable dtype dtypes eager equinox flax float
    floats globals gpu gpus hashable hlo int ints jax jaxpr jaxprs jit jitted jits jnp kwarg kwargs
    lambda lambdas lax namedtuple namedtuples nan nans numpy optax params pytree pytrees retrace
    retraced retraces retracing recompile recompiled recompiles recompiling scalars stablehlo tracebacks
    tuple tuples unhashable unrolled unrolling vectorized vmap vmapped xla""".split()  # noqa: SIM905 - a list of words is read as text
)
"""The field's words, which every lesson may use."""
_LINK = re.compile(r"\[[^\]]+\]\((?P<to>[^)\s]+)\)|\blessons? `(?P<slug>[a-z0-9-]+)`")
_TARGET = re.compile(r"\]\([^)\s]+\)")
_CAMEL = re.compile(r"[a-z][A-Z]")
_WORD = re.compile(r"(?<![\w'./-])[A-Za-z]+(?:'[a-z]+)?(?![\w/]|\.\w)")


def can_spell() -> bool:
    """Whether the dictionary is installed."""
    return importlib.util.find_spec("spellchecker") is not None


def proofread(course: Course, lessons: Sequence[Lesson]) -> Iterator[Finding]:
    """Every verdict on these lessons; the course tells what is taught before and where links lead."""
    early = names.unexplained(course)
    for lesson in lessons:
        for verdict in _lesson(lesson, course):
            yield finding(lesson, None, verdict)
        for step in lesson.steps:
            for verdict in _step(lesson, step, course):
                yield finding(lesson, step, verdict)
            if (lesson.slug, step.id) in early and _is_in(course, lesson):
                found = [f"{name} is not" for name in early[lesson.slug, step.id]]
                expected = "each name of JAX is explained where it comes first"
                yield finding(lesson, step, _verdict("names", expected, found, step.line))


def proofread_whole(course: Course) -> Iterator[Finding]:
    """What concerns the course as a whole: no lesson that was given out is missing."""
    for folder, slug in ids.lost(course):
        expected, actual = f"the lesson {slug} of {ids.NAME}", "it is not in course.toml"
        yield Finding(slug, "", "ids", expected, actual, ok=False, file=str(folder / ids.NAME), line=1)


# ---------------------------------------------------------------- lessons and steps


def _lesson(lesson: Lesson, course: Course) -> Iterator[Verdict]:
    wrong = _wide(lesson.setup)
    if _is_in(course, lesson):
        wrong += _length("the introduction", lesson.intro, INTRO)
        wrong += [] if 1 <= len(lesson.steps) <= 4 else [f"it has {len(lesson.steps)} steps, 1 to 4 are good"]
    expected = f"a short introduction, 1 to 4 steps, no line of code over {WIDEST} columns"
    yield _verdict("form", expected, wrong, 1)
    wrong_ids = ids.wrong(lesson)
    if wrong_ids is not None:
        yield _verdict("ids", f"the step ids of {ids.NAME}", wrong_ids, 1)
    yield from _prose(lesson, course, f"{lesson.title}\n\n{lesson.intro}", 1)


def _step(lesson: Lesson, step: Step, course: Course) -> Iterator[Verdict]:
    codes = [step.source, *(code.source for code in (step.solution, *step.wrongs) if code is not None)]
    shown = "\n".join(line for text in (step.prose, *step.hints) for line in spans.blocks(text))
    wrong = [line for text in (*codes, shown) for line in _wide(text)]
    if _is_in(course, lesson):
        wrong += _form(step)
    yield _verdict("form", "the lengths, widths and parts that every step of a course has", wrong, step.line)
    yield from _prose(lesson, course, f"{step.title}\n\n{spans.told(lesson, step)}", step.line)


def _prose(lesson: Lesson, course: Course, text: str, line: int) -> Iterator[Verdict]:
    links = [to for to in _links(text) if not _leads(course, lesson, to)]
    yield _verdict("links", "each link leads to a lesson", [f"{to} is none" for to in links], line)
    if can_spell():
        right = words(lesson) | _names(lesson) | {*lesson.slug.split("-")}
        wrong = _misspelled(_TARGET.sub("]", spans.without_code(text)), right)
        yield _verdict("spelling", "each word is in the dictionary or in words.txt", wrong, line)


def _verdict(what: str, expected: str, wrong: list[str], line: int) -> Verdict:
    return Verdict(what, expected, "; ".join(wrong) or "as expected", not wrong, line)


def _is_in(course: Course, lesson: Lesson) -> bool:
    """Whether it is a lesson of the course; a file on its own is a draft, and may be short."""
    return course.find(lesson.slug) == lesson


def _form(step: Step) -> Iterator[str]:
    yield from _length("the text", step.prose, PROSE)
    if len(step.title) > TITLE:
        yield f"the title has {len(step.title)} signs, at most {TITLE} fit"
    if not step.claims:
        yield "it claims nothing"
    for number, predict in enumerate(step.predicts, 1):
        if not 2 <= len(predict.choices) <= 4:
            yield f"prediction {number} has {len(predict.choices)} choices, 2 to 4 are good"
        for choice in predict.choices:
            if len(choice.why.split()) < 3:
                yield f"prediction {number} does not say why {choice.text} is right or wrong"
        if not predict.question.endswith("?"):
            yield f"prediction {number} is no question"
    if step.check is not None:
        yield from _exercise(step)


def _exercise(step: Step) -> Iterator[str]:
    if not 2 <= len(step.hints) <= 3:
        yield f"it has {len(step.hints)} hints, 2 or 3 are good"
    if len(step.wrongs) < 2:
        yield f"it has {len(step.wrongs)} wrong answers, at least 2 show what people try"
    for name, texts in (("hints", step.hints), ("codes", [step.source, *(w.source for w in step.wrongs)])):
        if len({" ".join(text.split()) for text in texts}) < len(texts):
            yield f"two of its {name} are the same"
    checks = ast.walk(ast.parse(step.check.source if step.check else ""))
    if any(isinstance(node, ast.Assert) and node.msg is None for node in checks):
        yield "an assertion of its check has no message"


def _length(what: str, text: str, limits: tuple[int, int]) -> Iterator[str]:
    count = len(text.split())
    if not limits[0] <= count <= limits[1]:
        yield f"{what} has {count} words, {limits[0]} to {limits[1]} are good"


def _wide(text: str) -> list[str]:
    return [f"too wide ({len(line)}): {line}" for line in text.splitlines() if len(line) > WIDEST]


# ---------------------------------------------------------------- links, ids, words


def _links(text: str) -> list[str]:
    found = (match["to"] or match["slug"] for match in _LINK.finditer(text))
    return [to for to in found if not re.match(r"https?://", to)]


def _leads(course: Course, lesson: Lesson, to: str) -> bool:
    """`slug` or `slug#step`; a lesson outside the course may lead to itself."""
    slug, _, step_id = to.partition("#")
    found = lesson if slug in ("", lesson.slug) else course.find(slug)
    return isinstance(found, Lesson) and (not step_id or found.step(step_id) is not None)


def _names(lesson: Lesson) -> frozenset[str]:
    """What code calls something is no misspelling in prose."""
    code = "\n".join((lesson.setup, *(step.source for step in lesson.steps)))
    return frozenset(re.findall(r"[A-Za-z]+", code))


def _misspelled(text: str, right: frozenset[str]) -> list[str]:
    known = _TERMS | {word.lower() for word in right}
    found = {word.lower().removesuffix("'s") for word in _WORD.findall(text) if not _CAMEL.search(word)}
    return sorted(_speller().unknown(word for word in found if word not in known and len(word) > 1))


@functools.cache
def _speller() -> "SpellChecker":
    from spellchecker import SpellChecker  # noqa: PLC0415 - an extra, and slow to load

    return SpellChecker(distance=1)
