"""What a file holds: its sections, and in each what has a name."""

from __future__ import annotations

from pathlib import Path

from lsprotocol.types import DocumentSymbol, SymbolKind

from gatewayctl.editor.names import sort_at
from gatewayctl.editor.outline import Entry, Kind, Node
from gatewayctl.editor.policies import Policies, is_test
from gatewayctl.editor.positions import Positions

_MOST = 2_000
_NAMING = ("name", "id", "tenant")


def symbols(policies: Policies, path: Path, encoding: str) -> list[DocumentSymbol] | None:
    """The sections of a file with what is in them."""
    outlined = policies.outline(path)
    if outlined is None or policies.root_of(path) is None:
        return None
    positions = Positions(outlined.source.text, encoding)
    found: list[DocumentSymbol] = []
    for key, value in outlined.root.pairs():
        below = _named(key.text, value, positions, in_test=is_test(path))
        found.append(_symbol(key.text, "", SymbolKind.Namespace, (key, value, key), positions, below))
    return found


def _named(section: str, value: Node, positions: Positions, *, in_test: bool) -> list[DocumentSymbol]:
    found: list[DocumentSymbol] = []
    for entry in value.entries[:_MOST]:
        named = _name(section, entry, in_test=in_test)
        if named is not None and named.text:
            risk = entry.value.get("risk") or entry.value.get("effect")
            detail = risk.text if risk is not None else ""
            whole = (entry.key or entry.value, entry.value, named)
            found.append(_symbol(named.text, detail, SymbolKind.Object, whole, positions, []))
    return found


def _name(section: str, entry: Entry, *, in_test: bool) -> Node | None:
    """The name of an entry of a section: its key, where the keys are names, or what names it among its own keys."""
    if entry.key is not None:
        named = sort_at((section, entry.key.text), is_key=True, in_test=in_test)
        return entry.key if named is not None and named[1] else None
    found = [entry.value.get(key) for key in _NAMING]
    return next((each for each in found if each is not None and each.kind is Kind.SCALAR), None)


def _symbol(
    name: str,
    detail: str,
    kind: SymbolKind,
    place: tuple[Node, Node, Node],
    positions: Positions,
    below: list[DocumentSymbol],
) -> DocumentSymbol:
    first, last, chosen = place
    return DocumentSymbol(
        name=name,
        kind=kind,
        range=positions.range(min(first.start, chosen.start), max(last.end, chosen.end)),
        selection_range=positions.range(chosen.start, chosen.end),
        detail=detail or None,
        children=below or None,
    )
