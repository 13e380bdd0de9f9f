"""Tools: what is needed to call one, what is held against its calls, and what is only shown."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gateway.policy import UnknownTools
from gateway.relaxation import overridden
from gateway.relaxation.change import (
    Judge,
    Judged,
    Values,
    are,
    context,
    label,
    moved,
    named,
    other,
    relaxed,
    tightened,
)
from gateway.relaxation.conditions import NEVER, covered
from gateway.relaxation.paths import is_within, name_of, path_of
from gateway.relaxation.read import is_read, noticed
from gateway.relaxation.schemas import judge_schemas
from gateway.relaxation.whole import whole_in
from gateway.relaxation.written import difference
from gateway.results.folding import folded
from gateway.risk import RiskLevel, parse_or_high


def risk(old: Values, new: Values) -> Judged:
    """A lowered risk changes decisions where it asks no more, where it counts as reading, or where it is read."""
    before, after = parse_or_high(old.get("risk")), parse_or_high(new.get("risk"))
    text = f"its risk is {after.value} instead of {before.value}"
    if after > before:
        return tightened(text)
    threshold = parse_or_high(new.get("confirm_from"))
    if before >= threshold > after:
        return relaxed(f"{text}, so its calls are not confirmed")
    if after is RiskLevel.READ_ONLY:
        return relaxed(f"{text}, so dry runs run it")
    return relaxed(text, enforced=False)


def resource_permissions(old: Values, new: Values) -> Judged:
    """Permissions that are made from arguments."""
    lost, gained = moved(old, new, "resource_permissions")
    if lost:
        return relaxed(f"{are(lost)} no longer needed")
    return tightened(f"{are(gained)} needed, too")


def enabled(old: Values, new: Values) -> Judged:
    """Whether it is there at all."""
    return relaxed("it is switched on") if new["enabled"] else tightened("it is switched off")


def channels(old: Values, new: Values) -> Judged:
    """The channels that can call it."""
    lost, gained = moved(old, new, "channels")
    if gained:
        return relaxed(f"it can be called from {named(gained)}")
    return tightened(f"it can't be called from {named(lost)}")


def requires(old: Values, new: Values) -> Judged:
    """What the session must supply."""
    lost, gained = moved(old, new, "requires")
    if lost:
        return relaxed(f"the session need not supply {named(lost)}")
    return tightened(f"the session must supply {named(gained)}")


def switch(old: Values, new: Values) -> Judged:
    """Another switch; what happens when a switch is turned is said of the switch."""
    before, after = old["switch_on"], new["switch_on"]
    text = (
        f"it depends on the switch {named(new['switch'])}" if new.get("switch") else "it depends on no switch"
    )
    if after and not before:
        return relaxed(f"{text}, so it is on")
    if before and not after:
        return tightened(f"{text}, so it is off")
    return other(text, enforced=False)


def mode(old: Values, new: Values) -> Judged:
    """A mode stands in place of the agents' lists."""
    after = new.get("mode")
    if after is None:
        text = "it depends on no mode of the session, but on the agents' lists"
        return relaxed(text) if new.get("bound") else tightened(text)
    return relaxed(f"sessions with the mode {named(after)} can call it, whatever their agent is bound to")


def parameters(old: Values, new: Values) -> Judged | None:
    """The schema of its arguments."""
    return judge_schemas(old["parameters"], new["parameters"])


def sensitive(old: Values, new: Values) -> Judged:
    """What is shown to nobody."""
    lost, gained = moved(old, new, "x-sensitive")
    kept = new.get("x-sensitive") or ()
    whole = {path: [one for one in kept if is_within(path, one)] for path in lost}
    shown = [path for path in lost if _is_there(path, new) and not whole[path]]
    if shown:
        return relaxed(f"{are(shown)} no longer hidden (`x-sensitive`)")
    hidden = {folded(name_of(path)) for path in kept}
    bared = [path for path in lost if folded(name_of(path)) not in hidden]
    if bared:
        names = list(dict.fromkeys(map(name_of, bared)))
        text = f"fields of its results with the name {named(names)} are no longer blanked out"
        above = list(dict.fromkeys(one for path in bared for one in whole[path]))
        why = f"it is hidden as a part of {named(above)}" if above else "the argument is gone"
        return relaxed(f"{text}, since {why} (`x-sensitive`)")
    if gained:
        return tightened(f"{are(gained)} hidden (`x-sensitive`)")
    return tightened("hidden arguments are gone (`x-sensitive`)")


def roles(old: Values, new: Values) -> Judged:
    """What arguments mean: paths are guarded, and conditions read the roles."""
    before, after = old.get("x-role") or {}, new.get("x-role") or {}
    guarded, freed = (
        after.get("path", []),
        [p for p in before.get("path", []) if p not in after.get("path", [])],
    )
    freed = [path for path in freed if _is_there(path, new)]
    if freed:
        return relaxed(f"{are(freed)} no longer guarded (`x-role: path`)")
    differing = [r for r in dict.fromkeys((*before, *after)) if before.get(r) != after.get(r)]
    text = f"other arguments have the role {named(differing)} (`x-role`)"
    if any(is_read(new, f"roles.{role}") for role in differing):
        return other(text, enforced=True)
    if any(path not in before.get("path", []) for path in guarded):
        return tightened(
            f"{are([p for p in guarded if p not in before.get('path', [])])} guarded (`x-role: path`)"
        )
    return other(text, enforced=False)


