"""A key, a token or a password that stands in the policy.

Policies lie in a repository, and `explain` prints them. A credential in one is everybody's; a tool gets its credentials
from the host.

Bad:

    tools:
      - name: list_tables
        risk: READ_ONLY
        permissions: []
        config: {dsn: "postgres://shop:s3same-0pen@db.example.com/shop"}

Good:

    tools:
      - name: list_tables
        risk: READ_ONLY
        permissions: []
        config: {dsn_from: SHOP_DATABASE}

What is found is what `redact: [{detector: secrets}]` finds in results, in comments as well, and the values of keys
such as `password` in `config`. Take the secret out, and out of use. An example that is none says so with
`# gateway: ignore[written-secret] …` on its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gateway.checks.reading import SECRET, words
from gateway.diagnostic import Diagnostic, Span
from gateway.results.detectors import DETECTORS
from gateway.results.detectors.likely import token

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.document import Document, KeyPath
    from gateway.policy import Policy

_SECRETS = DETECTORS["secrets"]
_SHORTEST = 8
_IN_AN_ADDRESS = re.compile(
    r"[?&;](?:password|pwd|passwd|secret|api_?key|access_?token)=([^&;\s'\"]+)", re.IGNORECASE
)


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each secret in each file, at the characters that hold it."""
    for document in policy.documents:
        last = -1
        for start, end in sorted(set(_spans(document))):
            if start < last:
                continue
            last = end
            yield Diagnostic(
                "",
                "a secret stands in the policy, for everybody who can read it",
                Span(document.source, start, end),
                "let the host hold it, and change it where it is in use",
            )


def _spans(document: Document) -> Iterator[tuple[int, int]]:
    text = document.source.text
    yield from _SECRETS.find(text)
    for match in _IN_AN_ADDRESS.finditer(text):
        if token(match[1], _SHORTEST):
            yield match.span(1)
    for path in _fields(document.data, ()):
        span = document.span(path)
        yield span.start, span.end


def _fields(data: Any, path: KeyPath) -> Iterator[KeyPath]:
    """The values of keys that hold secrets, in the `config` of tools."""
    pending: list[tuple[KeyPath, Any, bool]] = [(path, data, False)]
    while pending:
        path, value, inside = pending.pop()
        if isinstance(value, Mapping):
            for key, below in value.items():
                here = (*path, key)
                named = inside and " ".join(words(str(key))) in SECRET
                if named and isinstance(below, str) and token(below, _SHORTEST):
                    yield here
                pending.append((here, below, inside or key == "config"))
        elif isinstance(value, list):
            pending.extend(((*path, index), below, inside) for index, below in enumerate(value))
