"""Who is behind a call, and the conversation that it belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import Enum
from typing import Any

from gateway.call import kind_of
from gateway.decision import Code
from gateway.frozen import frozen


class SessionError(ValueError):
    """A session that can't be read; the message names the key and what was expected."""

    def __init__(self, message: str, code: Code = Code.NO_IDENTITY) -> None:
        super().__init__(message)
        self.code = code


class Channel(Enum):
    """Where a call comes from: the product's own agent loop, or a client outside."""

    INTERNAL = "internal"
    EXTERNAL = "external"


class SubjectKind(Enum):
    """A person, or a service that acts for itself; there is no nameless system subject."""

    USER = "user"
    SERVICE = "service"


@frozen
class Subject:
    """Who is behind a call."""

    id: str
    tenant: str | None = None
    kind: SubjectKind = SubjectKind.USER
    authenticated: bool = False
    roles: frozenset[str] = frozenset()
    permissions: frozenset[str] = frozenset()
    attributes: Mapping[str, Any] = field(default_factory=dict)
    _view: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def view(self) -> Mapping[str, Any]:
        """The subject as conditions see it; made once."""
        if not self._view:
            self._view.update(
                id=self.id,
                tenant=self.tenant,
                kind=self.kind.value,
                authenticated=self.authenticated,
                roles=self.roles,
                permissions=self.permissions,
                attributes=self.attributes,
            )
        return self._view

    def __post_init__(self) -> None:
        """Check every field, however the subject was made; lists of texts become sets."""
        _text(self.id, "subject.id")
        _optional_text(self.tenant, "subject.tenant")
        _put(self, "kind", _member(SubjectKind, self.kind, "subject.kind"))
        _flag(self.authenticated, "subject.authenticated")
        _put(self, "roles", frozenset(_texts(self.roles, "subject.roles")))
        _put(self, "permissions", frozenset(_texts(self.permissions, "subject.permissions")))
        _mapping(self.attributes, "subject.attributes")

    @classmethod
    def of(cls, value: Subject | Mapping[str, Any]) -> Subject:
        """A subject, or a mapping with the fields' names; unknown keys raise `SessionError`."""
        if isinstance(value, Subject):
            return value
        if not isinstance(value, Mapping):
            raise SessionError(f"a subject is a mapping, not {kind_of(value)}")
        _known(value, _SUBJECT_KEYS, "subject")
        return cls(**{"id": "", **value})


class _Seated:
    """A place where gateways keep what they worked out for a session; it is no field, so no copy has it."""

    __slots__ = ("seats",)

    seats: dict[Any, Any]


