"""What a gateway remembers in its store: each decision is made with it, and each result is kept in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from random import random
from time import sleep

from gateway.approvals import Request, Status, about
from gateway.binding import binding_key, bound
from gateway.call import ToolCall, normal_arguments
from gateway.canonical import digest
from gateway.decision import Code, Decision, Effect
from gateway.facts import Facts, Remembering
from gateway.frozen import frozen
from gateway.journal import Entered, Progress, journal_key, kept_review, result_key, whole_key
from gateway.once import Noted, claimed, settled
from gateway.results.review import Review
from gateway.session import Session
from gateway.starting import Starting
from gateway.state import KEPT, Change, Count, Delete, Key, Kind, Lost, Put, State, Store, Unavailable, Window

_EACH = 256
"""How many decisions there are between two sweeps."""
_MOST_BOUND = 10_000
_ATTEMPTS = 24
"""How often a call is decided anew where others changed what the decision rests on, each time a little later."""
_PAUSE = 0.002
_WARY = 32
"""For how many decisions nothing is presumed after something that was presumed was not so."""

LONGEST_EXCERPT = 100_000
_SHORTEST_EXCERPT = 4  # the longest character


class Contended(Unavailable):
    """Others kept changing what a decision rests on."""


class OtherArguments(Exception):
    """A call ran that was not the one that was let run."""


def applied(store: Store, decision: Decision) -> None:
    """Make what changes by a decision."""
    if decision.changes:
        store.apply(decision.changes)


def take_back(store: Store, decision: Decision) -> None:
    """Undo that a call was let run that nobody was told of: its entry, its count, the use of its approval.

    That it was tried stays, as for any call that is refused. Where it fails in any way, or others changed it meanwhile,
    the entry stays open: a person is asked before the call runs.
    """
    try:
        store.apply(tuple(_undoing(decision.changes)))
    except (Lost, Unavailable):
        return
    except Exception:  # the edge to stores: the call is refused all the same
        from logging import getLogger

        getLogger("gateway").exception("a call that is refused could not be taken back")


def _undoing(changes: Iterable[Change]) -> Iterator[Change]:
    for change in changes:
        if isinstance(change, Count):
            yield replace(change, amount=-change.amount)
        elif isinstance(change, Put) and change.expected is not None:
            version = change.expected + 1
            if change.key.kind in (Kind.JOURNAL, Kind.DONE) and change.expected == 0:
                yield Delete(change.key, version)
            elif change.key.kind is Kind.DONE:
                noted = Noted.of(change.value)
                yield Noted(noted.all[:-1]).put(change.key, version)
            elif change.key.kind is Kind.APPROVAL:
                approved = replace(Request.of(change.value), status=Status.APPROVED)
                yield replace(change, value=approved.packed(), expected=version)


def _tells(decision: Decision, presumed: Set[Key]) -> bool:
    """Whether a decision is made to count only if all that was presumed is so."""
    if decision.effect is not Effect.ALLOW or decision.monitored:
        return False
    checked = {
        change.key
        for change in decision.changes
        if isinstance(change, Count) or (isinstance(change, Put) and change.expected == 0)
    }
    return presumed <= checked


class Presuming:
    """A store of which it is presumed that journal and rates have nothing of a call yet; other things are read."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.presumed: set[Key] = set()
        """What would have to be so."""

    def read(self, keys: Sequence[Key | Window]) -> State:
        """What is held under the keys, or presumed to be."""
        places = [key.key if isinstance(key, Window) else key for key in keys]
        if not all(
            isinstance(key, Window) or place.kind is Kind.JOURNAL
            for key, place in zip(keys, places, strict=True)
        ):
            return self._store.read(keys)
        self.presumed.update(places)
        return State({}, {key: 0 for key in keys if isinstance(key, Window)})


