"""What items say: each sentence is true of the change that it stands for, and short."""

from __future__ import annotations

import json
from typing import Any

import pytest
from yaml import safe_load

from gateway.diff import changes
from gateway.relaxation import Direction
from tests.diff.test_fields import POLICY, diff, only
from tests.relaxation.generated import side


def meanings(*replacements: tuple[str, str], text: str = POLICY) -> dict[str, str]:
    return {change.item: change.meaning for change in diff(*replacements, text=text)}


def test_a_condition_is_shown_as_it_was_written_and_compared_as_it_is_spelled() -> None:
    text = POLICY.replace(
        "when: args.amount > 1000, effect",
        "when: '[args.amount].exists(each,   each > big)', unless: session.dry_run, let: {big: 5 * 5}, effect",
    )
    change = only(("> big", "> big + 1"), text=text)
    before = "when: [args.amount].exists(each, each > big); unless: session.dry_run; let big: 5 * 5"
    assert change.meaning == (
        f"the condition is another one: `{before.replace('> big', '> big + 1')}` instead of `{before}`"
    )
    assert change.old == "!session.dry_run && [args.amount].exists(_1, 5 * 5 < _1)"


def test_a_long_condition_is_shown_where_it_differs() -> None:
    long = " && ".join(f"args.amount != {number}" for number in range(3000, 3040))
    text = POLICY.replace("args.amount > 1000", f"{long} && args.amount > 1000")
    meaning = only(("> 1000,", "> 2000,"), text=text).meaning
    assert "> 2000`" in meaning
    assert "> 1000`" in meaning
    assert len(meaning) < 400


def test_a_size_is_a_whole_number() -> None:
    text = POLICY.replace("args.amount > 1000", "has(args.to) && size(args.to) > 10")
    assert only(("> 10,", ">= 11,"), text=text).direction is Direction.OTHER
    assert not only(("> 10,", ">= 11,"), text=text).enforced
    assert only(("> 10,", ">= 12,"), text=text).relaxed
    assert only(("> 10,", ">= 10,"), text=text).direction is Direction.TIGHTENED


def test_a_condition_that_is_gone_or_never_holds_is_said_to_be_so() -> None:
    assert meanings(("when: args.amount > 1000, ", "")) == {
        "rules.large.condition": "it matches every call: no condition instead of `args.amount > 1000`"
    }
    unbuilt = "'args.amount > 1000 && roles.recipient.all(r, origin(r).untrusted)'"
    assert meanings(("args.amount > 1000", unbuilt))["rules.large.condition"].startswith(
        "it matches no call: "
    )


def test_times_are_written_as_policies_write_them() -> None:
    text = POLICY.replace(
        "> 1000, effect: deny", "> 1000, effect: ask, approval: {expires: 30m, use_within: 5m}"
    )
    assert meanings(("30m", "90m"), ("5m", "7s"), ("2027-01-31", "2027-02-28"), text=text) == {
        "rules.large.approval.expires": "the question stays open for 90m",
        "rules.large.approval.use_within": "an approval can be used for 7s",
        "rules.known.until": "the rule `known` grants its calls until 2027-02-28",
    }
    assert meanings(("2027-01-31", '"2027-01-31T18:00:00+01:00"'))["rules.known.until"] == (
        "the rule `known` grants its calls until 2027-01-31T17:00:00Z"
    )


def test_what_is_redacted_is_named_as_it_was_written() -> None:
    text = (
        POLICY
        + 'results: [{id: clean, tools: ["*"], redact: [{field: "**.password"}, {detector: secrets}]}]\n'
    )
    assert meanings(('{field: "**.password"}, ', ""), text=text) == {
        "results.clean.redact": "`field: **.password` is no longer blanked out"
    }


def test_a_pattern_for_every_field_of_a_name_takes_the_place_of_a_narrower_one() -> None:
    text = POLICY + 'results: [{id: clean, tools: ["*"], redact: [{field: Customer.SSN}]}]\n'
    assert meanings(("Customer.SSN", '"**.ssn"'), text=text) == {
        "results.clean.redact": "`field: **.ssn` is blanked out"
    }
    # upper and lower case are one in results, so it is said in lower case
    for other in ("**.pin", "**.x.ssn", "customer.*", "ssn"):
        assert meanings(("Customer.SSN", f'"{other}"'), text=text) == {
            "results.clean.redact": "`field: customer.ssn` is no longer blanked out"
        }


def test_what_comes_to_the_set_values_was_not_another_one_before() -> None:
    text = POLICY + "arguments: [{id: to, tools: [pay], set: {to: subject.id}}]\n"
    assert meanings(("{to: subject.id}", "{to: subject.id, amount: '5'}"), text=text) == {
        "arguments.to.set": "`amount` is now set by the policy"
    }


