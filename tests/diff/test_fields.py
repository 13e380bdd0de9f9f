"""What a change between two policies comes to: what is no change, what each item says, and traps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gateway.diff import Verdict, changes, compiled, verdict
from gateway.load import load_policy
from gateway.relaxation import Change, Direction
from tests.relaxation.generated import side

ROOT = Path(__file__).parents[2]

POLICY = """version: 1
settings: {confirm_from: MEDIUM, types: {session.facts: {limit: int}}}
lists: {payees: [ann, bob], unread: [x]}
agents:
  - {name: clerk, tools: [pay, search], tenants: [acme]}
  - {name: idle, tools: ["*"]}
tools:
  - {name: pay, risk: HIGH, permissions: ["pay:create"], parameters: {type: object, required: [amount], properties: {amount: {type: integer}, to: {type: string}}}}
  - {name: search, risk: READ_ONLY, permissions: [], title: Search}
  - {name: hidden, risk: LOW, permissions: []}
rules:
  - {id: large, tools: [pay], when: args.amount > 1000, effect: deny}
  - {id: known, tools: [pay], when: has(args.to) && args.to in lists.payees, effect: allow, until: 2027-01-31}
"""


def diff(*replacements: tuple[str, str], text: str = POLICY) -> tuple[Change, ...]:
    new = text
    for old_text, new_text in replacements:
        assert old_text in new, old_text
        new = new.replace(old_text, new_text)
    return changes(side(text), side(new))


def only(*replacements: tuple[str, str], text: str = POLICY) -> Change:
    (change,) = diff(*replacements, text=text)
    return change


# --- what is no change -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["policies/platform", "policies/coding-agent", "tests/data/load/whole.yaml"])
def test_no_policy_differs_from_itself(name: str) -> None:
    one, other = (compiled(load_policy(ROOT / name)) for _ in range(2))
    assert changes(one, other) == ()
    assert verdict(()) is Verdict.PROVED


def test_files_their_names_and_the_order_of_entries_are_no_change(tmp_path: Path) -> None:
    lines = POLICY.splitlines()
    rules = [line for line in lines if line.startswith("  - {id:")]
    (tmp_path / "z.yaml").write_text("version: 1\n# first\nrules:\n" + "\n".join(reversed(rules)))
    rest = "\n".join(line for line in lines if line not in rules and line != "rules:")
    (tmp_path / "a.yaml").write_text(rest)
    assert changes(side(POLICY), compiled(load_policy(tmp_path))) == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tools: [pay, search], tenants", "tools: [search, pay], tenants"),
        ("tools: [pay, search], tenants", "tools: [search, pay, search], tenants"),
        ("args.amount > 1000", "1000 <  args.amount"),
        ("when: args.amount > 1000", "let: {big: args.amount > 1000}, when: big"),
        ("has(args.to) && args.to in lists.payees", "args.to in lists.payees && (has(args.to))"),
        (
            "risk: READ_ONLY, permissions: [], title",
            "risk: READ_ONLY, permissions: [], channels: [internal, external], title",
        ),
        (
            "confirm_from: MEDIUM",
            "confirm_from: MEDIUM, packs: [publish, cloud, infrastructure, persistence, network, system, secrets, database, disks, files, git, core], switches: {a: false}",
        ),
        ("{id: large, tools: [pay]", "{id: large, tools: [pay], risk: HIGH"),
        ("{id: large, tools: [pay]", '{id: large, tools: [pay], agents: ["*"], tenants: ["*"]'),
        ("until: 2027-01-31}", 'until: "2027-02-01T00:00:00Z"}'),
    ],
)
def test_another_way_to_say_the_same_is_no_change(old: str, new: str) -> None:
    assert diff((old, new)) == ()


def test_what_defaults_give_is_the_same_as_what_is_written_at_the_tool() -> None:
    text = POLICY.replace("{name: search, risk: READ_ONLY,", "{name: search,")
    text = text.replace("rules:", "defaults: [{tools: [search], risk: READ_ONLY}]\nrules:")
    assert changes(side(POLICY), side(text)) == ()


def test_a_condition_that_matches_the_same_calls_is_proved() -> None:
    assert verdict(diff(("args.amount > 1000", "args.amount > 1000 && args.amount > 999"))) is Verdict.PROVED


# --- what an item says -----------------------------------------------------------------------------------------------


def test_an_item_has_a_name_a_sentence_both_values_and_a_digest_of_them() -> None:
    change = only(("> 1000", "> 2000"))
    assert change.item == "rules.large.condition"
    assert change.direction is Direction.RELAXED
    assert change.meaning == "it may match fewer calls: `args.amount > 2000` instead of `args.amount > 1000`"
    assert (change.old, change.new) == ("args.amount > 1000", "args.amount > 2000")
    assert change.digest == only(("> 1000", "> 2000"), ("title: Search", "title: Search")).digest
    assert change.digest != only(("> 1000", "> 2001")).digest
    assert json.dumps([change.old, change.new])


def test_a_binding_names_the_tools_that_came() -> None:
    change = only(("tools: [pay, search], tenants", "tools: [pay, search, hidden], tenants"))
    assert (change.item, change.meaning) == ("agents.clerk.tools", "`hidden` is now bound to it")


def test_binding_an_agent_that_is_off_changes_no_decision() -> None:
    tools = ('tools: ["*"]}', "tools: [pay]}")
    back = changes(side(POLICY.replace(*tools)), side(POLICY))
    assert [(change.item, change.relaxed, change.enforced) for change in back] == [
        ("agents.idle.later", True, False),
        ("agents.idle.tools", True, False),
    ]


def test_a_new_tool_relaxes_if_somebody_can_call_it() -> None:
    lines = "rules:\n", "  - {name: fresh, risk: LOW, permissions: []}\nrules:\n"
    change = only(lines)
    assert (change.item, change.direction, change.enforced) == ("tools.fresh", Direction.OTHER, False)
    bound = diff(lines, ("[pay, search], tenants", "[pay, search, fresh], tenants"))
    assert [(change.item, change.meaning) for change in bound] == [
        ("tools.fresh", "a new tool of the risk LOW, for `clerk`")
    ]


def test_a_tool_that_is_gone_is_left_to_what_hooks_say_of_unknown_ones() -> None:
    line = ("  - {name: hidden, risk: LOW, permissions: []}\n", "")
    assert only(line).direction is Direction.OTHER
    for said, direction in (("deny", Direction.TIGHTENED), ("abstain", Direction.RELAXED)):
        text = POLICY.replace("confirm_from", f"unknown_tools: {said}, confirm_from")
        assert only(line, text=text).direction is direction


def test_a_lowered_risk_is_enforced_where_a_decision_reads_it() -> None:
    def enforced(old: str, new: str, text: str = POLICY) -> bool:
        (change,) = [
            change
            for change in diff((f"name: pay, risk: {old}", f"name: pay, risk: {new}"), text=text)
            if change.item == "tools.pay.risk"
        ]
        assert change.relaxed
        return change.enforced

    low = POLICY.replace("name: pay, risk: HIGH", "name: pay, risk: LOW")
    assert not enforced("HIGH", "MEDIUM")
    assert enforced("HIGH", "LOW")
    assert enforced("LOW", "READ_ONLY", low)
    assert enforced(
        "HIGH",
        "MEDIUM",
        POLICY.replace("args.amount > 1000,", 'args.amount > 1000 || tool.risk == "IRREVERSIBLE",'),
    )


def test_a_risk_that_moves_a_tool_out_of_a_rule_is_a_change_of_that_rule() -> None:
    text = POLICY.replace("{id: large, tools: [pay]", '{id: large, tools: ["*"], risk: ">=HIGH"')
    text = text.replace("when: args.amount > 1000", "unless: session.facts.limit > 5")
    found = {
        change.item: change
        for change in diff(("name: pay, risk: HIGH", "name: pay, risk: MEDIUM"), text=text)
    }
    assert found["rules.large.tools"].relaxed
    assert "never-matches" not in str(found)


def test_a_label_decides_nothing_unless_a_condition_reads_it() -> None:
    title = ("title: Search", "title: Find")
    assert (only(title).direction, only(title).enforced) == (Direction.OTHER, False)
    assert verdict(diff(title)) is Verdict.PROVED
    text = POLICY.replace("args.amount > 1000,", 'args.amount > 1000 || tool.title == "x",')
    assert only(title, text=text).enforced
    assert verdict(diff(title, text=text)) is Verdict.UNPROVED


LISTS = POLICY.replace(
    "rules:\n",
    "rules:\n"
    "  - {id: outside, tools: [pay], unless: 'lists.payees.exists(p, has(args.to) && args.to.endsWith(p))', effect: ask}\n",
)


def test_a_list_is_said_of_the_conditions_that_read_it_in_the_direction_that_it_has_there() -> None:
    def found(values: str) -> dict[str, tuple[Direction, bool, str]]:
        return {
            change.item: (change.direction, change.enforced, change.meaning)
            for change in diff(("[ann, bob]", values), text=LISTS)
        }

    assert found("[ann, bob, cay]") == {
        "rules.outside.condition": (
            Direction.RELAXED,
            True,
            "it may match fewer calls: `lists.payees` gained `cay`",
        ),
        "rules.known.condition": (
            Direction.RELAXED,
            True,
            "it may match more calls: `lists.payees` gained `cay`",
        ),
        "lists.payees": (
            Direction.OTHER,
            False,
            "it gained `cay`; what that does is said of the conditions that read it",
        ),
    }
    assert {item: each[:2] for item, each in found("[bob]").items()} == {
        "rules.outside.condition": (Direction.TIGHTENED, True),
        "rules.known.condition": (Direction.TIGHTENED, True),
        "lists.payees": (Direction.OTHER, False),
    }
    assert {item: each[:2] for item, each in found("[bob, cay]").items()} == {
        "rules.outside.condition": (Direction.OTHER, True),
        "rules.known.condition": (Direction.OTHER, True),
        "lists.payees": (Direction.OTHER, False),
    }


def test_a_list_that_no_condition_reads_decides_nothing() -> None:
    assert not only(("[x]", "[y]")).enforced


LONG = ", ".join(f"name-{index}" for index in range(2000))


@pytest.mark.parametrize(
    ("values", "condition"),
    [
        (LONG, "has(args.to) && args.to in lists.payees"),
        ("ann", 'has(args.to) && args.to in lists.payees && has(lists.payees) && "x" != "y"'),
        ("ann", "has(args.to) && [lists].exists(l, args.to in l.payees)"),
        ("ann", "has(args.to) && args.to in [lists, lists][0].payees"),
    ],
)
def test_a_list_that_a_condition_can_not_spell_is_enforced_for_itself(values: str, condition: str) -> None:
    text = POLICY.replace("ann, bob", values).replace("has(args.to) && args.to in lists.payees", "'COND'")
    text = text.replace("COND", condition)
    found = {change.item: change for change in changes(side(text), side(text.replace(f"[{values}", "[cay")))}
    assert verdict(found.values()) in (Verdict.UNPROVED, Verdict.RELAXED)
    assert found["lists.payees"].unproved
    assert len(found["lists.payees"].meaning) < 1000


def test_a_list_counts_in_values_that_are_set_and_where_reading_is_told_by_it() -> None:
    text = POLICY.replace("search, risk: READ_ONLY", "search, risk: LOW").replace(
        "title: Search", "title: Search, read_only_when: 'session.tenant in lists.payees'"
    )
    text += "arguments: [{id: to, tools: [pay], set: {to: 'lists.payees[0]'}}]\n"
    found = {change.item: change for change in diff(("[ann, bob]", "[dan, ann, bob]"), text=text)}
    assert found["arguments.to.set"].unproved
    assert found["tools.search.read_only_when"].relaxed
    assert found["tools.search.read_only_when"].meaning == (
        "it may count as READ_ONLY for more calls (`read_only_when`): `lists.payees` gained `dan`"
    )


def test_another_order_of_a_list_is_seen_where_a_place_in_it_is_read() -> None:
    text = POLICY.replace(
        "has(args.to) && args.to in lists.payees", "'has(args.to) && args.to == lists.payees[0]'"
    )
    swapped = ("[ann, bob]", "[bob, ann]")
    assert verdict(diff(swapped, text=text)) is Verdict.UNPROVED
    assert verdict(diff(swapped)) is Verdict.PROVED


def test_a_raised_risk_that_a_condition_reads_can_turn_either_way() -> None:
    text = POLICY.replace("has(args.to) && args.to in lists.payees", 'tool.risk == "IRREVERSIBLE"')
    text = text.replace("tools: [pay], when: tool", "tools: [pay, search], when: tool").replace(
        "search, risk: READ_ONLY", "search, risk: IRREVERSIBLE"
    )
    change = only(("name: pay, risk: HIGH", "name: pay, risk: IRREVERSIBLE"), text=text)
    assert (change.direction, change.enforced) == (Direction.OTHER, True)


def test_a_template_is_compared_with_what_the_tool_says_of_itself() -> None:
    text = POLICY.replace(
        "title: Search", "action: look, resource_permissions: ['doc:{tool.action}'], title: Search"
    )
    found = {change.item: change for change in diff(("action: look", "action: read"), text=text)}
    assert found["tools.search.resource_permissions"].relaxed
    assert not found["tools.search.action"].enforced


def test_exchanging_a_permission_relaxes() -> None:
    assert only(("pay:create", "pay:other")).relaxed


def test_a_mode_takes_the_place_of_the_agents_lists() -> None:
    mode = ("risk: HIGH", "risk: HIGH, mode: any")
    assert only(mode).relaxed
    assert changes(side(POLICY.replace(*mode)), side(POLICY))[0].relaxed
    unbound = POLICY.replace("[pay, search], tenants", "[search], tenants")
    (change,) = changes(side(unbound.replace(*mode)), side(unbound))
    assert change.direction is Direction.TIGHTENED


# --- traps -----------------------------------------------------------------------------------------------------------


def test_a_guard_in_a_deny_rule_relaxes_it_since_errors_refused() -> None:
    text = POLICY.replace("args.amount > 1000", "session.facts.limit > 5")
    change = only(
        ("session.facts.limit > 5", "has(session.facts.limit) && session.facts.limit > 5"), text=text
    )
    assert change.relaxed


def test_a_wider_rule_that_answers_can_answer_where_it_refused_before() -> None:
    text = POLICY.replace(
        "when: args.amount > 1000, effect: deny",
        "when: session.facts.limit > 5, effect: respond, response: 1",
    )
    wider = ("session.facts.limit > 5", "session.facts.limit > 5 || args.amount > 5")
    assert verdict(diff(wider, text=text)) is Verdict.UNPROVED


def test_an_ask_that_is_lifted_is_not_lifted_where_it_fails() -> None:
    text = POLICY.replace(
        "when: args.amount > 1000, effect: deny", "when: session.facts.limit > 5, effect: ask"
    )
    wider = ("session.facts.limit > 5", "session.facts.limit > 5 || args.amount > 5")
    assert verdict(diff(wider, text=text)) is Verdict.PROVED
    lifted = text.replace("effect: allow,", "effect: allow, lifts: [large],")
    assert verdict(diff(wider, text=lifted)) is Verdict.UNPROVED


def test_a_rule_that_falls_out_of_force_is_relaxed_however_much_it_says() -> None:
    change = only(
        ("args.amount > 1000,", '"args.amount > 1000 || roles.recipient.exists(r, origin(r).untrusted)",')
    )
    assert change.relaxed


def test_setting_an_argument_is_not_proved_since_rules_see_the_set_value() -> None:
    new = POLICY + "arguments: [{id: to, tools: [pay], set: {to: subject.id}}]\n"
    (change,) = changes(side(POLICY), side(new))
    assert (change.item, change.direction, change.enforced) == ("arguments.to", Direction.OTHER, True)


def test_a_policy_that_becomes_ready_relaxes() -> None:
    unready = POLICY.replace("args.amount > 1000", "1 > 2")
    found = {change.item: change for change in changes(side(unready), side(POLICY))}
    assert found["ready"].relaxed
    back = {change.item: change for change in changes(side(POLICY), side(unready))}
    assert back["ready"].direction is Direction.TIGHTENED


def test_a_rule_that_is_only_watched_decides_nothing() -> None:
    text = POLICY.replace("> 1000,", "> 1000, monitor: true,")
    for edit in (
        (" 1000,", " 2000,"),
        ("tools: [pay], when: args", "tools: [pay], tenants: [acme], when: args"),
    ):
        assert not only(edit, text=text).enforced
    gone = POLICY.replace("  - {id: large, tools: [pay], when: args.amount > 1000, effect: deny}\n", "")
    (change,) = changes(side(text), side(gone))
    assert (change.direction, change.enforced) == (Direction.OTHER, False)


def test_a_renamed_rule_relaxes_where_it_grants_or_is_lifted() -> None:
    def found(old: str, text: str = POLICY) -> dict[str, Direction]:
        new = ("id: " + old, "id: big")
        return {one.item: one.direction for one in diff(new, text=text) if one.enforced}

    assert found("large") == {"rules.big": Direction.TIGHTENED}
    assert found("known") == {"rules.known": Direction.TIGHTENED, "rules.big": Direction.RELAXED}
    lifted = POLICY.replace("effect: allow,", "effect: allow, lifts: [large],")
    moved = lifted.replace("large", "big")
    assert {one.item for one in changes(side(lifted), side(moved)) if one.relaxed} == {
        "rules.large",
        "rules.known.lifts",
    }


def test_a_rule_that_passes_tools_on_to_another_one_that_holds_the_same_relaxes_nothing() -> None:
    text = POLICY.replace(
        "{id: large, tools: [pay], when: args.amount > 1000,",
        "{id: large, tools: [pay, search], when: session.facts.limit > 5,",
    )
    rule = "  - {id: large, tools: [pay, search], when: session.facts.limit > 5, effect: deny}\n"
    assert rule in text

    def found(*rules: str) -> dict[str, bool]:
        new = text.replace(rule, "".join(f"  - {{{one}}}\n" for one in rules))
        return {change.item: change.relaxed for change in changes(side(text), side(new))}

    same = "when: session.facts.limit > 5, effect: deny"
    one, two = f"id: large, tools: [pay], {same}", f"id: other, tools: [search], {same}"
    assert found(one, two) == {"rules.large.tools": False, "rules.other": False}
    assert found(f"id: a, tools: [pay], {same}", f"id: b, tools: [search], {same}")["rules.large"] is False
    assert found(one)["rules.large.tools"]
    for other in ("monitor: true", "tenants: [acme]", "channels: [internal]", "unless: session.dry_run"):
        assert found(one, f"{two}, {other}")["rules.large.tools"]
    assert found(one, two.replace("deny", "ask"))["rules.large.tools"]
    assert found(one, two.replace("> 5", "> 6"))["rules.large.tools"]
    (gone,) = [
        change
        for change in changes(side(text), side(text.replace(rule, f"  - {{{two}}}\n")))
        if change.item == "rules.large"
    ]
    assert gone.relaxed
    assert gone.meaning == "a rule with the effect deny is gone, about `pay`"


def test_relaxed_items_come_first_and_enforced_ones_before_others() -> None:
    found = diff(
        ("> 1000", "> 2000"), ("title: Search", "title: Find"), ("confirm_from: MEDIUM", "confirm_from: LOW")
    )
    assert [change.item for change in found] == [
        "rules.large.condition",
        "tools.search.title",
        "settings.confirm_from",
    ]


# --- tools that tenants add ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "item", "relaxes"),
    [
        ("tools: [pay, search], tenants", 'tools: ["*", "!hidden"], tenants', "agents.clerk.later", True),
        ('tools: ["*", "!hidden"], tenants', "tools: [pay, search], tenants", "agents.clerk.later", False),
        (
            'tools: ["*"], when: args.amount > 1000',
            "tools: [pay], when: args.amount > 1000",
            "rules.large.later",
            True,
        ),
        (
            "tools: [pay], when: args.amount > 1000",
            'tools: ["pay*"], when: args.amount > 1000',
            "rules.large.later",
            False,
        ),
        (
            "tools: [pay], when: has(args.to)",
            'tools: ["pay*"], when: has(args.to)',
            "rules.known.later",
            True,
        ),
    ],
)
def test_a_pattern_is_more_than_the_names_that_it_selects_today(
    old: str, new: str, item: str, relaxes: bool
) -> None:
    """A tool that a tenant adds while the policy is served is chosen by patterns, and by no list of names."""
    before = POLICY
    if old not in before:
        plain = {'tools: ["*", "!hidden"], tenants': "tools: [pay, search], tenants"}
        before = before.replace(plain.get(old, "tools: [pay], when: args.amount > 1000"), old)
        before = before.replace(
            "name: hidden, risk: LOW, permissions: []",
            "name: hidden, risk: LOW, permissions: [], parameters: {type: object, required: [amount], properties: {amount: {type: integer}}}",
        )
        before = before.replace(
            "title: Search}",
            "title: Search, parameters: {type: object, required: [amount], properties: {amount: {type: integer}}}}",
        )
    found = {change.item: change.relaxed for change in diff((old, new), text=before)}
    assert found[item] is relaxes


AMOUNTS = """version: 1
settings: {confirm_from: HIGH}
lists: {caps: [5, 7], known: [EUR, USD]}
agents: [{name: clerk, tools: [export], tenants: [acme]}]
tools:
  - {name: export, risk: LOW, permissions: [], version: "1", config: {price: 5}, parameters: {type: object, required: [rows, in], properties: {rows: {type: integer}, in: {type: string}}}}
limits:
  - {id: spending, tools: [export], per: subject, budget: BUDGET, amount: AMOUNT, message: Enough.}
"""


@pytest.mark.parametrize(
    ("amount", "budget", "old", "new"),
    [
        ("'args.rows * tool.config.price'", "1000/30d", "price: 5", "price: 1"),
        ("'args.rows * lists[\"caps\"][0]'", "1000/30d", "caps: [5, 7]", "caps: [1, 7]"),
        ("'tool.version == \"1\" ? 5 : 1'", "1000/30d", 'version: "1"', 'version: "2"'),
        ("'1', currency: 'lists[\"known\"][0]'", "{EUR: 5/30d, USD: 9/30d}", "known: [EUR", "known: [USD"),
    ],
)
def test_what_the_amount_of_a_limit_reads_is_read(amount: str, budget: str, old: str, new: str) -> None:
    text = AMOUNTS.replace("AMOUNT", amount).replace("BUDGET", budget)
    assert old in text
    before, after = side(text), side(text.replace(old, new))
    assert verdict(changes(before, after)) is not Verdict.PROVED
