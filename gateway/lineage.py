"""Sub-agents: a child's session is what it says of itself and what its parent's says, and never has more than that."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from gateway.decision import Code
from gateway.session import Session, SessionError, Subject

MOST_PARENTS = 8
"""How long a chain of sessions above one may be."""
_MODES = ("off", "auto", "on")
"""From the least to the most."""


def child_of(parent: Session, agent: str, name: str) -> Session:
    """The session of another agent that works for a conversation, with all that the policy lets it have of it."""
    return replace(parent, id=name, agent=agent, parent=parent)


def chain(session: Session) -> Iterator[Session]:
    """A session and those above it, the nearest first."""
    one: Session | None = session
    while one is not None:
        yield one
        one = one.parent


def root_of(session: Session) -> Session:
    """The conversation that a session belongs to: itself where it is nobody's child."""
    while session.parent is not None:
        session = session.parent
    return session


def below_root(session: Session) -> str:
    """Which sub-agent of its conversation a session is, in one text; nothing for the conversation itself."""
    if session.parent is None:
        return ""
    return json.dumps([one.id for one in chain(session)][-2::-1], ensure_ascii=False)


def inherited(child: Session) -> Iterator[tuple[str, Any]]:
    """What a child's session has, by the names of its fields; raises `SessionError` where it says what can't be so.

    What it says nothing of is its parent's, what it may do is what both may.
    """
    _check_length(child)
    parent = Session.of(child.parent)
    yield "parent", parent
    if child.id and any(child.id == above.id for above in chain(parent)):
        raise _other("a child's session has the id of one above it")
    if child.tenant is not None and child.tenant != parent.tenant:
        raise _other("a child's session has another tenant than its parent", Code.CROSS_TENANT)
    yield "tenant", parent.tenant
    yield "channel", parent.channel
    yield "subject", _subject(child.subject, parent.subject)
    yield "visiting", parent.visiting if child.visiting is None else child.visiting
    yield "facts", _joined("facts", child.facts, parent.facts)
    yield "turn", _joined("turn", child.turn, parent.turn)
    yield "modes", {name: _least(mode, parent.modes.get(name, "off")) for name, mode in child.modes.items()}
    yield "capabilities", child.capabilities & parent.capabilities
    yield "can_ask", child.can_ask and parent.can_ask
    yield "dry_run", child.dry_run or parent.dry_run
    yield "roots", _roots(child, parent)
    yield "cwd", parent.cwd if child.cwd is None else child.cwd
    if child.home is not None and child.home != parent.home:
        raise _other("`home` is another one than its parent's")
    yield "home", parent.home


def _check_length(child: Session) -> None:
    """Refuse a chain that is too long, as one that leads back to itself is, before anything in it is read."""
    above: Any = child.parent
    for _ in range(MOST_PARENTS):
        above = above.get("parent") if isinstance(above, Mapping) else getattr(above, "parent", None)
        if above is None:
            return
    raise _other(f"a session has at most {MOST_PARENTS} others above it")


def _subject(own: Subject | None, parents: Subject | None) -> Subject | None:
    """The parent's subject, with the permissions that both sessions say it has."""
    if own is None or parents is None:
        return parents
    if own.tenant != parents.tenant:
        raise _other("its subject belongs to another tenant than its parent's", Code.CROSS_TENANT)
    for name in ("id", "kind", "roles"):
        if getattr(own, name) != getattr(parents, name):
            raise _other(f"`subject.{name}` is not as its parent says")
    return replace(
        parents,
        authenticated=own.authenticated and parents.authenticated,
        permissions=own.permissions & parents.permissions,
        attributes=_joined("subject.attributes", own.attributes, parents.attributes),
    )


def _joined(name: str, own: Mapping[str, Any], parents: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the parent says, with what it says nothing of."""
    if own is parents:
        return parents
    for key, value in parents.items():
        if key in own and own[key] != value:
            raise _other(f"`{name}.{key}` is not as its parent says")
    return {**own, **parents}


def _least(one: str, other: str) -> str:
    return min(one, other, key=_MODES.index)


def _roots(child: Session, parent: Session) -> tuple[str, ...]:
    """The child's workspace: some of its parent's roots, since what lies in them may be a link to elsewhere."""
    if not parent.roots and child.cwd is not None:
        raise _other("it has a working directory, and its parent has none")
    if not set(child.roots) <= set(parent.roots):
        raise _other("its `roots` are not among its parent's")
    return child.roots or parent.roots


def _other(what: str, code: Code = Code.SESSION_MISMATCH) -> SessionError:
    return SessionError(f"a session with a parent: {what}", code)
