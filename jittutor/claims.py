"""One claim of a lesson, held against a record: what was promised, what happened, whether they agree.

The authors' language, written on a step's marker after two spaces. Where a claim can speak of one
function, it takes a dict by function name, and without one it speaks of the step as a whole.

    traces=2                 times Python ran a body because jit traced it, for the step's own functions;
    traces={"f": 2}          or for these
    compiles=2               backend compiles of jitted functions (operations outside jit do not count)
    cache="miss hit miss"    the executed calls in order; {"f": "miss hit"} for one function
    reasons="shape, dtype"   why the misses happened, in order, leaving out first calls; {"f": "shape"}
    prints=["a", "b"]        each is found in a printed line, in this order (trace and run lines alike)
    trace_prints=2           lines printed while tracing
    raises="ValueError"      the run ends in this exception; without this claim it must end well
    raises_at="if x > 0"     a piece of the learner's line that raised it
    equations={"f": 6}       equations in the newest jaxpr of f
    shows="Array([1."        how the value of the last expression starts
    slower="1 > 5 * 2"       call 1 cost more than 5 times call 2; a function's name stands for its
                             first call: "unrolled > 2 * scanned"; or several in a list
    holds="run.traces('f') < len(xs)"   an expression over `run` and the step's names that is true;
                             or several in a list
"""

import ast
import re
from collections.abc import Callable, Mapping

import msgspec

from jittutor.event import Ask
from jittutor.lesson import Claim, Step
from jittutor.record import Record, Row

type Outcome = tuple[str, str, bool]
"""Expected and actual in words, and whether they agree."""


class ClaimError(ValueError):
    """A claim whose value makes no sense for its kind."""


class Verdict(msgspec.Struct, frozen=True):
    """One promise and what became of it."""

    claim: str
    expected: str
    actual: str
    ok: bool
    line: int


def hold(claim: Claim, record: Record, step: Step) -> Verdict:
    """Whether the run of the step kept the claim; a claim that makes no sense was not kept."""
    try:
        if claim.name == "raises_at":
            expected, actual, ok = _raises_at(claim.expected, record, step.source)
        else:
            expected, actual, ok = _HOLD[claim.name](claim.expected, record)
    except ClaimError as error:
        expected, actual, ok = str(claim.expected), f"not understood: {error}", False
    return Verdict(claim.name, expected, actual, ok, claim.line)


def ended(record: Record, step: Step) -> Verdict:
    """Whether the run ended as it should: well, or in the exception that the step claims."""
    raising = any(claim.name == "raises" for claim in step.claims)
    expected = "error" if raising else "ok"
    actual = record.done.outcome if record.done else f"lost: {record.lost}"
    shown = f"{actual}: {_error(record)}" if record.error and not raising else actual
    return Verdict("ends", expected, shown, actual == expected, step.line)


def asks(step: Step) -> tuple[Ask, ...]:
    """The questions that the step's `holds` claims put to the worker."""
    return tuple(
        ask
        for claim in step.claims
        if claim.name == "holds"
        for at, code in enumerate(_texts(claim.expected))
        for ask in _questions(at, code, claim.line)
    )


# ---------------------------------------------------------------- how each kind is held


def _count(expected: object, whole: int, one: Callable[[str], int]) -> Outcome:
    """A number for the whole step, or numbers by function."""
    if isinstance(expected, int) and not isinstance(expected, bool):
        return str(expected), str(whole), expected == whole
    if not isinstance(expected, dict) or not all(type(n) is int for n in expected.values()):
        raise ClaimError('a number or numbers by function is needed, such as 2 or {"f": 2}')
    actual = {str(name): one(str(name)) for name in expected}
    return _by_name(expected), _by_name(actual), actual == expected


def _words(expected: object, found: Callable[[str | None], list[str]], separator: str) -> Outcome:
    """Words for the whole step, or by function."""

    def split(words: object) -> list[str]:
        if not isinstance(words, str):
            raise ClaimError("words in a string are needed, or such strings by function")
        return [word.strip() for word in words.split(separator) if word.strip()]

    if isinstance(expected, dict):
        wants = {str(name): split(words) for name, words in expected.items()}
        finds = {name: found(name) for name in wants}
        return _by_name(wants, separator), _by_name(finds, separator), wants == finds
    want, find = split(expected), found(None)
    return separator.join(want) or "none", separator.join(find) or "none", want == find


def _by_name(table: Mapping[str, object], separator: str = " ") -> str:
    shown = {name: separator.join(v) if isinstance(v, list) else v for name, v in table.items()}
    return "; ".join(f"{name}: {value}" for name, value in shown.items())


def _traces(expected: object, record: Record) -> Outcome:
    own = [trace for trace in record.traced if not _in_library(trace.key.code)]
    return _count(expected, len(own), record.traces)


def _in_library(code: str) -> bool:
    """JAX wraps functions of its own in jit, such as `_where`: an author does not count them."""
    return re.search(r"(site|dist)-packages[/\\](?!jittutor\b)", code) is not None


def _compiles(expected: object, record: Record) -> Outcome:
    return _count(expected, record.compiles(), record.compiles)


def _equations(expected: object, record: Record) -> Outcome:
    if not isinstance(expected, dict):
        raise ClaimError('numbers by function are needed, such as {"f": 6}')
    return _count(expected, 0, record.equations)