@frozen
class Session(_Seated):
    """A conversation: its agent, tenant, subject, channel and what the host supplies for it."""

    id: str = ""
    tenant: str | None = None
    agent: str = ""
    channel: Channel = Channel.EXTERNAL
    subject: Subject | None = None
    visiting: str | None = None
    modes: Mapping[str, str] = field(default_factory=dict)
    capabilities: frozenset[str] = frozenset()
    facts: Mapping[str, Any] = field(default_factory=dict)
    turn: Mapping[str, Any] = field(default_factory=dict)
    can_ask: bool = False
    dry_run: bool = False
    cwd: str | None = None
    roots: tuple[str, ...] = ()
    """The directories that are the workspace; the working directory where none is given."""
    home: str | None = None
    parent: Session | None = None
    """The session of the agent that this one works for: with it, this one has no more than both have."""
    _view: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def view(self) -> Mapping[str, Any]:
        """The session as conditions see it, without the subject and the turn; made once."""
        if not self._view:
            known: dict[str, Any] = {"cwd": self.cwd, "home": self.home}
            self._view.update(
                {key: value for key, value in known.items() if value is not None},
                id=self.id,
                tenant=self.tenant,
                agent=self.agent,
                channel=self.channel.value,
                modes=self.modes,
                capabilities=self.capabilities,
                facts=self.facts,
                can_ask=self.can_ask,
                dry_run=self.dry_run,
                roots=self.roots,
            )
        return self._view

    def __post_init__(self) -> None:
        """Check every field, however the session was made; lists of texts become sets."""
        _text(self.id, "session.id")
        _text(self.agent, "session.agent")
        for name in ("tenant", "visiting", "cwd", "home"):
            _optional_text(getattr(self, name), f"session.{name}")
        _put(self, "channel", _member(Channel, self.channel, "session.channel"))
        if self.subject is not None:
            _put(self, "subject", Subject.of(self.subject))
        for name in ("modes", "facts", "turn"):
            _mapping(getattr(self, name), f"session.{name}")
        for name, mode in self.modes.items():
            if mode not in ("off", "auto", "on"):
                raise SessionError(f"session.modes.{name} is `off`, `auto` or `on`, not {mode!r}")
        _put(self, "capabilities", frozenset(_texts(self.capabilities, "session.capabilities")))
        _put(self, "roots", tuple(_texts(self.roots, "session.roots")))
        _flag(self.can_ask, "session.can_ask")
        _flag(self.dry_run, "session.dry_run")
        for name, path in (("cwd", self.cwd), ("home", self.home), *(("roots", root) for root in self.roots)):
            if path is not None and not _ABSOLUTE(path):
                raise SessionError(
                    f"session.{name} is an absolute path, such as `/srv/app`, not {path[:80]!r}"
                )
        if self.parent is not None:
            from gateway.lineage import inherited

            for name, value in inherited(self):
                _put(self, name, value)
        if not self.roots and self.cwd is not None:
            # Without a workspace of its own a conversation works where it runs.
            _put(self, "roots", (self.cwd,))

    @classmethod
    def of(cls, value: Session | Mapping[str, Any] | None) -> Session:
        """A session, or a mapping with the fields' names; unknown keys raise `SessionError`.

        An absent channel is the stricter one (`external`); absent flags are false.
        """
        if isinstance(value, Session):
            return value
        if value is None:
            return cls()
        if not isinstance(value, Mapping):
            raise SessionError(f"a session is a mapping, not {kind_of(value)}")
        _known(value, _SESSION_KEYS, "session")
        return cls(**value)


_SUBJECT_KEYS = frozenset(Subject.__dataclass_fields__) - {"_view"}
_SESSION_KEYS = frozenset(Session.__dataclass_fields__) - {"_view"}


def _known(value: Mapping[str, Any], known: frozenset[str], where: str) -> None:
    if not value.keys() <= known:
        from gateway.diagnostic import suggest

        unknown = next(key for key in value if key not in known)
        near = suggest(str(unknown), known)
        hint = f" (did you mean `{near[0]}`?)" if near else f" (known: {', '.join(sorted(known))})"
        raise SessionError(f"{where} has no key `{unknown}`{hint}")


def _put(made: Subject | Session, name: str, value: object) -> None:
    object.__setattr__(made, name, value)


_LONGEST = 4096
_ABSOLUTE = re.compile(r"[/\\]|~(?:/|\Z)|[A-Za-z]:[/\\]").match


def _text(value: object, where: str) -> None:
    if not isinstance(value, str):
        raise SessionError(f"{where} is a string, not {kind_of(value)}")
    if len(value) > _LONGEST:
        raise SessionError(f"{where} is longer than {_LONGEST} characters")


def _optional_text(value: object, where: str) -> None:
    if value is not None:
        _text(value, where)


def _flag(value: object, where: str) -> None:
    if value is not True and value is not False:
        raise SessionError(f"{where} is true or false, not {value!r}")


def _texts(value: object, where: str) -> Iterable[str]:
    if not isinstance(value, list | tuple | set | frozenset):
        raise SessionError(f"{where} is a list of strings, not {kind_of(value)}")
    for text in value:
        if not isinstance(text, str):
            raise SessionError(f"{where} holds strings, not {type(text).__name__}")
    return value


def _mapping(value: object, where: str) -> None:
    if not isinstance(value, Mapping):
        raise SessionError(f"{where} is a mapping, not {kind_of(value)}")


def _member(kind: type[Any], value: object, where: str) -> Any:
    try:
        return kind(value)
    except ValueError:
        names = ", ".join(f"`{member.value}`" for member in kind)
        raise SessionError(f"{where} is one of {names}, not {value!r}") from None
