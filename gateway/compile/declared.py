"""Tools as declared: each with the `defaults` that match it, and the place where each value was written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gateway.compile.report import Report
from gateway.diagnostic import Related, suggest
from gateway.glob import ByName, select
from gateway.risk import RiskLevel, parse_or_high
from gateway.schema import check_schema, configured, refers_to_config

if TYPE_CHECKING:
    from gateway.policy import Defaults, Policy, Tool, ToolFields, Where

_LISTS = ("permissions", "resource_permissions", "requires", "channels")
_PLURAL = {"inspect"}


@dataclass(slots=True)
class Declared:
    """A tool with its defaults; `places` says for each key which part wrote it."""

    name: str
    tool: Tool
    values: dict[str, Any] = field(default_factory=dict)
    places: dict[str, Where] = field(default_factory=dict)
    sources: list[tuple[str, Any, Where]] = field(default_factory=list)

    def get(self, key: str) -> Any:
        """The value of a key, or None where nobody wrote it."""
        return self.values.get(key)

    def texts(self, key: str) -> tuple[Any, ...]:
        """The united list of a key, empty where nobody wrote it."""
        return self.values.get(key) or ()

    @property
    def risk(self) -> RiskLevel:
        """The declared risk; a missing one is HIGH."""
        return parse_or_high(self.values.get("risk"))

    @property
    def place(self) -> str:
        """`file:line:column` of the tool's entry."""
        return self.tool.where.span().place


def declare(policy: Policy, report: Report) -> ByName[Declared]:
    """All tools by name; two of one name, and defaults that contradict, are errors (B12)."""
    found: dict[str, Declared] = {}
    for tool in policy.tools:
        first = found.get(tool.name)
        if first is not None:
            report.error(
                "duplicate-name",
                f"the tool `{tool.name}` is declared twice",
                tool.where.span("name"),
                "remove one, or rename it",
                (Related(first.tool.where.span("name"), "first declared here"),),
            )
            continue
        declared = Declared(tool.name, tool)
        _merge(declared, tool, report)
        found[tool.name] = declared
    tools = ByName(found)
    for defaults in policy.defaults:
        for name in sorted(select(defaults.tools, tools)):
            _merge(tools[name], defaults, report)
    for declared in tools.values():
        _sort_inherited(declared)
        _configure(declared, report)
        _complete(declared, report)
    return tools


def _merge(declared: Declared, part: Tool | Defaults, report: Report) -> None:
    fields: ToolFields = part
    for key in sorted(fields.model_fields_set - {"name", "tools"}):
        value = getattr(fields, key)
        declared.sources.append((key, value, part.where))
        if key not in declared.values:
            declared.values[key] = value
            declared.places[key] = part.where
        elif key in _LISTS:
            old = declared.values[key]
            declared.values[key] = tuple(dict.fromkeys((*old, *value)))
        elif key in _PLURAL and not any(
            name in declared.values[key] and declared.values[key][name] != kind
            for name, kind in value.items()
        ):
            declared.values[key] = {**declared.values[key], **value}
        elif declared.values[key] != value:
            report.error(
                "conflicting-default",
                f"the tool `{declared.name}` gets two different values for `{key}`",
                part.where.key_span(key),
                "scalars have one value; narrow the `tools` of the defaults",
                (Related(declared.places[key].key_span(key), "the other value"),),
            )


def _sort_inherited(declared: Declared) -> None:
    """The tool's own entries first, then inherited ones by name: no order of defaults decides which is first."""
    for key in _LISTS:
        if declared.values.get(key):
            own = dict.fromkeys(getattr(declared.tool, key) or ())
            inherited = [item for item in declared.values[key] if item not in own]
            declared.values[key] = (*own, *sorted(inherited, key=str))


def _configure(declared: Declared, report: Report) -> None:
    """Put what `config` says into the schema, which is whole only then (D1)."""
    schema = declared.values.get("parameters")
    if schema is None or not refers_to_config(schema):
        return
    config = declared.values.get("config") or {}
    where = declared.places["parameters"].below("parameters")
    filled, unknown = configured(schema, config)
    for path, name in unknown:
        near = suggest(name.partition(".")[2], config)
        help = f"did you mean `{{config.{near[0]}}}`?" if near else "add it to the tool's `config`"
        report.error(
            "unknown-name",
            f"`{{{name}}}` names nothing that `{declared.name}` declares",
            where.span(*path),
            help,
        )
    fine = not unknown and report.add(check_schema(filled, where))
    # Where it is wrong that alone is said, and not what follows from it.
    declared.values["parameters"] = filled if fine else {"type": "object", "additionalProperties": True}


def _complete(declared: Declared, report: Report) -> None:
    where = declared.tool.where
    if declared.get("permissions") is None:
        report.error(
            "missing-permissions",
            f"the tool `{declared.name}` declares no `permissions`",
            where.span("name"),
            "list what a user must hold, or write `permissions: []` if being signed in is enough",
        )
