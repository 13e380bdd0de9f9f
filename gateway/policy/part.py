"""The base of every part of a policy, and the place where it was written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, PrivateAttr

from gateway.diagnostic import Diagnostic, Excerpt, Span
from gateway.document import Document, KeyPath


@dataclass(frozen=True, slots=True)
class Where:
    """A place in a document; keys lead further down from it."""

    document: Document
    path: KeyPath

    def span(self, *keys: str | int) -> Span:
        """Where the value below stands."""
        return self.document.span(self.path + keys)

    def key_span(self, *keys: str | int) -> Span:
        """Where the key of the value below stands."""
        return self.document.key_span(self.path + keys)

    def excerpt(self, *keys: str | int) -> Excerpt:
        """The scalar below as a text whose characters know their place."""
        return self.document.excerpt(self.path + keys)

    def below(self, *keys: str | int) -> Where:
        """The place of a value below."""
        return Where(self.document, self.path + keys)


class Part(BaseModel):
    """A mapping of the policy language; its attributes are named as its keys."""

    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, arbitrary_types_allowed=True, hide_input_in_errors=True
    )

    noun: ClassVar[str]
    """What messages call such a mapping, with its article."""
    may_be_empty: ClassVar[frozenset[str]] = frozenset()
    """Keys for which null says something; anywhere else it is a value that was forgotten."""

    _where: Where | None = PrivateAttr(default=None)

    @property
    def where(self) -> Where:
        """Where the part was written."""
        if self._where is None:
            raise LookupError("the part was not read from a document")
        return self._where

    def placed(self, where: Where) -> Iterator[Diagnostic]:
        """Tell the part, and those inside it, where they were written; then say what is wrong among their keys."""
        self._where = where
        yield from self.problems()
        for key in self.model_fields_set:
            value = getattr(self, key)
            if isinstance(value, Part):
                yield from value.placed(where.below(key))
            elif isinstance(value, tuple):
                for index, item in enumerate(value):
                    if isinstance(item, Part):
                        yield from item.placed(where.below(key, index))

    def problems(self) -> Iterator[Diagnostic]:
        """What is wrong with keys that are right each for itself."""
        yield from ()

    def wrong(self, key: str, message: str, help: str = "") -> Diagnostic:
        """A diagnostic about one of the part's own keys."""
        return Diagnostic("wrong-value", message, self.where.key_span(key), help)

    def given(self, key: str) -> bool:
        """Whether the author wrote the key."""
        return key in self.model_fields_set
