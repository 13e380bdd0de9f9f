"""What the calls of a session wrote to files, so that a later one that runs them is judged by what they hold.

It is kept in this process and bounded: of the sessions and of each one's files the oldest are forgotten, and a file
of which nothing is known is judged as any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING

from gateway.lineage import root_of

if TYPE_CHECKING:
    from cachetools import LRUCache

    from gateway.decision import Decision
    from gateway.session import Session

MAX_SESSIONS = 500
MAX_FILES = 64
MAX_TEXT = 16 * 1024
Files = Mapping[str, tuple[str, ...]]
_NOTHING: Files = MappingProxyType({})


class Memory:
    """The files of conversations, those of sub-agents included; it may be used by several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._sessions: LRUCache[tuple[str, str, str], Files] | None = None

    def of(self, session: Session) -> Files:
        """What the calls of a session wrote, by absolute path."""
        known = self._sessions
        if known is None:
            return _NOTHING
        with self._lock:
            return known.get(_key(session), _NOTHING)

    def keep(self, session: Session, decision: Decision) -> None:
        """Remember what the call of a decision writes."""
        (self.add if decision.proceeds else self.add_possible)(session, decision.written or {})

    def add(self, session: Session, written: Files) -> None:
        """Remember what a call writes; what is too long for that is forgotten, not cut."""
        self._put(session, lambda before: written)

    def add_possible(self, session: Session, written: Files) -> None:
        """Remember what a call writes if somebody lets it run: what was there before stays possible."""
        self._put(
            session,
            lambda before: {
                path: tuple(dict.fromkeys((*before.get(path, ()), *texts))) for path, texts in written.items()
            },
        )

    def _put(self, session: Session, made: Callable[[Files], Files]) -> None:
        from cachetools import LRUCache

        with self._lock:
            if self._sessions is None:
                self._sessions = LRUCache(MAX_SESSIONS)
            files = dict(self._sessions.get(_key(session), _NOTHING))
            for path, texts in made(files).items():
                files.pop(path, None)
                if sum(map(len, texts)) <= MAX_TEXT:
                    files[path] = texts
            for path in list(files)[: max(len(files) - MAX_FILES, 0)]:
                del files[path]
            self._sessions[_key(session)] = files


def _key(session: Session) -> tuple[str, str, str]:
    subject = session.subject
    return session.tenant or "", "" if subject is None else subject.id, root_of(session).id