class Keeper:
    """Decides with a store, and keeps in it what came of calls and whose conversations are."""

    binds = True
    """Whether conversations stay whose they are."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._bound: dict[Key, str] = {}
        self._decisions = 0
        self._wary = 0
        """For how many decisions more nothing is presumed."""

    def facts(self, facts: Facts, what: Remembering) -> Facts:
        """The facts with what is remembered among them."""
        return self._reading(facts, self.store.read, what)

    def _reading(
        self,
        facts: Facts,
        read: Callable[[Sequence[Key | Window]], State],
        what: Remembering | None = None,
    ) -> Facts:
        # In order and without `replace`, which takes as long as a small decision.
        return Facts(
            facts.now,
            facts.resolve,
            facts.lookup,
            facts.files,
            facts.links,
            read,
            self.store.counted,
            self.bound_to if self.binds else None,
            what or facts.remembering,
            facts.listed,
        )

    def bound_to(self, session: Session) -> str | None:
        """Whose a conversation is; None where it was not seen yet. That never changes, so it is asked for once."""
        key = binding_key(session)
        known = self._bound.get(key)
        if known is None and (entry := self.store.read((key,)).entries.get(key)) is not None:
            known = bound(entry.value)
            if len(self._bound) >= _MOST_BOUND:
                self._bound = {}  # it can be read again
            self._bound[key] = known
        return known

    def decide(
        self,
        make: Callable[[Facts], Decision],
        facts: Facts,
        apply: Callable[[Store, Decision], None] = applied,
    ) -> Decision:
        """The decision that `make` comes to, with all that changes by it remembered; raises `Unavailable`."""
        presumed = self._presumed(make, facts, apply)
        if presumed is not None:
            return presumed
        for attempt in range(_ATTEMPTS):
            if attempt:
                sleep(random() * _PAUSE * attempt)  # noqa: S311  # so that those who compete part
            decision = make(facts)
            try:
                apply(self.store, decision)
            except Lost:
                continue
            self._sweep(facts.moment)
            return decision
        raise Contended("others keep changing what the decision rests on")

    def started(
        self,
        make: Callable[[Starting], Decision | None],
        moment: int,
        apply: Callable[[Store, Decision], None] = applied,
    ) -> Decision | None:
        """The decision of the fast path, made to count; None where the steps have to decide. Raises `Unavailable`."""
        if self._wary > 0:
            return None
        decision = make(Starting(self, moment))
        return None if decision is None else self._unless_lost(decision, moment, apply)

    def _presumed(
        self, make: Callable[[Facts], Decision], facts: Facts, apply: Callable[[Store, Decision], None]
    ) -> Decision | None:
        """The decision about a call that is let run as if it and its rates were new; None where that can't be said.

        Most calls are. The store makes the changes only if it is so: an entry that must not be there yet, counts for
        which there is room. So nothing has to be read first.
        """
        if self._wary > 0:
            self._wary -= 1
            return None
        presuming = Presuming(self.store)
        decision = make(self._reading(facts, presuming.read))
        if presuming.presumed and not _tells(decision, presuming.presumed):
            return None
        return self._unless_lost(decision, facts.moment, apply)

    def _unless_lost(
        self, decision: Decision, moment: int, apply: Callable[[Store, Decision], None]
    ) -> Decision | None:
        """A decision that rests on what was presumed, made to count; None where that was not so."""
        try:
            apply(self.store, decision)
        except Lost:
            self._wary = _WARY
            return None
        self._sweep(moment)
        return decision

    def _sweep(self, moment: int) -> None:
        """Now and then, let go of what nobody needs any more; that it fails is no matter of this decision."""
        self._decisions += 1
        if self._decisions % _EACH == 0:
            with suppress(Unavailable):
                self.store.sweep(moment, _EACH * 4)

    def ended(
        self,
        call: ToolCall,
        session: Session,
        review: Callable[[], Review],
        withhold: Callable[[Code, str, str], Review],
        brought: Callable[[Review], tuple[Change, ...]],
        moment: int,
        decision: str,
        noted: Callable[[Review], Review],
    ) -> Review:
        """The review of a call that was let run, recorded (`noted`) and then kept; raises `Unavailable`.

        The result of a call that was not let run, or of another one, is withheld: for a code, a reason and a detail.
        What it `brought` is kept with it. `decision` is the id of the one that let it run, where that is known: what
        an earlier attempt comes to late is not how the later one ended. A review that can't be recorded is not kept:
        the entry stays open.
        """
        entry = self._let_run(call, session)
        if entry is None:
            reason = "nothing says that the call was let run"
            return noted(withhold(Code.RESULT_WITHHELD, reason, reason))
        try:
            _check_arguments(call, entry[0])
        except OtherArguments as error:
            reason = "another call has run than the one that was granted"
            return noted(withhold(Code.EXECUTED_OTHER_ARGUMENTS, reason, str(error)))
        made = noted(review())
        if made.code is Code.RESULT_UNRECORDED:
            return made
        for attempt in range(_ATTEMPTS):
            if entry is None or entry[0].progress is not Progress.STARTED:
                break  # it is kept already
            if decision and entry[0].decision != decision:
                break
            if self._finished(call, session, entry, made, brought(made), moment):
                break
            sleep(random() * _PAUSE * attempt)  # noqa: S311
            entry = self._let_run(call, session)
        else:
            raise Contended("others keep changing the journal's entry")
        return made

    def note(self, changes: Callable[[], tuple[Change, ...]]) -> None:
        """Make changes that nothing else belongs to; raises `Unavailable`."""
        for attempt in range(_ATTEMPTS):
            sleep(random() * _PAUSE * attempt)  # noqa: S311
            if not (made := changes()):
                return None
            try:
                return self.store.apply(made)
            except Lost:
                continue
        raise Contended("others keep changing what is noted")

    def _let_run(self, call: ToolCall, session: Session) -> tuple[Entered, int] | None:
        """The journal's entry of a call that has run, and its version; None where it was not let run."""
        key = journal_key(call, session)
        kept = self.store.read((key,)).entries.get(key)
        if kept is None:
            return None
        try:
            return Entered.of(kept.value), kept.version
        except ValueError as error:
            raise Unavailable(str(error)) from error

    def _finished(
        self,
        call: ToolCall,
        session: Session,
        entry: tuple[Entered, int],
        review: Review,
        brought: tuple[Change, ...],
        moment: int,
    ) -> bool:
        """Keep how a call ended and what may be shown of its result; whether nobody changed the entry meanwhile."""
        entered, version = entry
        progress = Progress.FAILED if review.is_error else Progress.COMPLETED
        ended = replace(entered, progress=progress, at=moment)
        changes: tuple[Change, ...] = (
            Put(journal_key(call, session), ended.packed(), version, moment + KEPT),
            Put(result_key(call, session), kept_review(review), None, moment + KEPT),
            *brought,
        )
        if entered.claims:
            places = claimed(session.tenant or "", entered)
            changes += settled(self.store.read(places).entries, places, about(call, session), ended)
        if review.truncated:
            from gateway.results.form import text_of

            whole = text_of(review.full).encode("utf-8", "replace")
            changes += (Put(whole_key(call, session), whole, None, moment + KEPT),)
        try:
            self.store.apply(changes)
        except Lost:
            return False
        return True


