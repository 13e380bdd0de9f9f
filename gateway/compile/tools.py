"""Tools as the engine uses them: schema, validator, templates, what is inspected, and all that applies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from gateway.cel import Environment
from gateway.compile.conditions import listed, read_expression
from gateway.compile.declared import Declared
from gateway.compile.inspected import KINDS
from gateway.compile.report import Report
from gateway.compile.resources import plan_resource
from gateway.compile.shapes import Shapes
from gateway.diagnostic import Diagnostic, Excerpt, Severity, Span, suggest
from gateway.inspect.kind import DIALECTS, PINNED
from gateway.plan import (
    Condition,
    ForcedPlan,
    Inspected,
    LimitPlan,
    ResourceTemplate,
    RulePlan,
    ToolPlan,
    Wrapped,
)
from gateway.risk import RiskLevel
from gateway.schema import (
    ROLES,
    ArgumentPath,
    ArgumentType,
    Emitter,
    Field,
    Validator,
    WithDefaults,
    collected,
)
from gateway.schema.fields import JSON_TYPES
from gateway.session import Channel
from gateway.steps.inspection import GUARD_ALONE, inspected_facts, inspections, texts_of
from gateway.template import Placeholder, Template

if TYPE_CHECKING:
    from gateway.inspect.inspection import Inspection
    from gateway.inspect.inspector import Inspector
    from gateway.inspect.place import Place
    from gateway.policy import Policy

NO_ARGUMENTS: Mapping[str, Any] = {"type": "object", "properties": {}}
"""A tool without `parameters` takes none."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A tool's schema and everything made from it, before any rule is read."""

    schema: Mapping[str, Any]
    whole: ArgumentType
    arguments: frozenset[str]
    validator: Validator
    defaults: WithDefaults
    roles: Mapping[str, tuple[ArgumentPath, ...]]
    sensitive: tuple[ArgumentPath, ...]
    environment: Environment
    listing_environment: Environment
    known: Mapping[str, Any]
    inspected: tuple[Inspected, ...]
    inspector: Inspector
    misread: bool
    """Whether its `inspect` names what there is not, so that nothing can be said of what conditions read there."""
    example_time: datetime = datetime(2026, 1, 1, tzinfo=UTC)

    def roles_of(self, arguments: Mapping[str, Any]) -> dict[str, list[Any]]:
        """The arguments by their role."""
        return {role: collected(arguments, paths) for role, paths in self.roles.items()}

    def facts_of(self, arguments: Mapping[str, Any], place: Place) -> dict[str, Any]:
        """What inspection says of the arguments, of which none is known to be only read."""
        made: dict[str, tuple[str, list[Inspection]]] = {}
        for one in self.inspected:
            texts = texts_of(collected(arguments, (one.path,)), one.kind)
            made.setdefault(
                one.argument,
                (one.kind, inspections(self.inspector, one.kind, texts, place, RiskLevel.IRREVERSIBLE)),
            )
        return inspected_facts(made, place)


def type_tool(
    declared: Declared,
    shapes: Shapes,
    lists: Mapping[str, list[Any]],
    forced: frozenset[str],
    inspector: Inspector,
    report: Report,
) -> Typed:
    """What conditions can know of a tool; its schema was checked when the policy was loaded."""
    schema = declared.get("parameters") or NO_ARGUMENTS
    shape = shapes.of(schema, declared.get("inspect") or {}, forced)
    inspected = _inspected(declared, shape.whole.fields, report)
    known_paths = {one.path for one in inspected if one.kind == "path"}
    by_role = (
        Inspected(path, GUARD_ALONE) for path in shape.roles.get("path", ()) if path not in known_paths
    )
    return Typed(
        schema=schema,
        whole=shape.whole,
        arguments=frozenset(shape.whole.fields),
        validator=shape.validator,
        defaults=WithDefaults(schema),
        roles={role: shape.roles.get(role, ()) for role in ROLES},
        sensitive=shape.sensitive,
        environment=shape.environment,
        listing_environment=shapes.base,
        known={"tool": view(declared), "lists": lists},
        inspected=(*inspected, *by_role),
        inspector=inspector,
        misread=len(inspected) < len(declared.get("inspect") or {}),
    )


def view(declared: Declared) -> dict[str, Any]:
    """A tool's declared values as conditions see them, lists sorted; what nobody wrote is empty, or every channel."""
    texts = {
        key: declared.get(key) or ""
        for key in ("title", "group", "source", "version", "action", "mode", "switch", "update")
    }
    description = declared.get("description")
    return {
        "name": declared.name,
        **texts,
        "description": description.text if description is not None else "",
        "risk": declared.risk.value,
        "enabled": declared.get("enabled") is not False,
        "permissions": sorted(set(declared.texts("permissions"))),
        "requires": sorted(set(declared.texts("requires"))),
        "channels": sorted({channel.value for channel in declared.texts("channels") or Channel}),
        "config": dict(declared.get("config") or {}),
    }


