"""Pins: what servers' tools were when somebody accepted them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field

from gateway.diagnostic import Diagnostic
from gateway.fingerprint import Listed as ListedTool
from gateway.malformed import Malformed
from gateway.policy.part import Part
from gateway.policy.words import Day, Plain, Text, ToolName
from gateway.schema import check_schema


def _of_a_server(name: str) -> str:
    if "/" not in name:
        raise Malformed(f"`{name}` is no server's tool", "write `server/name`")
    return name


class Accepted(Part):
    """Who accepted a tool that had changed, and what it was before."""

    noun: ClassVar[str] = "what was accepted"

    by: Text = Field(description="Who accepted it.")
    at: Day = Field(description="The day on which it was accepted.")
    reason: Text = Field(description="Why.")
    was: Text | None = Field(None, description="The digest of the pin before; absent where there was none.")


class Pin(Part):
    """One tool of a server as it was accepted; `gatewayctl tools pin` and `accept` write them."""

    noun: ClassVar[str] = "a pin"

    tool: Annotated[ToolName, AfterValidator(_of_a_server)] = Field(description="The tool, `server/name`.")
    digest: Text = Field(description="The digest of all that follows but `accepted`, and of the name.")
    title: str | None = Field(None, description="The title that the server gives it.")
    description: str | None = Field(None, description="What the server tells models about it.")
    input: Plain = Field(description="The JSON Schema of its arguments.")
    output: Plain | None = Field(None, description="The JSON Schema of what it returns.")
    annotations: Plain | None = Field(None, description="The server's hints, such as `readOnlyHint`.")
    accepted: Accepted | None = Field(None, description="Who accepted a change, and why.")

    @property
    def listed(self) -> ListedTool:
        """The tool as its server listed it."""
        return ListedTool(self.tool, self.title, self.description, self.input, self.output, self.annotations)

    def problems(self) -> Iterator[Diagnostic]:
        """A pin that says something else than what was accepted."""
        wrong = check_schema(self.input, None)
        if wrong:
            yield self.wrong("input", f"the schema can't be used: {wrong[0].message}")
        elif self.listed.digest != self.digest:
            yield self.wrong(
                "digest",
                f"the pin of `{self.tool}` is not what its digest says",
                "undo what was changed by hand; `gatewayctl tools accept` takes a tool that has changed",
            )
