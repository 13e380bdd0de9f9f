"""The tables of LANGUAGE.md, made from the code; `python -m tests.reference` writes them into the page."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

from gateway.cel import Field, ObjectType, Type
from gateway.cel.functions import LIBRARIES
from gateway.cel.functions.signature import Style
from gateway.compile.environment import any_call_environment, listing_environment
from gateway.compile.in_force import READ_BY
from gateway.compile.inspected import INSPECTED
from gateway.compile.management import management_tools
from gateway.declaring import KEYWORDS
from gateway.inspect.classes import PROTECTED
from gateway.inspect.deed import Does
from gateway.inspect.headers import HeaderKind
from gateway.inspect.kind import Kind
from gateway.inspect.path.trait import PathTrait
from gateway.inspect.pattern import Pattern
from gateway.inspect.place import PathClass
from gateway.inspect.sql.kinds import SqlKind
from gateway.inspect.url.kind import UrlKind
from gateway.patterns import PACKS, load_packs
from gateway.patterns.conditions import DESCRIBED
from gateway.policy import (
    Accepted,
    Agent,
    Approval,
    ArgumentEntry,
    Condition,
    Confirmation,
    Example,
    Examples,
    Invariant,
    Limit,
    Monitored,
    Override,
    Part,
    Pin,
    Policy,
    Redaction,
    Result,
    ResultShape,
    Rule,
    Server,
    Settings,
    Tool,
    ToolFields,
    Wraps,
)
from gateway.policy.read import PolicyFile
from gateway.testing.expected import Expected
from tests.inspect.places import CONVENTIONS

PAGE = Path(__file__).parent.parent / "LANGUAGE.md"
_TABLE = re.compile(r"<!-- table: (?P<name>[a-z ]+) -->\n.*?<!-- end -->", re.DOTALL)


def _rows(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    titles = list(head)
    yield f"| {' | '.join(titles)} |"
    yield f"|{' --- |' * len(titles)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


def _keys(*models: type[Part]) -> Callable[[], Iterator[str]]:
    """The keys that models declare themselves; a star marks those that must be written."""

    def rows() -> Iterator[tuple[str, str]]:
        for model in models:
            for key in [key for key in model.__annotations__ if key in model.model_fields]:
                field = model.model_fields[key]
                star = "\\*" if field.is_required() else ""
                yield f"`{_INSIDE.get(model, '')}{key}`{star}", field.description or ""

    return lambda: _rows(("key", "what it says"), rows())


_INSIDE: Mapping[type[Part], str] = MappingProxyType(
    {
        ResultShape: "result.",
        Wraps: "wraps.",
        Approval: "approval.",
        Examples: "examples.",
        Example: "examples.match[].",
        Redaction: "redact[].",
        Server: "servers[].",
        Pin: "pins[].",
        Accepted: "accepted.",
        Confirmation: "confirm.",
    }
)


def _variables() -> Iterator[str]:
    known = any_call_environment(listing_environment(Policy((), ""))).variables
    rows = ((f"`{name}`", _fields(known[name])) for name in _FIXED)
    return _rows(("variable", "fields"), rows)


_FIXED = ("tool", "subject", "session", "agent", "call", "roles")
"""The variables whose fields are the same in every policy."""


def _fields(type_: Type) -> str:
    if not isinstance(type_, ObjectType):
        return str(type_)
    return ", ".join(
        f"`{name}`{'?' if field.optional else ''} {_type(field.type)}" for name, field in type_.fields.items()
    )


def _type(type_: Type) -> str:
    return "as declared" if isinstance(type_, ObjectType) else str(type_)


def _functions() -> Iterator[str]:
    rows = (
        (
            library.__name__.rpartition(".")[2],
            f"`{'x.' if function.style is Style.MEMBER else ''}{function.name}(…)`",
            function.summary + ("" if function.built else " Not in force yet."),
            f"`{function.example}`",
        )
        for library in LIBRARIES
        for function in library.FUNCTIONS
    )
    return _rows(("library", "function", "what it gives", "example, which is true"), rows)


def _one_line(text: str) -> str:
    """A command in a cell of a table."""
    line = " ⏎ ".join(text.splitlines())
    return f"`` {line} ``" if "`" in line else f"`{line}`"


def _packs() -> Iterator[str]:
    def row(pattern: Pattern) -> tuple[str, str, str, str]:
        example = f"{_one_line(pattern.matches[0].text)}{_circumstances(pattern)}"
        return pattern.pack, f"`{pattern.id}`", pattern.effect.value, f"{pattern.title}: {example}"

    return _rows(("pack", "pattern", "effect", "what it does, and an example"), map(row, load_packs(PACKS)))


def _circumstances(pattern: Pattern) -> str:
    """What an example is inspected as, and the setting that it needs."""
    example = pattern.matches[0]
    if READ_BY["protected_paths"](pattern):
        return f" with `protected_paths: [{', '.join(CONVENTIONS.paths)}]`"
    if example.kind is Kind.SHELL:
        return ""
    kind = f"{{{example.kind.value}: {example.more}}}" if example.more else example.kind.value
    return f" as `{kind}`{', written' if example.writes else ''}"


def _words() -> Iterator[str]:
    """What the facts that are words can be, and what each says where the word alone does not."""
    facts: dict[tuple[str, str, str], list[str]] = {}
    for kind, type_ in INSPECTED.items():
        for name, field in type_.fields.items():
            for word in _listed(field):
                text = _ANALYSES[word] if name == "analysis" else _SAID[f"{kind} {name}"].get(word, "")
                facts.setdefault((name, word, text), []).append(kind)
    rows = ((f"`{name}`", ", ".join(kinds), f"`{word}`", text) for (name, word, text), kinds in facts.items())
    return _rows(("fact", "inspected as", "word", "what it says"), rows)


def _listed(field: Field) -> Iterator[str]:
    """The words that a fact, or an element of it, can be."""
    for form in () if field.domain is None else field.domain.forms.values():
        element = form if form.element is None else form.element.forms.get("string")
        yield from () if element is None else element.range.listed or ()


def _docs(*enums: type[Enum]) -> dict[str, str]:
    """What stands below each member of enumerations."""
    found: dict[str, str] = {}
    for enum in enums:
        (body,) = (
            node.body for node in ast.parse(inspect.getsource(enum)).body if isinstance(node, ast.ClassDef)
        )
        for member, text in pairwise(body):
            if isinstance(member, ast.Assign) and isinstance(text, ast.Expr):
                found[ast.literal_eval(member.value)] = " ".join(ast.literal_eval(text.value).split())
    return found


_ANALYSES: Mapping[str, str] = MappingProxyType(
    {
        "exact": "All of it was read as it stands.",
        "folded": "What was found stands there only after it has been put together.",
        "partial": "Parts are known only when it runs, or there is more than is told.",
        "unparsed": "It could not be read.",
    }
)
_SAID: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        **{f"{kind} effects": _docs(Does) for kind in ("shell", "git", "python")},
        "sql kinds": _docs(SqlKind),
        "url kinds": _docs(UrlKind),
        "headers kinds": _docs(HeaderKind),
        "path classes": {
            **_docs(PathClass, PathTrait),
            PROTECTED: "It is one of `protected_paths`, or lies below one.",
        },
    }
)


def _facts() -> Iterator[str]:
    def row(kind: str, fields: Mapping[str, Field]) -> Iterator[tuple[str, str, str]]:
        return ((kind, f"`{name}`", f"{field.type}") for name, field in fields.items())

    rows = (one for kind, type_ in INSPECTED.items() for one in row(kind, type_.fields))
    return _rows(("inspected as", "fact", "type"), rows)


def _matched() -> Iterator[str]:
    rows = ((f"`{key}`", " ".join((kind.__doc__ or "").split())) for key, kind in DESCRIBED.items())
    return _rows(("key", "when it holds"), rows)


def _management() -> Iterator[str]:
    """The management tools with their arguments; a star marks those that must be there."""

    def rows() -> Iterator[tuple[str, ...]]:
        for tool in management_tools():
            schema = tool.parameters or {}
            required = schema.get("required", ())
            names = [
                f"`{name}`{chr(92) + '*' if name in required else ''}"
                for name in schema.get("properties", ())
            ]
            (permission,) = tool.permissions or ()
            text = tool.description.text if tool.description is not None else ""
            yield (
                f"`{tool.name}`",
                f"`{permission}`",
                tool.risk.value if tool.risk else "",
                ", ".join(names),
                text,
            )

    return _rows(("tool", "permission", "risk", "arguments", "what it does"), rows())


def _code() -> Iterator[str]:
    """The keywords of the decorator that declares tools in code."""
    return _rows(("keyword", "what it says"), ((f"`{key}`", text) for key, text in KEYWORDS.items()))


TABLES: Mapping[str, Callable[[], Iterator[str]]] = MappingProxyType(
    {
        "file": _keys(PolicyFile),
        "settings": _keys(Settings),
        "agents": _keys(Agent),
        "tools": _keys(Tool, ToolFields, ResultShape, Wraps),
        "code": _code,
        "conditions": _keys(Condition, Examples, Example),
        "arguments": _keys(ArgumentEntry),
        "rules": _keys(Rule, Monitored, Approval),
        "results": _keys(Result, Redaction),
        "overrides": _keys(Override, Confirmation),
        "invariants": _keys(Invariant),
        "limits": _keys(Limit),
        "management": _management,
        "servers": _keys(Server),
        "pins": _keys(Pin, Accepted),
        "expected": _keys(Expected),
        "variables": _variables,
        "functions": _functions,
        "packs": _packs,
        "facts": _facts,
        "words": _words,
        "matched": _matched,
    }
)


def filled(page: str) -> str:
    """The page with each table as the code says it."""

    def table(match: re.Match[str]) -> str:
        lines = "\n".join(TABLES[match["name"]]())
        return f"<!-- table: {match['name']} -->\n{lines}\n<!-- end -->"

    return _TABLE.sub(table, page)


def shown(page: str, name: str) -> str:
    """The example of a name on a page."""
    match = re.search(rf"<!-- example: {name} -->\n```\w+\n(.*?)```", page, re.DOTALL)
    if match is None:
        raise LookupError(name)
    return match[1]


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
