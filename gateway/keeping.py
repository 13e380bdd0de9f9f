"""What a gateway remembers in its store: each decision is made with it, and each result is kept in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gateway.call import ToolCall, normal_arguments
from gateway.canonical import digest
from gateway.decision import Decision
from gateway.facts import Facts, Remembering
from gateway.journal import Entered, Progress, journal_key, kept_review, result_key
from gateway.results.review import Review
from gateway.session import Session
from gateway.state import Change, Lost, Put, Store, Unavailable

_ATTEMPTS = 4
"""How often a call is decided anew where others changed what the decision rests on."""


class Contended(Unavailable):
    """Others kept changing what a decision rests on."""


class OtherArguments(Exception):
    """A call ran that was not the one that was let run."""


class Keeper:
    """Decides with a store, and keeps in it what came of calls."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def facts(self, facts: Facts, what: Remembering) -> Facts:
        """The facts with what is remembered among them."""
        return replace(facts, read=self.store.read, counted=self.store.counted, remembering=what)

    def decide(self, make: Callable[[Facts], Decision], facts: Facts) -> Decision:
        """The decision that `make` comes to, with all that changes by it remembered; raises `Unavailable`."""
        for _ in range(_ATTEMPTS):
            decision = make(facts)
            try:
                if decision.changes:
                    self.store.apply(decision.changes)
            except Lost:
                continue
            return decision
        raise Contended("others keep changing what the decision rests on")

    def let_run(self, call: ToolCall, session: Session) -> tuple[Entered, int] | None:
        """The journal's entry of a call that has run, and its version; None where it was not let run."""
        key = journal_key(call, session)
        kept = self.store.read((key,)).entries.get(key)
        if kept is None:
            return None
        try:
            return Entered.of(kept.value), kept.version
        except ValueError as error:
            raise Unavailable(str(error)) from error

    def finish(
        self, call: ToolCall, session: Session, entry: tuple[Entered, int], review: Review, moment: int
    ) -> None:
        """Keep how a call ended and what may be shown of its result; raises `Unavailable`."""
        entered, version = entry
        if entered.progress is not Progress.STARTED:
            return  # it is kept already
        progress = Progress.FAILED if review.is_error else Progress.COMPLETED
        ended = replace(entered, progress=progress, at=moment)
        changes: tuple[Change, ...] = (
            Put(journal_key(call, session), ended.packed(), version),
            Put(result_key(call, session), kept_review(review), None),
        )
        try:
            self.store.apply(changes)
        except Lost as error:
            raise Contended("the call was ended by somebody else") from error


def check_arguments(call: ToolCall, entered: Entered) -> None:
    """Raise `OtherArguments` unless what ran is what was let run, as the model wrote it or as it was granted."""
    if call.name != entered.tool:
        raise OtherArguments(f"`{call.name}` ran, and `{entered.tool}` was let run")
    if digest(normal_arguments(call.arguments)) not in (entered.raw, entered.final):
        raise OtherArguments("the arguments that it ran with are not those that were granted")
