"""Two tools that an agent sees, described in the same words.

Where two descriptions say the same, a model takes either tool, today the one and tomorrow the other. Descriptions are
compared without case, punctuation, plurals and small words such as `the`; of long ones, one may have a word more.

Bad:

    tools:
      - {name: search_docs, description: Search the documents., risk: READ_ONLY, permissions: []}
      - {name: find_docs, description: "Searches documents", risk: READ_ONLY, permissions: []}

Good:

    tools:
      - {name: search_docs, description: Search the documents by meaning., risk: READ_ONLY, permissions: []}
      - {name: find_docs, description: Find documents by words in their title., risk: READ_ONLY, permissions: []}

Where it does not matter which one is taken, write `# gateway: ignore[same-description] …` on the line of the second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.shown import shown
from gateway.diagnostic import Diagnostic, Related

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

_WORD = re.compile(r"[^\W_]+")
_SMALL = frozenset(
    (
        *(
            "a",
            "an",
            "the",
            "this",
            "that",
            "these",
            "those",
            "its",
            "it",
            "of",
            "to",
            "in",
            "on",
            "for",
            "by",
        ),
        *("and", "or", "all", "any", "one", "some", "please"),
    )
)


_MANY = 8
"""Descriptions of that many words and more say the same also where one of them has a word more."""


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each tool described like one before it that the same agent is shown."""
    said: set[str] = set()
    words = {name: _words(tool.description) for name, tool in compiled.engine.tools.items()}
    for agent in compiled.engine.agents.values():
        first: dict[frozenset[str], str] = {}
        shortened: dict[frozenset[str], str] = {}
        for name in shown(agent, compiled):
            less = [words[name] - {word} for word in words[name]] if len(words[name]) > _MANY else []
            other = first.get(words[name]) or next((first[one] for one in less if one in first), None)
            other = other or (shortened.get(words[name]) if len(words[name]) >= _MANY else None)
            first.setdefault(words[name], name)
            for one in less:
                shortened.setdefault(one, name)
            if not words[name] or other is None or name in said:
                continue
            said.add(name)
            here, there = (compiled.declared[each].places["description"] for each in (name, other))
            yield Diagnostic(
                "",
                f"the descriptions of `{name}` and `{other}` say the same, and the agent `{agent.name}` has both",
                here.span("description"),
                "say in each what the other one does not do",
                related=(Related(there.span("description"), f"the description of `{other}`"),),
            )


def _words(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in _WORD.findall(text.casefold()) if word not in _SMALL)


def _stem(word: str) -> str:
    return word.removesuffix("s").removesuffix("e") if len(word) > 4 else word
