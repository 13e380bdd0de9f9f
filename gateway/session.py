"""Who is behind a call, and the conversation that it belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Any

_EMPTY: Mapping[str, Any] = MappingProxyType({})


class SessionError(ValueError):
    """A session that can't be read; the message names the key and what was expected."""


class Channel(Enum):
    """Where a call comes from: the product's own agent loop, or a client outside."""

    INTERNAL = "internal"
    EXTERNAL = "external"


class SubjectKind(Enum):
    """A person, or a service that acts for itself; there is no nameless system subject."""

    USER = "user"
    SERVICE = "service"


@dataclass(frozen=True, slots=True)
class Subject:
    """Who is behind a call."""

    id: str
    tenant: str | None = None
    kind: SubjectKind = SubjectKind.USER
    authenticated: bool = False
    roles: frozenset[str] = frozenset()
    permissions: frozenset[str] = frozenset()
    attributes: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
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

    @classmethod
    def of(cls, value: Subject | Mapping[str, Any]) -> Subject:
        """A subject, or a mapping with the fields' names; unknown keys raise `SessionError`."""
        if isinstance(value, Subject):
            return value
        if not isinstance(value, Mapping):
            raise SessionError(f"a subject is a mapping, not {type(value).__name__}")
        _known(value, _SUBJECT_KEYS, "subject")
        return cls(
            id=_text(value, "id", "subject") or "",
            tenant=_text(value, "tenant", "subject"),
            kind=_member(SubjectKind, value.get("kind", "user"), "subject.kind"),
            authenticated=_flag(value, "authenticated", "subject"),
            roles=frozenset(_texts(value, "roles", "subject")),
            permissions=frozenset(_texts(value, "permissions", "subject")),
            attributes=_mapping(value, "attributes", "subject"),
        )


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation: its agent, tenant, subject, channel and what the host supplies for it."""

    id: str = ""
    tenant: str | None = None
    agent: str = ""
    channel: Channel = Channel.EXTERNAL
    subject: Subject | None = None
    visiting: str | None = None
    modes: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    capabilities: frozenset[str] = frozenset()
    facts: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    turn: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    can_ask: bool = False
    dry_run: bool = False
    cwd: str | None = None
    roots: tuple[str, ...] = ()
    home: str | None = None
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
            raise SessionError(f"a session is a mapping, not {type(value).__name__}")
        _known(value, _SESSION_KEYS, "session")
        subject = value.get("subject")
        modes = _mapping(value, "modes", "session")
        for name, mode in modes.items():
            if mode not in ("off", "auto", "on"):
                raise SessionError(f"session.modes.{name} is `off`, `auto` or `on`, not {mode!r}")
        return cls(
            id=_text(value, "id", "session") or "",
            tenant=_text(value, "tenant", "session"),
            agent=_text(value, "agent", "session") or "",
            channel=_member(Channel, value.get("channel", "external"), "session.channel"),
            subject=None if subject is None else Subject.of(subject),
            visiting=_text(value, "visiting", "session"),
            modes=modes,
            capabilities=frozenset(_texts(value, "capabilities", "session")),
            facts=_mapping(value, "facts", "session"),
            turn=_mapping(value, "turn", "session"),
            can_ask=_flag(value, "can_ask", "session"),
            dry_run=_flag(value, "dry_run", "session"),
            cwd=_text(value, "cwd", "session"),
            roots=tuple(_texts(value, "roots", "session")),
            home=_text(value, "home", "session"),
        )


_SUBJECT_KEYS = frozenset(Subject.__dataclass_fields__) - {"_view"}
_SESSION_KEYS = frozenset(Session.__dataclass_fields__) - {"_view"}


def _known(value: Mapping[str, Any], known: frozenset[str], where: str) -> None:
    if not value.keys() <= known:
        from gateway.diagnostic import suggest

        unknown = next(key for key in value if key not in known)
        near = suggest(str(unknown), known)
        hint = f" (did you mean `{near[0]}`?)" if near else f" (known: {', '.join(sorted(known))})"
        raise SessionError(f"{where} has no key `{unknown}`{hint}")


def _text(value: Mapping[str, Any], key: str, where: str) -> str | None:
    text = value.get(key)
    if text is not None and not isinstance(text, str):
        raise SessionError(f"{where}.{key} is a string, not {type(text).__name__}")
    return text


def _flag(value: Mapping[str, Any], key: str, where: str) -> bool:
    flag = value.get(key, False)
    if flag is not True and flag is not False:
        raise SessionError(f"{where}.{key} is true or false, not {flag!r}")
    return flag


def _texts(value: Mapping[str, Any], key: str, where: str) -> tuple[str, ...] | frozenset[str]:
    texts = value.get(key, ())
    if isinstance(texts, frozenset):
        return texts
    if not isinstance(texts, list | tuple | set):
        raise SessionError(f"{where}.{key} is a list of strings, not {type(texts).__name__}")
    for text in texts:
        if not isinstance(text, str):
            raise SessionError(f"{where}.{key} holds strings, not {type(text).__name__}")
    return tuple(texts)


def _mapping(value: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    mapping = value.get(key, _EMPTY)
    if not isinstance(mapping, Mapping):
        raise SessionError(f"{where}.{key} is a mapping, not {type(mapping).__name__}")
    return mapping


def _member(kind: type[Any], value: object, where: str) -> Any:
    if isinstance(value, kind):
        return value
    try:
        return kind(value)
    except ValueError:
        names = ", ".join(f"`{member.value}`" for member in kind)
        raise SessionError(f"{where} is one of {names}, not {value!r}") from None