def _cache(expected: object, record: Record) -> Outcome:
    return _words(expected, record.cache, " ")


def _reasons(expected: object, record: Record) -> Outcome:
    def found(name: str | None) -> list[str]:
        misses = [row for row in record.calls if not row.call.hit and name in (None, row.call.function)]
        kinds = [str(row.reason.kind) if row.reason else "unknown" for row in misses]
        return [kind for kind in kinds if kind != "first call"]

    return _words(expected, found, ", ")


def _prints(expected: object, record: Record) -> Outcome:
    wanted = _strings(expected)
    rest = iter(record.lines())
    missing = next((text for text in wanted if not any(text in line for line in rest)), None)
    shown = " | ".join(record.lines()[:20])
    actual = "in this order" if missing is None else f"{missing!r} is not there in this order: {shown}"
    return " | ".join(wanted), actual, missing is None


def _trace_prints(expected: object, record: Record) -> Outcome:
    lines = record.lines("trace")
    if type(expected) is not int:
        raise ClaimError("a number is needed")
    return str(expected), " | ".join([str(len(lines)), *lines[:10]]), len(lines) == expected


def _raises(expected: object, record: Record) -> Outcome:
    name = record.error.type.rpartition(".")[2] if record.error else None
    return str(expected), _error(record), name == expected


def _raises_at(expected: object, record: Record, source: str) -> Outcome:
    at = record.error.line if record.error else None
    lines = source.splitlines()
    text = lines[at - 1].strip() if at is not None and 0 < at <= len(lines) else ""
    return (
        str(expected),
        f"line {at}: {text}" if text else _error(record),
        bool(text) and str(expected) in text,
    )


def _error(record: Record) -> str:
    if record.error is None:
        return "no exception"
    return f"{record.error.type}: {record.error.message.partition(chr(10))[0]}"


def _shows(expected: object, record: Record) -> Outcome:
    value = "\n".join(record.lines(stream="value"))
    return str(expected), value or "no value", bool(value) and value.startswith(str(expected))


_SLOWER = re.compile(r"(?P<a>\w+) > (?:(?P<times>\d+(?:\.\d+)?) \* )?(?P<b>\w+)")


def _slower(expected: object, record: Record) -> Outcome:
    found = [_ratio(text, record) for text in _strings(expected)]
    shown = "; ".join(told for told, _ in found)
    return " and ".join(_strings(expected)), shown, all(ok for _, ok in found)


def _ratio(text: str, record: Record) -> tuple[str, bool]:
    match = _SLOWER.fullmatch(text)
    if match is None:
        raise ClaimError('two calls are compared like this: "1 > 5 * 2" or "slow > 2 * fast"')
    a, b = _call(match["a"], record), _call(match["b"], record)
    ratio = a.total_ms / b.total_ms if b.total_ms else float("inf")
    return f"{match['a']} took {ratio:.2f} times {match['b']}", ratio > float(match["times"] or 1)


def _call(name: str, record: Record) -> Row:
    """A call by its number (from 1), or the first one of a function."""
    rows = [row for row in record.calls for _ in range(row.call.repeats)]
    if name.isdecimal():
        rows = rows[int(name) - 1 : int(name)] if int(name) else []
    else:
        rows = [row for row in rows if row.call.function == name]
    if not rows:
        raise ClaimError(f"there is no call {name}")
    return rows[0]


def _holds(expected: object, record: Record) -> Outcome:
    codes = _strings(expected)
    for at, code in enumerate(codes):
        answer = record.answers.get(f"holds{at}")
        if answer is None or not answer.ok or answer.text != "True":
            sides = record.answers.get(f"holds{at}.sides")
            told = answer.text if answer else "no answer"
            return code, f"{told}: {sides.text}" if sides and sides.ok else told, False
    return " and ".join(codes), "True", True


def _strings(expected: object) -> list[str]:
    texts = _texts(expected)
    if not texts:
        raise ClaimError("a string or a list of strings is needed")
    return texts


def _texts(expected: object) -> list[str]:
    """The strings in a claim; none when it holds anything else."""
    texts = [expected] if isinstance(expected, str) else expected
    whole = isinstance(texts, list | tuple) and all(isinstance(text, str) for text in texts)
    return list(texts) if whole and isinstance(texts, list | tuple) else []


def _questions(at: int, code: str, line: int) -> list[Ask]:
    """The expression itself; and for a comparison its two sides, so that a verdict can tell them."""
    found = [Ask(f"holds{at}", f"bool({code})", line=line)]
    try:
        body = ast.parse(code, mode="eval").body
    except SyntaxError:
        return found
    if isinstance(body, ast.Compare) and len(body.ops) == 1:
        sides = f"({ast.unparse(body.left)}, {ast.unparse(body.comparators[0])})"
        found.append(Ask(f"holds{at}.sides", sides, line=line))
    return found


_HOLD: dict[str, Callable[[object, Record], Outcome]] = {
    "traces": _traces,
    "compiles": _compiles,
    "cache": _cache,
    "reasons": _reasons,
    "prints": _prints,
    "trace_prints": _trace_prints,
    "raises": _raises,
    "equations": _equations,
    "shows": _shows,
    "slower": _slower,
    "holds": _holds,
}
