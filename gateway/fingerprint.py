"""What a server says of a tool, and the digest by which it is known again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateway.canonical import digest
from gateway.frozen import frozen
from gateway.risk import RiskLevel


@frozen
class Listed:
    """A tool as its server lists it, by the name that policies use for it: `server/name`."""

    name: str
    title: str | None
    description: str | None
    input: Mapping[str, Any]
    output: Mapping[str, Any] | None
    annotations: Mapping[str, Any] | None

    @property
    def digest(self) -> str:
        """Equal for two tools that say the same in every field, whatever the order of their keys."""
        return digest([self.name, self.title, self.description, self.input, self.output, self.annotations])

    @property
    def entry(self) -> Mapping[str, Any]:
        """The tool as an entry of its server's list."""
        said = {
            "name": self.name.partition("/")[2],
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input,
            "outputSchema": self.output,
            "annotations": self.annotations,
        }
        return {key: value for key, value in said.items() if value is not None}


def hinted(annotations: Mapping[str, Any] | None) -> RiskLevel:
    """The least risk that a server's own hints give a tool: they may raise a risk, and never lower one."""
    said = annotations or {}
    if said.get("destructiveHint") is True:
        return RiskLevel.HIGH
    return RiskLevel.LOW if said.get("readOnlyHint") is False else RiskLevel.READ_ONLY