def plan_tool(
    declared: Declared,
    typed: Typed,
    policy: Policy,
    rules: tuple[RulePlan, ...],
    forced: tuple[ForcedPlan, ...],
    limits: tuple[LimitPlan, ...],
    report: Report,
    not_in_force: list[Diagnostic],
) -> ToolPlan:
    """A tool with its rules, forced arguments and limits."""
    switch = declared.get("switch")
    permissions = declared.texts("permissions")
    _check_template(declared, "describe", declared.get("describe"), typed.arguments, report)
    _check_template(declared, "idempotency_key", declared.get("idempotency_key"), typed.arguments, report)
    _check_template(declared, "description", declared.get("description"), typed.arguments, report)
    result = declared.get("result")
    read_only_when = _read_only_when(declared, typed, report, not_in_force)
    return ToolPlan(
        name=declared.name,
        risk=declared.risk,
        place=declared.place,
        view=typed.known["tool"],
        description=_description(declared, typed),
        permissions=permissions,
        permission_set=frozenset(permissions),
        schema=typed.schema,
        validator=typed.validator,
        defaults=typed.defaults,
        emitted=Emitter(typed.schema),
        enabled=declared.get("enabled") is not False,
        mode=declared.get("mode"),
        switch_on=switch is None or policy.settings.switches.get(switch, False),
        channels=frozenset(declared.texts("channels")) or None,
        requires=declared.texts("requires"),
        resource=_resources(declared, typed, report),
        forced=forced,
        rules=rules,
        limits=limits,
        inspected=typed.inspected,
        roles=typed.roles,
        reads=_reads(rules, limits, read_only_when),
        sensitive=typed.sensitive,
        read_only_when=read_only_when,
        wraps=_wraps(declared, typed.whole, report),
        describe=declared.get("describe"),
        idempotent=declared.get("idempotent") is True,
        once=declared.get("idempotency_key"),
        stops=declared.get("on_rejection") == "stop",
        arrays=tuple(result.arrays) if result is not None else (),
        endpoint=declared.get("endpoint") or "",
        timeout=None if declared.get("timeout") is None else declared.get("timeout").total_seconds(),
    )


def _reads(
    rules: tuple[RulePlan, ...], limits: tuple[LimitPlan, ...], read_only_when: Condition | None
) -> frozenset[str]:
    conditions = [read_only_when, *(rule.when for rule in rules), *(rule.unless for rule in rules)]
    for limit in limits:
        conditions += limit.conditions
    return frozenset[str]().union(*(condition.reads for condition in conditions if condition is not None))


def _inspected(declared: Declared, arguments: Mapping[str, Field], report: Report) -> tuple[Inspected, ...]:
    found: list[Inspected] = []
    for argument, kind in sorted((declared.get("inspect") or {}).items()):
        where = next(
            place for key, value, place in declared.sources if key == "inspect" and argument in value
        )
        if argument not in arguments:
            report.unknown(
                f"argument of `{declared.name}`", argument, where.key_span("inspect", argument), arguments
            )
        elif not arguments[argument].type.types & {"string", "array", "object"}:
            report.error(
                "wrong-type",
                f"`{argument}` holds no text, so it can't be inspected as `{kind}`",
                where.key_span("inspect", argument),
            )
        name, _, dialect = kind.partition(" ")
        if name not in KINDS:
            _unknown_kind(name, where.span("inspect", argument), report)
        elif dialect and name == "sql" and dialect not in DIALECTS:
            report.unknown("dialect of SQL", dialect, where.span("inspect", argument), DIALECTS)
        elif dialect and name == "url" and dialect != PINNED:
            report.unknown("way to inspect an address", dialect, where.span("inspect", argument), (PINNED,))
        if argument in arguments and name in KINDS:
            found.append(Inspected((argument,), kind))
    return tuple(found)


def _unknown_kind(name: str, span: Span, report: Report) -> None:
    known = _OTHER_NAMES.get(name.lower())
    if known is None:
        report.unknown("kind of inspection", name, span, KINDS)
    else:
        report.error("unknown-name", f"no kind of inspection is called `{name}`", span, f"write `{known}`")


_OTHER_NAMES = {
    **dict.fromkeys(("bash", "cmd", "command", "powershell", "sh", "terminal", "zsh"), "shell"),
    **dict.fromkeys(("directory", "file", "filename", "folder"), "path"),
    **dict.fromkeys(("address", "http", "https", "link", "uri"), "url"),
    **dict.fromkeys(("code", "py", "python3"), "python"),
    **{dialect: f"{{sql: {dialect}}}" for dialect in sorted(DIALECTS)},
    "query": "sql",
    "pinned": "{url: pinned}",
}
"""What people call kinds of inspection."""


