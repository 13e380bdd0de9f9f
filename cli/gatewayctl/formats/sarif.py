"""For code scanning: a SARIF 2.1.0 log with one run, in which every check is a rule with its page.

Codes of errors that keep a policy from loading have no page; they become rules as far as they were found.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from gatewayctl.formats.place import from_here
from gatewayctl.output import say_json
from gatewayctl.pages import checks

if TYPE_CHECKING:
    from gateway.diagnostic import Diagnostic, Edit, Span

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def say_found(found: Sequence[Diagnostic], *, ok: bool) -> None:
    """Print the log as JSON on one line."""
    rules = _rules(found)
    places = {rule["id"]: index for index, rule in enumerate(rules)}
    run = {
        "tool": {"driver": {"name": "gatewayctl", "version": version("gatewayctl"), "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(diagnostic, places[diagnostic.code]) for diagnostic in found],
    }
    say_json({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _rules(found: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    from gateway.checks import check_id, confidence_of, severity_of

    rules = []
    for module in checks():
        page = inspect.cleandoc(module.__doc__ or "")
        first, _, rest = page.partition("\n\n")
        rules.append(
            {
                "id": check_id(module),
                "shortDescription": {"text": _plain(first)},
                "fullDescription": {"text": _plain(rest.partition("\n\n")[0].replace("\n", " "))},
                "help": {"text": _plain(page)},
                "defaultConfiguration": {"level": severity_of(module).value},
                "properties": _properties(severity_of(module).value, confidence_of(module).value),
            }
        )
    severities = {diagnostic.code: diagnostic.severity.value for diagnostic in found}
    for code in sorted(severities.keys() - {rule["id"] for rule in rules}):
        rules.append(
            {
                "id": code,
                "shortDescription": {"text": code.replace("-", " ")},
                "fullDescription": {"text": f"Reported as `{code}` when a policy is loaded."},
                "help": {"text": "The message says what is wrong, and its help what would be accepted."},
                "defaultConfiguration": {"level": severities[code]},
                "properties": _properties(severities[code], "certain"),
            }
        )
    return rules


_SEVERITIES = MappingProxyType({"error": "error", "warning": "warning", "note": "recommendation"})
_PRECISIONS = MappingProxyType({"certain": "very-high", "likely": "high", "possible": "medium"})


def _properties(severity: str, confidence: str) -> dict[str, str]:
    """How bad and how sure what a rule finds is, in the words of GitHub's code scanning."""
    return {"problem.severity": _SEVERITIES[severity], "precision": _PRECISIONS[confidence]}


def _result(diagnostic: Diagnostic, rule: int) -> dict[str, Any]:
    text = f"{diagnostic.message}\nhelp: {diagnostic.help}" if diagnostic.help else diagnostic.message
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": diagnostic.severity.value,
        "message": {"text": _plain(text)},
        "locations": [],
        "properties": {"confidence": diagnostic.confidence.value},
    }
    if diagnostic.span is not None:
        result["locations"] = [{"physicalLocation": _place(diagnostic.span)}]
    if diagnostic.related:
        result["relatedLocations"] = [
            {
                "id": number,
                "physicalLocation": _place(related.span),
                "message": {"text": _plain(related.message)},
            }
            for number, related in enumerate(diagnostic.related, 1)
        ]
    if diagnostic.edits:
        result["fixes"] = [{"artifactChanges": [_change(edit) for edit in diagnostic.edits]}]
    return result


def _change(edit: Edit) -> dict[str, Any]:
    place = _place(edit.span)
    return {
        "artifactLocation": place["artifactLocation"],
        "replacements": [{"deletedRegion": place["region"], "insertedContent": {"text": edit.text}}],
    }


def _place(span: Span) -> dict[str, Any]:
    end_line, end_column = span.source.position(span.end)
    return {
        "artifactLocation": _file(from_here(span.source.name)),
        "region": {
            "startLine": span.line,
            "startColumn": span.column,
            "endLine": end_line,
            "endColumn": end_column,
        },
    }


def _file(path: PurePath) -> dict[str, str]:
    uri = quote(os.fsencode(path.as_posix()), safe="/")
    return {"uri": f"file://{uri}"} if path.is_absolute() else {"uri": uri, "uriBaseId": "%SRCROOT%"}


def _plain(text: str) -> str:
    """A message that is read as it stands: no link, and no placeholder for an argument, can be made in it."""
    unlinked = text.encode("utf-8", "backslashreplace").decode().replace("](", "] (")
    return re.sub(r"\{(\d+)\}", r"{{\1}}", unlinked)
