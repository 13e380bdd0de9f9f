"""Each tenant's own engine: the policy's, with the custom tools and overrides that the store keeps for the tenant.

What is kept is read again when the store tells another generation: changes of the same process show at once, those
of others within the bound that the store states.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from hashlib import sha256
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gateway.diagnostic import PolicyError, printable
from gateway.effective import Catalogue
from gateway.frozen import frozen
from gateway.interval import parse_until
from gateway.malformed import Malformed
from gateway.managing.kept import Kept, KeptOverride, about_of, kept_in
from gateway.managing.texts import policy_text, said
from gateway.override import changes_of, confirmation, fields_of, key_of, relaxed
from gateway.plan import OverridePlan, ToolPlan
from gateway.relaxation import Change
from gateway.state import Kind, Store

if TYPE_CHECKING:
    from cachetools import LRUCache

    from gateway.engine import Engine
    from gateway.serving import Serving

MOST = 256
"""How many tenants' engines are kept; one more is made again when it is asked for."""
_MOST_FORMER = 256
_LOCKS = 64


@frozen
class Extension:
    """A policy's engine with a tenant's custom tools: those with which it can be used, and why not with the others."""

    policy: str
    text: str
    engine: Engine
    own: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    problems: Mapping[str, str] = field(default_factory=dict)


@frozen
class Tenant:
    """A tenant's engine, and what it was made of."""

    generation: int
    engine: Engine
    extension: Extension
    lost: tuple[str, ...] = ()
    """Entries in the store that tell no tool."""


class Tenants:
    """The engines of the tenants of which a store keeps something; safe on any thread."""

    def __init__(self, store: Store) -> None:
        from cachetools import LRUCache

        self._store = store
        self._lock = Lock()
        self._making = tuple(Lock() for _ in range(_LOCKS))
        self._plain: Tenant | None = None
        """What a tenant is of which nothing is kept."""
        self._made: LRUCache[str, Tenant] = LRUCache(MOST)
        self._former: LRUCache[str, Engine] = LRUCache(_MOST_FORMER)

    def engine(self, serving: Serving, tenant: str | None) -> Engine:
        """The engine that decides for a tenant; raises `Unavailable`."""
        return serving.engine if tenant is None else self.of(serving, tenant).engine

    def of(self, serving: Serving, tenant: str) -> Tenant:
        """A tenant as it is now."""
        known = self._known(serving, tenant)
        if known is not None:
            return known
        # Of threads that want the same at once one makes it.
        with self._making[hash(tenant) % _LOCKS]:
            return self._known(serving, tenant) or self._make(serving, tenant)

    def reviewing(self, digest: str) -> Engine | None:
        """The tenant's engine that decided under the policy of a digest, if it is still known."""
        with self._lock:
            return self._former.get(digest)

    def _known(self, serving: Serving, tenant: str) -> Tenant | None:
        generation = self._store.generation(tenant, Kind.OVERRIDE)
        policy = serving.engine.digest
        if not generation:
            plain = self._plain
            if plain is None or plain.engine is not serving.engine:
                plain = self._plain = Tenant(0, serving.engine, Extension(policy, "", serving.engine))
            return plain
        with self._lock:
            known = self._made.get(tenant)
        fits = known is not None and (known.generation, known.extension.policy) == (generation, policy)
        return known if fits else None

    def _make(self, serving: Serving, tenant: str) -> Tenant:
        # Asked for before the entries are read: what changes meanwhile has a later one.
        generation = self._store.generation(tenant, Kind.OVERRIDE)
        kept = kept_in(self._store, tenant)
        with self._lock:
            before = self._made.get(tenant)
        extension = _extension(serving, kept, None if before is None else before.extension)
        engine = extension.engine
        content = repr((extension.policy, tenant, kept.entries)).encode()
        catalogue = catalogue_of(engine, tenant, kept, extension.own)
        engine = engine.with_tools(sha256(content).hexdigest(), catalogue)
        made = Tenant(generation, engine, extension, kept.lost)
        with self._lock:
            self._made[tenant] = made
            self._former[engine.digest] = engine
        return made


