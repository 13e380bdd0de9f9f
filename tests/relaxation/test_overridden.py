"""Overrides in a change: their ends, tools that only they switch on, and what a policy itself confirms of them."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.diagnostic import PolicyError
from gateway.diff import Verdict, changes, confirmed_in, verdict
from gateway.relaxation import Direction
from gateway.reloading import OnRelaxation, check_step
from tests.relaxation.generated import Json, side

RELAXED, TIGHTENED, OTHER = Direction.RELAXED, Direction.TIGHTENED, Direction.OTHER


def policy(*overrides: Json, risk: str = "LOW", permissions: tuple[str, ...] = ("a", "b")) -> Json:
    return {
        "version": 1,
        "settings": {"confirm_from": "HIGH"},
        "agents": [{"name": "clerk", "tools": ["*"], "tenants": ["*"]}],
        "tools": [{"name": "run", "risk": risk, "permissions": list(permissions)}],
        "overrides": [{"tenant": "acme", "tools": ["run"], "reason": "R", **one} for one in overrides],
    }


def found(old: Json, new: Json) -> dict[str, tuple[Direction, bool]]:
    """The differences by what stands after the tenant and the tool."""
    return {
        change.item.removeprefix("overrides.acme.run."): (change.direction, change.enforced)
        for change in changes(side(old), side(new))
    }


FREE: Json = {"permissions": [], "until": "2027-01-31"}
TITLE: Json = {"title": "Other", "until": "2026-12-31"}


def test_a_longer_relaxation_is_seen_whatever_end_another_override_has() -> None:
    longer = {**FREE, "until": "2099-01-01"}
    for order in ((FREE, TITLE), (TITLE, FREE)):
        new = [longer if one is FREE else one for one in order]
        assert found(policy(*order), policy(*new)) == {"permissions.until": (RELAXED, True)}


def test_the_order_of_overrides_is_no_difference() -> None:
    assert found(policy(FREE, TITLE), policy(TITLE, FREE)) == {}


def test_the_end_of_what_is_only_shown_decides_nothing() -> None:
    assert found(policy(TITLE), policy({**TITLE, "until": "2028-12-31"})) == {"title.until": (OTHER, False)}
    assert found(policy(TITLE), policy()) == {"title": (OTHER, False)}


def test_who_confirmed_an_override_and_why_is_a_difference_of_words() -> None:
    assert found(policy(FREE), policy({**FREE, "reason": "pilot"})) == {"reason": (OTHER, False)}
    assert found(policy(), policy({**FREE, "reason": "pilot"})) == {"permissions": (RELAXED, True)}


def test_removing_a_relaxation_that_ends_relaxes_nothing() -> None:
    assert found(policy(FREE), policy()) == {"permissions": (TIGHTENED, True)}


def test_ends_are_moments_whatever_zone_they_are_written_in() -> None:
    one, two = ({**FREE, "until": f"2027-01-31T{time}"} for time in ("12:00:00+00:00", "13:00:00+01:00"))
    assert found(policy(one), policy(two)) == {}
    later = {**FREE, "until": "2027-01-31T12:30:00-01:00"}
    assert found(policy(one), policy(later)) == {"permissions.until": (RELAXED, True)}


def test_what_asks_for_something_else_has_no_end_and_an_earlier_end_of_what_only_relaxes_tightens() -> None:
    swapped: Json = {"permissions": ["c"], "until": "2027-01-31"}
    with pytest.raises(PolicyError) as caught:
        side(policy(swapped))
    assert "`c` is needed, too" in caught.value.diagnostics[0].message
    assert found(policy(FREE), policy({**FREE, "until": "2026-12-31"})) == {
        "permissions.until": (TIGHTENED, True)
    }


def test_a_new_tool_that_only_an_override_switches_on_relaxes() -> None:
    old = policy()
    new = policy()
    new["tools"].append({"name": "new", "risk": "LOW", "permissions": [], "enabled": False})
    assert verdict(changes(side(old), side(new))) is Verdict.PROVED
    new["overrides"] = [{"tenant": "acme", "tools": ["new"], "enabled": True, "reason": "R"}]
    relaxed = {change.item for change in changes(side(old), side(new)) if change.relaxed}
    assert relaxed == {"tools.new", "overrides.acme.new.enabled"}
    with pytest.raises(PolicyError):
        reload(old, new)


def test_overrides_of_a_tool_that_went_are_said_with_it() -> None:
    old = policy({"enabled": False})
    old["tools"].append({"name": "gone", "risk": "LOW", "permissions": []})
    old["overrides"][0]["tools"] = ["gone"]
    assert [change.item for change in changes(side(old), side(policy()))] == ["tools.gone"]


# --- what a policy itself confirms -------------------------------------------------------------------------------------


def reload(old: Json, new: Json) -> None:
    before, after = side(old), side(new)
    assert not check_step(
        changes(before, after), confirmed_in(before, after), OnRelaxation.REFUSE, None, "", tuple
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (policy(), policy(FREE)),
        (policy({"permissions": ["a"]}), policy({"permissions": []})),
        (policy(FREE), policy({**FREE, "until": "2028-01-31"})),
        (policy(risk="HIGH"), policy({"risk": "LOW"}, risk="HIGH")),
    ],
)
def test_a_change_that_is_no_larger_than_what_was_confirmed_is_confirmed(old: Json, new: Json) -> None:
    assert verdict(changes(side(old), side(new))) is Verdict.RELAXED
    reload(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (policy({"risk": "HIGH"}), policy({"risk": "LOW"}, risk="MEDIUM")),
        (
            policy({"permissions": ["a", "b", "finance"]}, permissions=("a",)),
            policy({"permissions": ["a"]}, permissions=("a", "b")),
        ),
        (policy({"enabled": False}), policy(FREE)),
        (policy({"risk": "HIGH"}), policy()),
    ],
)
def test_a_change_from_what_was_stricter_than_declared_is_not_what_was_confirmed(
    old: Json, new: Json
) -> None:
    with pytest.raises(PolicyError):
        reload(old, new)


def test_no_two_items_have_one_name_though_names_hold_dots() -> None:
    def with_rules(*rules: Json) -> Json:
        return {
            **policy(),
            "rules": [{"effect": "deny", "when": "session.can_ask", **rule} for rule in rules],
        }

    old = with_rules(
        {"id": "pay", "tools": ["run", "pay"]},
        {"id": "pay.tools", "tools": ["pay"], "when": "session.dry_run"},
    )
    new = with_rules({"id": "pay", "tools": ["pay"]})
    for each in (old, new):
        each["tools"].append({"name": "pay", "risk": "LOW", "permissions": []})
    assert [change.item for change in changes(side(old), side(new)) if change.relaxed] == [
        'rules."pay.tools"',
        "rules.pay.tools",
    ]


def test_tenants_and_tools_with_dots_are_told_apart() -> None:
    def with_override(tenant: str, tool: str) -> Any:
        new = policy()
        new["tools"] += [{"name": name, "risk": "LOW", "permissions": ["p"]} for name in ("b.c", "c")]
        new["overrides"] = [{"tenant": tenant, "tools": [tool], "permissions": [], "reason": "R"}]
        return side(new)

    plain = policy()
    plain["tools"] += [{"name": name, "risk": "LOW", "permissions": ["p"]} for name in ("b.c", "c")]
    items = {
        change.item
        for tenant, tool in (("a", "b.c"), ("a.b", "c"))
        for change in changes(side(plain), with_override(tenant, tool))
    }
    assert items == {'overrides.a."b.c".permissions', 'overrides."a.b".c.permissions'}
    after = with_override("a.b", "c")
    assert not check_step(
        changes(side(plain), after), confirmed_in(side(plain), after), OnRelaxation.REFUSE, None, "", tuple
    )
