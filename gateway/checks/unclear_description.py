"""A description that does not tell the model when to use the tool.

The description is all that a model knows of a tool beside its name. Without one it guesses. Among tools of one group it
has to choose, so each of them says what it does, when to use it, and for what to take another one.

Bad:

    tools:
      - {name: list_forms, group: forms, description: Lists forms., risk: READ_ONLY, permissions: []}
      - {name: read_form, group: forms, description: Reads a form., risk: READ_ONLY, permissions: []}

Good:

    tools:
      - name: list_forms
        group: forms
        description: List forms by page. Use it to find a form's id. Not for one form's fields (read_form).
        risk: READ_ONLY
        permissions: []
      - name: read_form
        group: forms
        description: Read the fields of one form. Use it before changing the form. Not for finding it (list_forms).
        risk: READ_ONLY
        permissions: []

A tool that is switched off and the tools of servers need none, a tool without others in its group need not say when to
use it, and only English is read for that. Otherwise write `# gateway: ignore[unclear-description] …` on the line of
the description, or of the name where there is none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.diagnostic import Diagnostic, shortened

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

_FEWEST = 8
_NAME = re.compile(r"[A-Za-z0-9_.-]*[A-Za-z0-9_-]")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_ENGLISH = frozenset(
    ("a", "an", "and", "at", "by", "for", "from", "in", "it", "its", "of", "on", "or", "the", "to", "with")
)
"""Words of which no longer English text has fewer than two."""
_WHEN = frozenset(("use", "used", "uses", "using", "when", "whenever", "before", "after", "if"))
_WHEN_NOT = frozenset(
    ("not", "don't", "doesn't", "never", "instead", "rather", "only", "unless", "except", "can't", "prefer")
)


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each tool without a description, and each beside others whose description does not help to choose."""
    own = [
        tool
        for tool in compiled.declared.values()
        if "/" not in tool.name and tool.get("enabled") is not False
    ]
    members = Counter(tool.get("group") for tool in own)
    names = frozenset(compiled.declared)
    for tool in own:
        text = compiled.engine.tools[tool.name].description.strip()
        group = tool.get("group")
        if not text:
            yield Diagnostic(
                "",
                f"the tool `{tool.name}` has no description, so models know it by its name alone",
                tool.tool.where.span("name"),
                "say what it does, when to use it, and for what not",
            )
        elif group and members[group] > 1 and (lacks := _lacks(text, names - {tool.name})):
            yield Diagnostic(
                "",
                f"the description of `{tool.name}` {lacks}, "
                f"and its group `{shortened(group)}` has {members[group]} tools",
                tool.places["description"].span("description"),
                "write: what it does. Use it for …. Not for … (the tool that is)",
            )


def _lacks(text: str, others: frozenset[str]) -> str:
    """What a description lacks that would help to choose; nothing is said of other languages than English."""
    text = text.replace("\u2019", "'")
    words = _WORD.findall(text.lower())
    if any(char.isalpha() and not char.isascii() for char in text):
        return ""
    if len(words) >= _FEWEST and len(_ENGLISH & set(words)) < 2:
        return ""
    if _WHEN.isdisjoint(words):
        return "doesn't say when to use it"
    if _WHEN_NOT.isdisjoint(words) and others.isdisjoint(_NAME.findall(text)):
        return "doesn't say when not to use it"
    return f"has fewer than {_FEWEST} words" if len(words) < _FEWEST else ""