def _extension(serving: Serving, kept: Kept, before: Extension | None) -> Extension:
    """The policy with the tenant's custom tools; what was made of the same is not made again."""
    declared = {name: one for name, one in kept.tools.items() if name not in serving.engine.tools}
    policy, text = serving.engine.digest, text_of(declared.values()) if declared else ""
    if before is not None and (before.policy, before.text) == (policy, text):
        return before
    problems: dict[str, str] = {}

    def extended(names: Sequence[str]) -> Engine | None:
        """The engine with some of them; None where it can't be, and of one alone it is noted why."""
        try:
            return serving.extended(text_of(declared[name] for name in names))
        except PolicyError as error:
            problems.update(dict.fromkeys(names, said(error)))
        return None

    def usable(names: Sequence[str]) -> list[str]:
        """Those of them that can be used, looked for by halves."""
        if extended(names) is not None:
            return [*names]
        half = len(names) // 2
        return usable(names[:half]) + usable(names[half:]) if half else []

    names = sorted(declared)
    engine = extended(names) if names else serving.engine
    if engine is None:
        names = usable(names)
        engine = extended(names) if names else serving.engine
    if engine is None:  # each half can be used, and not both together
        return Extension(policy, text, serving.engine, {}, problems)
    own = {name: declared[name] for name in names}
    return Extension(
        policy, text, engine, own, {name: why for name, why in problems.items() if name not in own}
    )


def catalogue_of(engine: Engine, tenant: str, kept: Kept, own: Mapping[str, Mapping[str, Any]]) -> Catalogue:
    """The engine's tools with the overrides that are kept for the tenant beside those that the policy has."""
    known = engine.catalogue
    filed = known.overrides.get(tenant, ())
    in_files = {plan.tool for plan in filed}
    plans: list[OverridePlan] = list(filed)
    for name, override in kept.overrides.items():
        tool = known.declared.get(name)
        if tool is None:
            continue
        if override is None:
            plans.append(_switched_off(tenant, name, _UNREADABLE))
        elif name in in_files:
            plans.append(_switched_off(tenant, name, "the policy's files and the store both override it"))
        else:
            plans.append(plan_of(tenant, tool, override, about_of(own.get(name))))
    return Catalogue(known.declared, {**known.overrides, tenant: tuple(plans)}, known.counted)


def plan_of(tenant: str, tool: ToolPlan, override: KeptOverride, about: str) -> OverridePlan:
    """What a kept override comes to now: what relaxes counts only while it is just what was confirmed of this tool."""
    values = dict(override.values)
    place = f"the store, set by {printable(override.by)} on {override.at}"
    try:
        until = None if override.until is None else parse_until(override.until)
        relaxing = relaxed(changes_of(tenant, tool, values))
        wanted = confirmation(tenant, override.until, [relaxing], about)
        if relaxing and (wanted, about) != (override.digest, override.about):
            values = _unconfirmed(tool, values, relaxing)
        fields = fields_of(tool, values, place)
        if "emitted" in fields:
            fields["emitted"](frozenset())
    except (Malformed, ValueError, TypeError, KeyError, RecursionError):
        return _switched_off(tenant, tool.name, _UNREADABLE)
    return _plan(tenant, tool.name, place, values, fields, until, override)


def _unconfirmed(tool: ToolPlan, values: Mapping[str, Any], relaxing: Sequence[Change]) -> dict[str, Any]:
    """The values without what they relax; a permission that is asked for besides is still asked for."""
    left = {key: value for key, value in values.items() if key not in set(map(key_of, relaxing))}
    if "permissions" in values and "permissions" not in left:
        left["permissions"] = [*dict.fromkeys((*tool.permissions, *values["permissions"]))]
    return left


_UNREADABLE = "what the store keeps of it can't be read"


def _switched_off(tenant: str, tool: str, why: str) -> OverridePlan:
    """A tool of which nobody knows what is in effect can't be called."""
    return _plan(tenant, tool, why, {"enabled": False}, {"enabled": False, "overridden": why}, None, None)


def _plan(
    tenant: str,
    tool: str,
    place: str,
    values: Mapping[str, Any],
    fields: Mapping[str, Any],
    until: Any,
    override: KeptOverride | None,
) -> OverridePlan:
    return OverridePlan(
        tenant=tenant,
        tool=tool,
        place=place,
        values=MappingProxyType(dict(values)),
        changes=MappingProxyType(dict(fields)),
        until=until,
        reason="" if override is None else override.reason,
        confirmed_by=override.by if override is not None and override.digest else "",
    )


def text_of(tools: Iterable[Mapping[str, Any]]) -> str:
    """Custom tools as a policy's text."""
    return policy_text({"tools": [dict(tool) for tool in tools]})
