"""A Record as the JSON object of `jittutor run --json`: names and types here are a contract.

Times are milliseconds, `seconds` are seconds; what did not happen or is not known is null.
"""

from typing import Any

import msgspec

from jittutor.advice import advise
from jittutor.event import Traced
from jittutor.reason import Reason
from jittutor.record import Record, Row

SCHEMA = 1


def to_json(record: Record) -> bytes:
    """The object as JSON text in UTF-8."""
    return msgspec.json.encode(to_object(record))


def to_object(record: Record) -> dict[str, Any]:
    """The object as plain dicts and lists."""
    done = record.done
    return {
        "schema": SCHEMA,
        "outcome": done.outcome if done else "crashed",
        "exit_code": done.exit_code if done else None,
        "seconds": done.seconds if done else 0.0,
        "versions": msgspec.to_builtins(record.versions) if record.versions else None,
        "device": _device(record),
        "calls": [_call(row) for row in record.rows],
        "traces": [_traced(record, traced) for traced in record.traced],
        "calls_dropped": done.dropped_calls if done else 0,
        "functions": {name: msgspec.to_builtins(counts) for name, counts in record.functions.items()},
        "compiles": len(record.compiled),
        "disk_hits": sum(event.from_disk for event in record.compiled),
        "eager": _eager(record),
        "programs": [_program(program) for program in record.programs],
        "programs_dropped": done.dropped_programs if done else 0,
        "output": [
            {
                "text": printed.text.removesuffix("\n"),
                "stream": printed.stream,
                "line": printed.line,
                "during": printed.during,
                "function": printed.function,
            }
            for printed in record.output
        ],
        "output_dropped": done.dropped_output if done else 0,
        "error": _error(record),
        "unwatched": list(record.unwatched),
    }


def _device(record: Record) -> dict[str, Any] | None:
    device = record.device
    if device is None or not device.platform:
        return None
    return {"platform": device.platform, "kind": device.kind, "count": device.count}


def _call(row: Row) -> dict[str, Any]:
    call = row.call
    return {
        "n": call.n,
        "function": call.function,
        "line": call.line,
        "signature": call.signature,
        "cache": row.cache,
        "trace_ms": call.trace_ms,
        "lower_ms": call.lower_ms,
        "compile_ms": call.compile_ms,
        "execute_ms": row.execute_ms,
        "dispatch_ms": call.dispatch_ms,
        "program": row.program,
        "within": call.within,
        "raised": call.raised,
        "reason": _reason(row.reason),
    }


def _traced(record: Record, traced: Traced) -> dict[str, Any]:
    """A trace, also one that a library or a transformation asked for."""
    return {
        "n": traced.trace,
        "function": traced.key.function,
        "line": traced.line,
        "within": traced.within,
        "signature": traced.key.signature,
        "reason": _reason(record.reasons.get(traced.trace)),
    }


def _reason(reason: Reason | None) -> dict[str, Any] | None:
    if reason is None:
        return None
    return {
        "kind": reason.kind,
        "argument": reason.argument,
        "before": reason.before,
        "now": reason.now,
        "say": reason.say,
        "fix": reason.fix,
        "raw": reason.raw,
    }


def _eager(record: Record) -> dict[str, Any]:
    operations: dict[str, int] = {}
    for event in record.eager:
        operations[event.function] = operations.get(event.function, 0) + 1
    return {
        "compiles": len(record.eager),
        "ms": sum(event.ms for event in record.eager),
        "operations": operations,
    }


def _program(program: Any) -> dict[str, Any]:
    names = (
        "id",
        "function",
        "signature",
        "equations",
        "jaxpr",
        "stablehlo",
        "hlo",
        "fusions",
        "flops",
        "bytes",
    )
    return {name: getattr(program, name) for name in names}


def _error(record: Record) -> dict[str, Any] | None:
    error = record.error
    if error is None:
        return None
    advice = advise(error)
    return {
        "type": error.type,
        "message": error.message,
        "line": error.line,
        "function": error.function,
        "place": error.place or None,
        "code": error.code or None,
        "traced": error.traced,
        "say": advice.say if advice else None,
        "fix": advice.fix if advice else None,
        "lesson": advice.lesson if advice else None,
    }
