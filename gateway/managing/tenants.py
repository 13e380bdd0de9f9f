"""Each tenant's own engine: the policy's, with the custom tools and overrides that the store keeps for the tenant.

What is kept is read again when the store tells another generation: changes of the same process show at once, those
of others within the bound that the store states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gateway.diagnostic import PolicyError, printable
from gateway.effective import Catalogue
from gateway.frozen import frozen
from gateway.interval import parse_until
from gateway.malformed import Malformed
from gateway.managing.kept import Kept, KeptOverride, kept_in
from gateway.override import changes_of, confirmation, fields_of, key_of, relaxed
from gateway.plan import OverridePlan, ToolPlan
from gateway.state import Kind, Store

if TYPE_CHECKING:
    from cachetools import LRUCache

    from gateway.engine import Engine
    from gateway.serving import Serving

MOST = 256
"""How many tenants' engines are kept; one more is made again when it is asked for."""
_MOST_FORMER = 1024


@frozen
class Tenant:
    """A tenant's engine, what it was made of, and why custom tools are missing from it, if they are."""

    generation: int
    policy: str
    engine: Engine
    problems: tuple[str, ...] = ()


class Tenants:
    """The engines of the tenants of which a store keeps something; safe on any thread."""

    def __init__(self, store: Store) -> None:
        from cachetools import LRUCache

        self._store = store
        self._lock = Lock()
        self._made: LRUCache[str, Tenant] = LRUCache(MOST)
        self._former: LRUCache[str, Engine] = LRUCache(_MOST_FORMER)

    def engine(self, serving: Serving, tenant: str | None) -> Engine:
        """The engine that decides for a tenant; raises `Unavailable`."""
        return serving.engine if tenant is None else self.of(serving, tenant).engine

    def of(self, serving: Serving, tenant: str) -> Tenant:
        """A tenant as it is now."""
        # Asked for before the entries are read: what changes meanwhile has a later one.
        generation = self._store.generation(tenant, Kind.OVERRIDE)
        policy = serving.engine.digest
        if not generation:
            return Tenant(0, policy, serving.engine)
        with self._lock:
            known = self._made.get(tenant)
        if known is not None and known.generation == generation and known.policy == policy:
            return known
        made = self._tenant(serving, tenant, generation)
        with self._lock:
            self._made[tenant] = made
            self._former[made.engine.digest] = made.engine
        return made

    def reviewing(self, digest: str) -> Engine | None:
        """The tenant's engine that decided under the policy of a digest, if it is still known."""
        with self._lock:
            return self._former.get(digest)

    def _tenant(self, serving: Serving, tenant: str, generation: int) -> Tenant:
        kept = kept_in(self._store, tenant)
        engine, problems = serving.engine, tuple[str, ...]()
        if not kept.entries:
            return Tenant(generation, engine.digest, engine)
        own = [declared for name, declared in kept.tools.items() if name not in engine.tools]
        if own:
            try:
                engine = serving.extended(text_of(own))
            except (
                PolicyError
            ) as error:  # the policy has changed since: they are not there until they are mended
                problems = tuple(str(one.message) for one in error.diagnostics)
        content = repr((serving.engine.digest, tenant, kept.entries)).encode()
        catalogue = catalogue_of(engine, tenant, kept)
        made = engine.with_tools(sha256(content).hexdigest(), catalogue)
        return Tenant(generation, serving.engine.digest, made, problems)


def catalogue_of(engine: Engine, tenant: str, kept: Kept) -> Catalogue:
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
            plans.append(_switched_off(tenant, name, "what the store keeps of it can't be read"))
        elif name in in_files:
            plans.append(_switched_off(tenant, name, "the policy's files and the store both override it"))
        else:
            plans.append(plan_of(tenant, tool, override))
    return Catalogue(known.declared, {**known.overrides, tenant: tuple(plans)}, known.counted)


def plan_of(tenant: str, tool: ToolPlan, override: KeptOverride) -> OverridePlan:
    """What a kept override comes to now: what relaxes counts only while it is just what was confirmed."""
    try:
        until = None if override.until is None else parse_until(override.until)
    except Malformed:
        return _switched_off(tenant, tool.name, "what the store keeps of it can't be read")
    changes = changes_of(tenant, tool, override.values)
    relaxing = relaxed(changes)
    values = dict(override.values)
    if relaxing and confirmation(tenant, override.until, [relaxing]) != override.digest:
        for change in relaxing:
            values.pop(key_of(change), None)
    place = f"the store, set by {printable(override.by)} on {override.at}"
    return _plan(tenant, tool.name, place, values, fields_of(tool, values, place), until, override)


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


def text_of(tools: Sequence[Mapping[str, Any]]) -> str:
    """Custom tools as a policy's text."""
    import json

    return json.dumps({"version": 1, "tools": list(tools)})