def inspect(old: Values, new: Values) -> Judged:
    """The arguments that are held against packs and guard."""
    before, after = old.get("inspect") or {}, new.get("inspect") or {}
    lost = [name for name in before if name not in after and _is_there(path_of((name,)), new)]
    if lost:
        return relaxed(f"{are(lost)} no longer inspected")
    changed = [name for name in after if name in before and before[name] != after[name]]
    if changed:
        return other(f"{are(changed)} inspected as something else", enforced=True)
    gained = [name for name in after if name not in before]
    return tightened(f"{are(gained)} inspected" if gained else "inspected arguments are gone")


def _is_there(path: str, tool: Values) -> bool:
    """Whether an argument can still be given."""
    known = tool.get("arguments")
    return known is None or any(is_within(path, name) for name in (*known, "*"))


def read_only_when(old: Values, new: Values) -> Judged:
    """A condition under which nothing is confirmed; an error counts as no match."""
    before, after = old.get("read_only_when") or NEVER, new.get("read_only_when") or NEVER
    differs = f"(`read_only_when`): {difference(old.get('written'), new.get('written'))}"
    whole = whole_in(old, new)
    fewer, more = covered(after, before, whole), covered(before, after, whole)
    if fewer and more:
        return other(f"the condition is written in another way {differs}", enforced=False)
    if fewer:
        return tightened(f"it may count as READ_ONLY for fewer calls {differs}")
    if more:
        return relaxed(f"it may count as READ_ONLY for more calls {differs}")
    return other(f"it may count as READ_ONLY for other calls {differs}", enforced=True)


def idempotent(old: Values, new: Values) -> Judged:
    """Whether a call whose outcome is unknown runs again unasked."""
    if new.get("idempotent"):
        return relaxed("a call of it whose outcome is unknown runs again unasked (`idempotent`)")
    return tightened("a call of it whose outcome is unknown is asked about (`idempotent`)")


def idempotency_key(old: Values, new: Values) -> Judged:
    """By what it is known that a call's work was done before."""
    if new.get("idempotency_key") is None:
        return relaxed("what was done before is done again unasked (`idempotency_key`)")
    if old.get("idempotency_key") is None:
        return tightened("what was done before is asked about (`idempotency_key`)")
    return other("it is known by another key what was done before (`idempotency_key`)", enforced=True)


def on_rejection(old: Values, new: Values) -> Judged:
    """Whether the model's work ends where a person rejects a call."""
    if new["on_rejection"] == "stop":
        return tightened("a person's rejection ends the model's work (`on_rejection`)")
    return relaxed("a person's rejection no longer ends the model's work (`on_rejection`)")


def wraps(old: Values, new: Values) -> Judged:
    """Where the inner call of a meta-tool stands."""
    if new.get("wraps") is None:
        return relaxed("the call that it runs is no longer decided")
    if old.get("wraps") is None:
        return other("the call that it runs is decided, too, and its final arguments are seen", enforced=True)
    return other("the call that it runs is looked for elsewhere", enforced=True)


def added(new: Values) -> Judged:
    """A new tool that somebody can call."""
    if new["reachable"]:
        who = f"for {named(new['bound'])}" if new.get("mode") is None else f"in the mode {named(new['mode'])}"
        return relaxed(f"a new tool of the risk {new['risk']}, {who}")
    return other("a new tool that nobody can call", enforced=False)


def removed(old: Values) -> Judged:
    """The catalogue lacks it: `before` refuses it, and hooks say what they say of unknown tools."""
    said = old["unknown_tools"]
    if said == UnknownTools.DENY.value:
        return tightened("the tool is gone")
    if said == UnknownTools.ABSTAIN.value:
        return relaxed("the tool is gone, and hooks leave such tools to the host (`unknown_tools: abstain`)")
    return other("the tool is gone; hooks ask about such tools (`unknown_tools: ask`)", enforced=True)


def _shown(key: str) -> Judge:
    return noticed(f"tool.{key}", label(f"`{key}`"))


def _read(key: str, judge: Judge) -> Judge:
    return noticed(f"tool.{key}", judge)


JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        "risk": _read("risk", risk),
        "permissions": _read("permissions", overridden.permissions),
        "resource_permissions": resource_permissions,
        "enabled": _read("enabled", enabled),
        "channels": _read("channels", channels),
        "requires": _read("requires", requires),
        "switch": _read("switch", switch),
        "mode": _read("mode", mode),
        "parameters": parameters,
        "x-sensitive": sensitive,
        "x-role": roles,
        "inspect": inspect,
        "read_only_when": read_only_when,
        "wraps": wraps,
        "idempotent": idempotent,
        "idempotency_key": idempotency_key,
        "on_rejection": on_rejection,
        **{
            key: _shown(key)
            for key in ("title", "group", "description", "source", "version", "action", "update", "config")
        },
        "endpoint": label("`endpoint`"),
        "describe": label("what a person is asked"),
        "timeout": label("how long it may run"),
        "result": label("what it promises about its result"),
        "arguments": context,
        "bound": context,
        "confirm_from": context,
        "reachable": context,
        "reads": context,
        "switch_on": context,
        "unknown_tools": context,
        "whole": context,
        "written": context,
    }
)
"""Values with defaults; `x-sensitive` and `x-role` are marks in `parameters`, by the paths of the arguments."""
