"""The file in which people confirm what relaxes or may relax: what exactly, by whom, why and until when."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from pydantic import Field, ValidationError

from gateway.diagnostic import Diagnostic, PolicyError, Severity
from gateway.document import read_document, source_of
from gateway.interval import passed
from gateway.policy import Part, Where
from gateway.policy.explain import explain, forgotten
from gateway.policy.words import Text, UntilText
from gateway.relaxation import Change
from gatewayctl.inputs import read_bytes


class ConfirmedChange(Part):
    """A change that somebody agreed to although it relaxes, or nobody knows that it does not."""

    noun: ClassVar[str] = "a confirmation"

    item: Text = Field(description="What was confirmed, as `gatewayctl diff` names it.")
    digest: Text = Field(description="The digest that `gatewayctl diff` printed with it.")
    by: Text = Field(description="Who confirmed it.")
    reason: Text = Field(description="Why.")
    until: UntilText | None = Field(None, description="The last day on which it counts.")


@dataclass(frozen=True, slots=True)
class Matched:
    """The changes that are confirmed, by item and digest, and what is to be said about entries that confirm none."""

    keys: frozenset[tuple[str, str]]
    unused: tuple[Diagnostic, ...]

    def confirms(self, change: Change) -> bool:
        """Whether somebody agreed to exactly this change."""
        return (change.item, change.digest) in self.keys


def read_confirmations(path: Path) -> tuple[ConfirmedChange, ...]:
    """The entries of a file, or a `PolicyError` with everything that is wrong with it."""
    document = read_document(source_of(str(path), read_bytes(path)))
    top = Where(document, ())
    if not isinstance(document.data, list):
        raise PolicyError(
            [
                Diagnostic(
                    "wrong-type", "confirmations are a list", top.span(), "start each one with `- item:`"
                )
            ]
        )
    problems: list[Diagnostic] = []
    found: list[ConfirmedChange] = []
    for index, data in enumerate(document.data):
        where = top.below(index)
        problems.extend(forgotten(ConfirmedChange, data, where))
        try:
            part = ConfirmedChange.model_validate(data)
        except ValidationError as error:
            problems.extend(explain(error, ConfirmedChange, where))
            continue
        problems.extend(part.placed(where))
        found.append(part)
    if problems:
        raise PolicyError(problems)
    return tuple(found)


def match(
    entries: Iterable[ConfirmedChange],
    changes: Iterable[Change],
    now: datetime,
    confirmed_in_policy: frozenset[str],
) -> Matched:
    """An entry confirms the item and digest that it names, while its time is not over; so does the policy itself.

    What a policy confirms are relaxations; there is nothing to confirm of a change that is proved.
    """
    doubtful = [change for change in changes if change.relaxed or change.unproved]
    known = {(change.item, change.digest) for change in doubtful}
    items = {change.item for change in doubtful}
    confirmed = {
        (change.item, change.digest)
        for change in doubtful
        if change.relaxed and change.item in confirmed_in_policy
    }
    unused: list[Diagnostic] = []
    for entry in entries:
        key = (entry.item, entry.digest)
        if key not in known and entry.item in items:
            unused.append(_unused(entry, "digest", "it was something else that was confirmed"))
        elif key not in known:
            unused.append(_unused(entry, "item", "nothing of that name is relaxed or unproved"))
        elif entry.until is not None and passed(entry.until, now):
            unused.append(_unused(entry, "until", f"it ended on {entry.until.text}"))
        else:
            confirmed.add(key)
    return Matched(frozenset(confirmed), tuple(unused))


def entry_lines(change: Change) -> tuple[str, ...]:
    """The entry that confirms a change once it says who and why; as it stands it is refused."""
    plain = all(char.isalnum() or char in "._-" for char in change.item) and change.item.isascii()
    return (
        f"- item: {change.item if plain else json.dumps(change.item)}",
        f"  digest: {change.digest}",
        "  by:",
        "  reason:",
    )


def _unused(entry: ConfirmedChange, key: str, why: str) -> Diagnostic:
    message = f"the confirmation of `{entry.item}` counts for nothing: {why}"
    return Diagnostic("unused-confirmation", message, entry.where.span(key), severity=Severity.WARNING)
