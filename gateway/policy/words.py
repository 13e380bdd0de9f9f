"""The kinds of values that a policy's keys hold, each with its check and its entry in the JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticKnownError

from gateway.glob import parse_pattern
from gateway.interval import Rate, Until, parse_date, parse_duration, parse_rate, parse_until
from gateway.malformed import Malformed
from gateway.policy.selector import Per, RiskSelector, parse_per, parse_risk_selector
from gateway.policy.spending import Budget, parse_budget
from gateway.policy.typetext import TypeText, parse_type_text
from gateway.results.fields import FieldPattern, parse_field
from gateway.risk import RiskLevel
from gateway.session import Channel
from gateway.template import ArgumentPath, Template, parse_argument_path, parse_template

_T = TypeVar("_T")

_NAME = r"[A-Za-z][A-Za-z0-9_.-]{0,99}"
_TOOL_NAME = r"[A-Za-z0-9_.-]{1,100}(/[A-Za-z0-9_.-]{1,100})?"
_WORD = r"[A-Za-z_][A-Za-z0-9_]{0,99}"
_TENANT = r"[A-Za-z0-9][A-Za-z0-9_.:@-]{0,199}"
_PERMISSION = r"[^\s*{},\x00-\x1f\x7f]{1,200}"


def _whole(pattern: str, message: str, help: str) -> Callable[[str], str]:
    compiled = re.compile(pattern, re.ASCII)

    def check(text: str) -> str:
        if compiled.fullmatch(text) is None:
            raise Malformed(f"`{text}` is no {message}", help)
        return text

    return check


def _written_out(text: str) -> str:
    if "*" in text:
        raise Malformed(f"`{text}` is no name: `*` stands for nothing here", "write each name out")
    return text


def _read(parse: Callable[[str], _T]) -> PlainValidator:
    def read(value: object) -> _T:
        if not isinstance(value, str):
            # `timeout: 60` needs a unit rather than quotes: its own message says so.
            if isinstance(value, int | float) and not isinstance(value, bool):
                parse(str(value))
            raise PydanticKnownError("string_type")
        return parse(value)

    return PlainValidator(read)


def _text(text: str) -> str:
    if not text.strip():
        raise Malformed("the text is empty", "write the text, or remove the key")
    return text


def _patterns(patterns: tuple[str, ...]) -> tuple[str, ...]:
    if all(pattern.startswith("!") for pattern in patterns):
        raise Malformed("nothing is selected: every pattern starts with `!`", "add a pattern without `!`")
    return patterns


def _schema(pattern: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "pattern": f"^({pattern})$"})


Text = Annotated[str, AfterValidator(_text), WithJsonSchema({"type": "string", "minLength": 1})]
Name = Annotated[
    str,
    AfterValidator(_written_out),
    AfterValidator(
        _whole(_NAME, "name", "names start with a letter; letters, digits, `_`, `-` and `.` follow")
    ),
    _schema(_NAME),
]
ToolName = Annotated[
    str,
    AfterValidator(_written_out),
    AfterValidator(
        _whole(
            _TOOL_NAME,
            "name of a tool",
            "write letters, digits, `_`, `-` and `.`; `server/name` for a server's",
        )
    ),
    _schema(_TOOL_NAME),
]
Word = Annotated[
    str,
    AfterValidator(_whole(_WORD, "name that a condition can use", "write letters, digits and `_`")),
    _schema(_WORD),
]
Permission = Annotated[
    str,
    AfterValidator(
        _whole(
            _PERMISSION,
            "permission",
            "write a text without wildcards and blanks; placeholders go into `resource_permissions`",
        )
    ),
    _schema(_PERMISSION),
]
Role = Annotated[
    str,
    AfterValidator(_whole(_PERMISSION, "role", "write a text without wildcards and blanks")),
    _schema(_PERMISSION),
]
Tenant = Annotated[
    str,
    AfterValidator(_whole(_TENANT, "tenant", "an override is for one tenant; write its id")),
    _schema(_TENANT),
]
Pattern = Annotated[str, AfterValidator(parse_pattern), WithJsonSchema({"type": "string", "minLength": 1})]
Expression = Annotated[
    str, AfterValidator(_text), WithJsonSchema({"type": "string", "minLength": 1, "description": "CEL"})
]


def _kind(value: object) -> str:
    """A kind of inspection: its name, or `{sql: postgres}`, `{url: pinned}` with what more is said of it."""
    if isinstance(value, Mapping) and list(value) in (["sql"], ["url"]):
        ((kind, more),) = value.items()
        if isinstance(more, str):
            return f"{kind} {more}"
    if not isinstance(value, str):
        raise Malformed(
            "a kind of inspection is a word", "write `shell`, or `{sql: postgres}` with a dialect"
        )
    return value


InspectedAs = Annotated[
    str,
    PlainValidator(_kind),
    WithJsonSchema(
        {
            "anyOf": [
                {"enum": ["shell", "sql", "path", "url", "python", "git", "headers"]},
                {
                    "type": "object",
                    "required": ["sql"],
                    "properties": {
                        "sql": {"type": "string", "description": "The dialect, such as `postgres`."}
                    },
                    "additionalProperties": False,
                },
                {
                    "type": "object",
                    "required": ["url"],
                    "properties": {
                        "url": {
                            "description": "`pinned`: the host is looked up, and each of its addresses is checked.",
                            "enum": ["pinned"],
                        }
                    },
                    "additionalProperties": False,
                },
            ]
        }
    ),
]

Listed = Annotated[tuple[_T, ...], Field(strict=False)]
Patterns = Annotated[tuple[Pattern, ...], Field(strict=False, min_length=1), AfterValidator(_patterns)]

Risk = Annotated[RiskLevel, Field(strict=False)]
Channels = Annotated[tuple[Annotated[Channel, Field(strict=False)], ...], Field(strict=False, min_length=1)]

Duration = Annotated[timedelta, _read(parse_duration), _schema("[1-9][0-9]*[smhd]")]
RateText = Annotated[Rate, _read(parse_rate), _schema("[1-9][0-9]*/([1-9][0-9]*)?[smhd]")]
UntilText = Annotated[Until, _read(parse_until), _schema("[0-9]{4}-[0-9]{2}-[0-9]{2}(T.*)?")]
Day = Annotated[date, _read(parse_date), _schema("[0-9]{4}-[0-9]{2}-[0-9]{2}")]
TemplateText = Annotated[Template, _read(parse_template), WithJsonSchema({"type": "string"})]
ArgumentPathText = Annotated[ArgumentPath, _read(parse_argument_path), _schema(r"args\..*")]
DeclaredType = Annotated[TypeText, _read(parse_type_text), WithJsonSchema({"type": "string"})]
RiskRange = Annotated[
    RiskSelector,
    _read(parse_risk_selector),
    _schema("(>=|<=|==|>|<)?(READ_ONLY|LOW|MEDIUM|HIGH|IRREVERSIBLE)"),
]
FieldText = Annotated[FieldPattern, _read(parse_field), WithJsonSchema({"type": "string", "minLength": 1})]
_ONE_BUDGET = {"type": "string", "pattern": r"^[0-9]+(\.[0-9]{1,6})?/([1-9][0-9]*)?[smhd]$"}
PerKey = Annotated[
    Per,
    PlainValidator(parse_per),
    WithJsonSchema(
        {
            "oneOf": [
                {"enum": ["call", "turn", "session", "subject", "tenant", "tool"]},
                {
                    "type": "object",
                    "required": ["cel"],
                    "properties": {
                        "cel": {
                            "description": "A CEL expression; calls are counted together that give the same value.",
                            "type": "string",
                        }
                    },
                    "additionalProperties": False,
                },
            ]
        }
    ),
]
BudgetText = Annotated[
    Budget,
    PlainValidator(parse_budget),
    WithJsonSchema(
        {
            "oneOf": [
                _ONE_BUDGET,
                {"type": "object", "minProperties": 1, "additionalProperties": _ONE_BUDGET},
            ]
        }
    ),
]
Plain = Mapping[str, Any]