class Counter(Keeper):
    """Counts calls in a store that nothing else is kept in."""

    binds = False


@frozen
class Excerpt:
    """A part of a result that is kept: its text, where it begins, and how long the whole is, in bytes of UTF-8."""

    text: str
    offset: int
    total: int

    @property
    def next(self) -> int | None:
        """Where the next part begins; None at the end."""
        end = self.offset + len(self.text.encode())
        return end if end < self.total else None


def excerpt(store: Store, call: ToolCall, session: Session, offset: int, limit: int) -> Excerpt | None:
    """A part of a result that the model was not shown all of; None where nothing is kept of it.

    It begins and ends between characters: at most three bytes later, and earlier, than it was asked for.
    """
    if offset < 0 or not _SHORTEST_EXCERPT <= limit <= LONGEST_EXCERPT:
        raise ValueError(
            f"a part begins at 0 or later and has {_SHORTEST_EXCERPT} to {LONGEST_EXCERPT} bytes"
        )
    piece = store.piece(whole_key(call, session), offset, limit)
    if piece is None:
        return None
    value = piece.value
    skipped = 0
    while offset and skipped < min(3, len(value)) and value[skipped] & 0xC0 == 0x80:
        skipped += 1
    text = value[skipped:].decode("utf-8", "ignore")
    return Excerpt(text, offset + skipped, piece.total)


def _check_arguments(call: ToolCall, entered: Entered) -> None:
    """Raise `OtherArguments` unless what ran is what was let run, as the model wrote it or as it was granted."""
    if call.name != entered.tool:
        raise OtherArguments(f"`{call.name}` ran, and `{entered.tool}` was let run")
    if digest(normal_arguments(call.arguments)) not in (entered.raw, entered.final):
        raise OtherArguments("the arguments that it ran with are not those that were granted")
