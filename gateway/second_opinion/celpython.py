"""The process in which cel-python answers: a question on a line of standard input, its answer on one of the output.

It is a process of its own because cel-python changes what holds for a whole process, keeps one parser for all, and can
take without end for some texts: whoever asks puts an end to it.
"""

from __future__ import annotations

import base64
import json
import re
import sys
import warnings
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from gateway.second_opinion.answer import Answer, map_of

_MOST_MEMORY = 2 * 1024**3


def main() -> None:
    """Answer until nothing more is asked; the first line says whether there is anybody to answer."""
    _bound_memory()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            colleague = _Colleague()
    except Exception as error:  # whatever a foreign library fails with is told to whoever asks
        _say(["unusable", f"{type(error).__name__}: {error}"])
        return
    _say(["ready"])
    for line in sys.stdin:
        text, variables = json.loads(line)
        _say(colleague.answer(text, variables))


def _bound_memory() -> None:
    try:
        import resource
    except ImportError:  # not on every system
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    least = _MOST_MEMORY if most == resource.RLIM_INFINITY else min(_MOST_MEMORY, most)
    resource.setrlimit(resource.RLIMIT_AS, (least, most))


def _say(answer: Answer) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


class _Colleague:
    """cel-python, asked in our words."""

    def __init__(self) -> None:
        import celpy
        from celpy import adapter, celparser, celtypes, evaluation

        self.celtypes = celtypes
        self.to_cel = adapter.json_to_cel
        self.unread = celparser.CELParseError
        self.failed = evaluation.CELEvalError
        environment = celpy.Environment()
        self.program = lru_cache(maxsize=1024)(
            lambda text: environment.program(environment.compile(text)),
        )

    def answer(self, text: str, variables: dict[str, Answer]) -> Answer:
        """The value of an expression, an error, or that it can't be read."""
        try:
            program = self.program(text)
            activation = {name: self.value(value) for name, value in variables.items()}
            return self.said(program.evaluate(activation))
        except self.unread:
            return ["unread"]
        except self.failed as error:
            return ["error", _first(error)]
        except (RecursionError, MemoryError) as error:
            return ["error", type(error).__name__]
        except Exception as error:  # a foreign library fails in many ways
            if isinstance(error, ValueError) and "unpack" in str(error):
                return ["unread"]  # a macro with another number of arguments
            return ["error", f"{type(error).__name__}: {error}"]

    def value(self, written: Answer) -> Any:
        """A value that was sent, as cel-python has it."""
        types = self.celtypes
        kind, *rest = written
        value: Any = rest[0] if rest else None
        match kind:
            case "list":
                return types.ListType([self.value(item) for item in value])
            case "map":
                return types.MapType({self.value(key): self.value(item) for key, item in value})
            case "uint":
                return types.UintType(value)
            case "double":
                return types.DoubleType(float(value))
            case "bytes":
                return types.BytesType(base64.b64decode(value))
            case "timestamp":
                moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=value // 1000)
                return types.TimestampType(moment)
            case "duration":
                return types.DurationType(timedelta(microseconds=value // 1000))
        return self.to_cel(value)

    def said(self, value: Any) -> Answer:
        """A value of cel-python, with its kind."""
        types = self.celtypes
        simple = (
            (types.BoolType, "bool", bool),
            (types.UintType, "uint", int),
            (types.IntType, "int", int),
            (types.DoubleType, "double", lambda number: repr(float(number))),
            (types.StringType, "string", str),
            (types.BytesType, "bytes", lambda content: base64.b64encode(bytes(content)).decode()),
        )
        if value is None:
            return ["null"]
        if isinstance(value, bool):
            return ["bool", value]
        for type_, kind, convert in simple:
            if isinstance(value, type_):
                return [kind, convert(value)]
        if isinstance(value, datetime):
            return [
                "timestamp",
                (value - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1) * 1000,
            ]
        if isinstance(value, timedelta):
            return ["duration", value // timedelta(microseconds=1) * 1000]
        if isinstance(value, dict):
            return map_of((self.said(key), self.said(item)) for key, item in value.items())
        if isinstance(value, list):
            return ["list", [self.said(item) for item in value]]
        if isinstance(value, type):
            return ["type", _NAMES.get(value.__name__, value.__name__)]
        return ["other", type(value).__name__]


_NAMES = {
    "BoolType": "bool",
    "BytesType": "bytes",
    "DoubleType": "double",
    "DurationType": "google.protobuf.Duration",
    "IntType": "int",
    "ListType": "list",
    "MapType": "map",
    "NoneType": "null_type",
    "StringType": "string",
    "TimestampType": "google.protobuf.Timestamp",
    "TypeType": "type",
    "UintType": "uint",
}


def _first(error: Exception) -> str:
    """The words of an error of cel-python: those of its cause, where it has one, without the classes that it names."""
    words, *rest = (*error.args, "")
    cause = rest[1] if len(rest) > 1 and isinstance(rest[1], tuple) else ()
    said = str(cause[0] if cause and isinstance(cause[0], str) else words)
    said = _CLASS.sub("", said)
    return (said.splitlines() or [""])[0][:1000].strip() or type(error).__name__


_CLASS = re.compile(r" ?<class '[^']*'>")


if __name__ == "__main__":
    main()