def _check_template(
    declared: Declared, key: str, template: Template | None, arguments: frozenset[str], report: Report
) -> None:
    for placeholder in () if template is None else template.placeholders:
        check_placeholder(declared, (key,), placeholder, arguments, report)


def check_placeholder(
    declared: Declared,
    keys: tuple[str | int, ...],
    placeholder: Placeholder,
    arguments: frozenset[str],
    report: Report,
) -> None:
    """Report a placeholder whose first name is not declared."""
    known = {
        "args": arguments,
        "tool": view(declared),
        "config": declared.get("config") or {},
    }[placeholder.root]
    if placeholder.names[0] not in known:
        near = suggest(placeholder.names[0], known)
        span = declared.places[str(keys[0])].excerpt(*keys).span(placeholder.start, placeholder.end)
        help = f"did you mean `{{{placeholder.root}.{near[0]}}}`?" if near else ""
        report.error("unknown-name", f"`{{{placeholder.path}}}` names nothing that is declared", span, help)


def _description(declared: Declared, typed: Typed) -> str:
    template: Template | None = declared.get("description")
    if template is None:
        return ""
    roots = {"tool": typed.known["tool"], "config": declared.get("config") or {}}

    def text(placeholder: Placeholder) -> str:
        value: Any = roots.get(placeholder.root, {})
        for name in placeholder.names:
            value = value.get(name, "") if isinstance(value, Mapping) else ""
        return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)

    return template.fill(text)


def _resources(declared: Declared, typed: Typed, report: Report) -> tuple[ResourceTemplate, ...]:
    templates: list[ResourceTemplate] = []
    for key, value, where in declared.sources:
        if key != "resource_permissions":
            continue
        for index, template in enumerate(value):
            for placeholder in template.placeholders:
                known = {
                    "args": typed.arguments,
                    "tool": typed.known["tool"],
                    "config": declared.get("config") or {},
                }
                if placeholder.names[0] not in known[placeholder.root]:
                    span = where.excerpt(key, index).span(placeholder.start, placeholder.end)
                    report.error(
                        "unknown-name",
                        f"`{{{placeholder.path}}}` names nothing that the tool `{declared.name}` declares",
                        span,
                        "declare the argument in `parameters`, or narrow the `tools` of the defaults",
                    )
            _check_separated(template, where.excerpt(key, index), report)
            if not any(template.text == made.template.text for made in templates):
                templates.append(plan_resource(template, typed.known["tool"], declared.get("config") or {}))
    return tuple(templates)


def _check_separated(template: Template, excerpt: Excerpt, report: Report) -> None:
    """Report placeholders that stand in one segment: which value is whose could not be told."""
    for before, after in pairwise(template.placeholders):
        if ":" not in template.text[before.end : after.start]:
            report.error(
                "ambiguous-template",
                f"`{{{before.path}}}` and `{{{after.path}}}` stand in one segment, so one value can pass for the other",
                excerpt.span(before.start, after.end),
                "separate them with `:`",
            )


def _read_only_when(
    declared: Declared, typed: Typed, report: Report, not_in_force: list[Diagnostic]
) -> Condition | None:
    if declared.get("read_only_when") is None:
        return None
    where = declared.places["read_only_when"]
    compiled = read_expression(where, ("read_only_when",), {}, {declared.name: typed.environment}, report)
    if compiled is None:
        return None
    if compiled.unbuilt:
        not_in_force.append(
            Diagnostic(
                "not-in-force",
                f"`read_only_when` of `{declared.name}` is not in force: {listed(compiled.unbuilt)} is not built yet",
                where.key_span("read_only_when"),
                f"until then every call of it has the risk {declared.risk.value}",
                Severity.NOTE,
            )
        )
        return None
    return compiled.condition(declared.name)


_WRAPPED = {"tool": frozenset({"string"}), "arguments": frozenset({"string", "object"})}


def _wraps(declared: Declared, whole: ArgumentType, report: Report) -> Wrapped | None:
    wraps = declared.get("wraps")
    if wraps is None:
        return None
    where = declared.places["wraps"]
    for key in ("tool", "arguments"):
        at = whole
        for name in getattr(wraps, key).names:
            if at.types == JSON_TYPES and not at.fields:
                break  # a value of any kind: what lies in it is seen when it is there
            below = at.fields[name].type if name in at.fields else at.values
            if below is None:
                report.unknown(f"argument of `{declared.name}`", name, where.span("wraps", key), at.fields)
                break
            at = below
        else:
            if not at.types & _WRAPPED[key]:
                what = "names no tool" if key == "tool" else "holds no arguments"
                report.error("wrong-type", f"`{getattr(wraps, key).text}` {what}", where.span("wraps", key))
    return Wrapped(wraps.tool.names, wraps.arguments.names)
