"""What is blanked out of a result, as the policy says it."""

from __future__ import annotations

from gateway.frozen import identified
from gateway.results.fields import FieldPattern, any_depth


@identified
class Redact:
    """One thing that an entry blanks out: what a detector finds, or a field; the policy has each once."""

    entry: str
    detector: str | None = None
    field: FieldPattern | None = None

    @property
    def what(self) -> str:
        """The detector or the field as the policy writes it."""
        return f"detector {self.detector}" if self.field is None else f"field {self.field.text}"


SENSITIVE = "x-sensitive"
"""What stands in place of an entry's id where a tool's schema marks an argument."""


def sensitive_field(name: str) -> Redact:
    """What blanks out every field that is named as an argument marked `x-sensitive`."""
    return Redact(SENSITIVE, None, any_depth(name))
