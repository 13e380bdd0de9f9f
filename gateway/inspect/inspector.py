"""The entry to inspection: a text and where it would run go in, what speaks against it comes out."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from gateway.decision import Effect
from gateway.inspect.guard import Access, Guard, guard_path
from gateway.inspect.inspection import CLEAN, GUARD_ADVICE, PRIVATE_ADVICE, Inspection, Match
from gateway.inspect.kind import PINNED, Kind
from gateway.inspect.place import Conventions

if TYPE_CHECKING:
    from gateway.inspect.clued import Clued
    from gateway.inspect.place import Place
    from gateway.inspect.scripts import Scripts
    from gateway.inspect.texts import Texts


_PLAIN = Conventions()


class Inspector:
    """Judges texts against patterns and the guard; it never raises, whatever the text."""

    def __init__(
        self, patterns: Callable[[], Clued], guard: Guard, conventions: Conventions = _PLAIN
    ) -> None:
        self._patterns = patterns
        self._guard = guard
        self.conventions = conventions
        """What the deployment protects and what it lets go; places are made with it."""

    def inspect(
        self, kind: Kind, text: str, place: Place, access: Access, dialect: str | None = None
    ) -> Inspection:
        """What a text would do; `access` is what the tool does with a path, `dialect` is SQL's, or `pinned`."""
        if kind is Kind.PATH:
            return self.path(text, place, access)
        if kind is Kind.SQL:
            return self.sql(text, dialect, place)
        if kind is Kind.GIT:
            return self.git(text, place)
        if kind is Kind.PYTHON:
            return self._scripts.python(text, place)
        if kind is Kind.URL:
            return self._texts.url(text, place, place.lookup if dialect == PINNED else None)
        if kind is Kind.HEADERS:
            return self._texts.headers(text, place)
        return self.shell(text, place)

    def shell(self, text: str, place: Place) -> Inspection:
        """What a shell command would do."""
        return self._scripts.shell(text, place)

    def git(self, text: str, place: Place) -> Inspection:
        """What `git` would do with these arguments."""
        return self._scripts.git(text, place)

    def sql(self, text: str, dialect: str | None, place: Place) -> Inspection:
        """What SQL statements would do."""
        return self._texts.sql(text, dialect, place)

    def path(self, text: str, place: Place, access: Access) -> Inspection:
        """What reading or writing a path would touch."""
        guarded = self.guarded(text, place, access)
        return guarded if guarded.matches else self._texts.path(text, place, access)

    def guarded(self, text: str, place: Place, access: Access) -> Inspection:
        """Whether a text names a guarded file; neither the patterns nor what reads commands is loaded for it."""
        guard = self._guard.at(place)
        if not guard_path(guard, text, place, access):
            return CLEAN
        private = access is Access.READ or guard_path(guard, text, place, Access.READ)
        advice = PRIVATE_ADVICE if private else GUARD_ADVICE
        reason = f"`{text}` is a file that protects this gateway; an agent may not {access.value} it"
        match = Match("guard", "guard", Effect.DENY, reason, advice, 0, len(text), text)
        return Inspection((match,), "exact")

    @cached_property
    def _texts(self) -> Texts:
        from gateway.inspect.texts import Texts

        return Texts(self._clued)

    @cached_property
    def _scripts(self) -> Scripts:
        from gateway.inspect.scripts import Scripts

        return Scripts(self._clued, self._guard)

    @cached_property
    def _clued(self) -> Clued:
        return self._patterns()