@pytest.mark.parametrize(
    ("old", "new", "meaning"),
    [
        ("a: trusted", "a: untrusted", "`a` is marked as untrusted"),
        ("a: trusted", "b: untrusted", "`a` is no longer trusted; `b` is marked as untrusted"),
        ("a: untrusted", "a: untrusted, b: untrusted", "`b` is marked as untrusted"),
    ],
)
def test_fields_that_are_relied_on_less_are_named(old: str, new: str, meaning: str) -> None:
    text = POLICY + f'results: [{{id: clean, tools: ["*"], fields: {{{old}}}}}]\n'
    assert meanings((f"{{{old}}}", f"{{{new}}}"), text=text) == {"results.clean.fields": meaning}


OVERRIDES = "overrides: [{tenant: acme, tools: [pay], reason: R, "


@pytest.mark.parametrize(
    ("declared", "old", "new", "relaxed", "enforced", "meaning"),
    [
        (
            "HIGH",
            "risk: LOW",
            None,
            False,
            False,
            "the risk is shown as HIGH instead of LOW; decisions still read HIGH",
        ),
        (
            "HIGH",
            None,
            "risk: LOW",
            True,
            False,
            "the risk is shown as LOW instead of HIGH; decisions still read HIGH",
        ),
        ("LOW", "risk: HIGH", None, True, True, "calls are judged as LOW instead of HIGH"),
        ("LOW", None, "risk: HIGH", False, True, "calls are judged as HIGH instead of LOW"),
        ("MEDIUM", "risk: HIGH", "risk: LOW", True, True, "calls are judged as MEDIUM instead of HIGH"),
        ("HIGH", "enabled: false", None, True, True, "the tool is switched on"),
        ("HIGH", None, "enabled: false", False, True, "the tool is switched off"),
    ],
)
def test_an_override_is_judged_by_what_is_enforced_and_by_what_is_shown(
    declared: str, old: str | None, new: str | None, relaxed: bool, enforced: bool, meaning: str
) -> None:
    text = POLICY.replace("name: pay, risk: HIGH", f"name: pay, risk: {declared}")
    one, two = (side(_overridden(text, said)) for said in (old, new))
    (change,) = changes(one, two)
    assert (change.relaxed, change.enforced, change.meaning) == (relaxed, enforced, meaning)
    assert change.direction is not Direction.OTHER


def safe_json(text: str) -> dict[str, Any]:
    """A policy as plain JSON values, its dates as they are written."""
    value: dict[str, Any] = json.loads(json.dumps(safe_load(text), default=str))
    return value


def _overridden(text: str, said: str | None) -> dict[str, Any]:
    return safe_json(text + ("" if said is None else f"{OVERRIDES}{said}}}]\n"))


def test_the_end_of_an_override_counts_where_both_sides_override() -> None:
    def found(old: str | None, new: str | None) -> list[tuple[str, Direction, str]]:
        one, two = (side(_overridden(POLICY, said)) for said in (old, new))
        return [
            (change.item.removeprefix("overrides.acme.pay."), change.direction, change.meaning)
            for change in changes(one, two)
        ]

    until = "permissions: [], until: 2027-01-31"
    needed = [("permissions", Direction.TIGHTENED, "`pay:create` is needed, too")]
    assert found(until, None) == needed
    assert found(until, until.replace("01-31", "02-28")) == [
        ("permissions.until", Direction.RELAXED, "`permissions` stays overridden until 2027-02-28")
    ]
    assert found(until, "permissions: []") == [
        ("permissions.until", Direction.RELAXED, "`permissions` stays overridden without end")
    ]
    assert found("permissions: []", until) == [
        ("permissions.until", Direction.TIGHTENED, "`permissions` stays overridden until 2027-01-31")
    ]
    assert found(None, until) == [
        (
            "permissions",
            Direction.RELAXED,
            "`pay:create` is no longer needed; being signed in is enough",
        )
    ]


def test_being_signed_in_is_not_enough_where_a_resource_needs_a_permission() -> None:
    text = POLICY.replace('["pay:create"]', '["pay:create"], resource_permissions: ["pay:{args.amount}"]')
    assert meanings(('["pay:create"]', "[]"), text=text) == {
        "tools.pay.permissions": "`pay:create` is no longer needed"
    }


def test_a_sentence_is_short_however_much_differs() -> None:
    long = "x" * 150
    names = [f"{long}-{index}" for index in range(60)]
    policy = safe_json(POLICY)
    policy["rules"].append({"id": "many", "tools": ["*"], "effect": "deny", "when": "args == args"})
    old = json.loads(json.dumps(policy))
    for number, name in enumerate(names):
        policy["tools"].append({"name": f"t{number}-{long[:90]}", "risk": "LOW", "permissions": []})
        policy["tools"][0]["permissions"].append(f"{name}:read")
        policy["tools"][0]["parameters"]["properties"][name] = {"enum": names}
        policy["agents"][0]["tenants"].append(name)
        policy["lists"]["payees"].append(name)
    policy["agents"][0]["tools"] = ["*"]
    policy["rules"][0] |= {"tenants": names, "channels": ["internal"]}
    one, two = side(old), side(policy)
    found = (*changes(one, two), *changes(two, one))
    assert len(found) > 100
    assert [change for change in found if len(change.meaning) > 1000] == []
