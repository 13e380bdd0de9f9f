"""The checks of rules and conditions: what each finds, and what looks like it and is right."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from gateway.checks import check_id, confidence_of, redundant_term, unlimited_tool, unowned_rule
from gateway.checks.covering import NEAR, Ruled
from gateway.diagnostic import Confidence, Diagnostic
from gateway.load import load_text
from tests.checks.test_checks import found, in_text, underlined

HEAD = """
version: 1
settings:
  confirm_from: HIGH
  packs: []
  types: {session.facts: {limit: int, desk: string}}
lists: {staff: [NL01, NL02], few: [NL01], none: []}
agents:
  - {name: clerk, tools: ["*"], tenants: [acme, "b*"]}
  - {name: porter, tools: [note], tenants: [acme]}
tools:
  - name: pay
    risk: HIGH
    permissions: ["pay:order:create"]
    parameters:
      type: object
      required: [amount, payee, kind, tags, ratio, value, whatever]
      properties:
        amount: {type: integer, minimum: 1}
        payee: {type: string}
        kind: {enum: [a, b]}
        ratio: {type: number}
        tags: {type: array, items: {type: string}}
        urgent: {type: boolean}
        value: {type: [integer, "null"]}
        whatever: {description: Anything}
        data: {type: object, additionalProperties: true}
  - {name: refund, risk: HIGH, permissions: [], parameters: {type: object, required: [amount], properties: {amount: {type: integer}}}}
  - {name: note, risk: LOW, permissions: [], channels: [internal], parameters: {type: object, required: [text], properties: {text: {type: string}}}}
"""


def rules(*entries: str) -> str:
    return f"{HEAD}rules:\n" + "".join(f"  - {{{entry}}}\n" for entry in entries)


def rule(when: str, effect: str = "deny", **more: str) -> str:
    """One rule about `pay`, `r` by name."""
    others = "".join(f", {key}: {value}" for key, value in more.items())
    return f"id: r, tools: [pay], when: {quoted(when)}, effect: {effect}, message: No.{others}"


def quoted(text: str) -> str:
    """A text without an apostrophe as YAML writes it, character by character."""
    return f"'{text}'"


def of(check: str, *entries: str) -> list[Diagnostic]:
    return in_text(check, rules(*entries))


def ids(diagnostics: list[Diagnostic]) -> list[tuple[str, list[str]]]:
    """Which rule each is about, and which others belong to it."""
    return [
        (one.span.text, [each.span.text for each in one.related])
        for one in diagnostics
        if one.span is not None
    ]


# --- conditions that are never, or always, true ---


@pytest.mark.parametrize(
    ("when", "why"),
    [
        ("args.amount > 10 && args.amount < 5", "`args.amount < 5` and `args.amount > 10` are never all true at once"),
        ("args.amount > 5 && args.amount < 6", "`args.amount < 6` and `args.amount > 5` are never all true at once"),
        ("args.amount > 5 && args.amount <= 5", "`args.amount <= 5` and `args.amount > 5` are never all true at once"),
        ('args.payee == "x" && args.payee == "y"', '`args.payee == "x"` and `args.payee == "y"` are never all true at once'),
        ("args.payee in lists.few && !(args.payee in lists.staff)", None),
        ('args.payee.startsWith("ab") && args.payee.startsWith("b")', None),
        ('args.payee.startsWith("ab") && !args.payee.contains("a")', None),
        ('args.payee == "x" && args.payee.endsWith("y")', None),
        ('args.kind != "a" && args.kind != "b"', None),
        ('!(args.kind == "a" || args.kind == "b")', None),
        ("args.amount == 2.5", "`args.amount == 2.5` is nothing that `args.amount` can be"),
        ("size(args.tags) > 0 && size(args.tags) < 1", None),
        ("has(args.urgent) && args.urgent && args.urgent == false", None),
        ("has(args.urgent) && !has(args.urgent)", None),
        ("args.payee in lists.none", "`args.payee in []` asks for one of none"),
        ('(args.amount > 9 || args.kind == "a") && args.amount < 5 && args.kind == "b"', None),
        ('subject.kind != "user" && subject.kind != "service"', None),
    ],
)  # fmt: skip
def test_a_condition_that_nothing_meets(when: str, why: str | None) -> None:
    diagnostics = of("impossible-condition", rule(when))
    assert underlined(diagnostics) == [quoted(when)]
    assert why is None or diagnostics[0].message == f"the condition of `r` never holds: {why}"
    assert of("certain-condition", rule(when)) == []


@pytest.mark.parametrize(
    "when",
    [
        "args.amount > 5 && args.amount < 10",
        "args.ratio > 5 && args.ratio < 6",
        'args.payee.startsWith("a") && args.payee.startsWith("ab")',
        'args.payee.startsWith("a") && args.payee.endsWith("b")',
        'args.payee.contains("a") && args.payee.contains("b")',
        'args.payee.startsWith("a") && !args.payee.startsWith("ab")',
        'args.kind != "a"',
        "args.ratio == 2.5",
        "args.amount > 5 || args.amount < 3",
        'args.tags.exists(t, t == "a") && args.tags.exists(t, t == "b")',
        '"a" in subject.roles && "b" in subject.roles',
        'has(args.data) && has(args.data.x) && args.data.x == 1 || has(args.data) && has(args.data.x) && args.data.x == "a"',
        "args.amount > session.facts.limit && args.amount < session.facts.limit + 5",
    ],
)
def test_a_condition_that_some_calls_meet_and_others_do_not(when: str) -> None:
    assert of("impossible-condition", rule(when)) == of("certain-condition", rule(when)) == []


@pytest.mark.parametrize(
    "when",
    [
        "args.amount > 0",
        "args.amount > 10 || args.amount <= 10",
        "args.amount > 10 || args.amount < 20",
        'args.kind in ["a", "b"]',
        'args.kind == "a" || args.kind != "a"',
        'session.channel == "internal" || session.channel == "external"',
        "size(args.tags) >= 0",
        "!has(args.urgent) || has(args.urgent)",
    ],
)
def test_a_condition_that_every_call_meets(when: str) -> None:
    assert underlined(of("certain-condition", rule(when))) == [quoted(when)]
    assert of("impossible-condition", rule(when)) == []


def test_when_and_unless_are_looked_at_together() -> None:
    both = "id: r, tools: [pay], when: args.amount > 10, unless: args.amount > 5, effect: deny, message: No."
    assert underlined(of("impossible-condition", both)) == ["args.amount > 10"]
    apart = both.replace("unless: args.amount > 5", "unless: args.amount > 50")
    assert of("impossible-condition", apart) == []


def test_names_are_read_as_what_they_stand_for() -> None:
    let = "id: r, tools: [pay], let: {large: args.amount > 10}, when: large && args.amount < 5, effect: deny, message: No."
    assert underlined(of("impossible-condition", let)) == ["large && args.amount < 5"]


def test_a_condition_has_to_be_impossible_or_certain_for_every_tool() -> None:
    """`pay` is at least 1, `refund` is not."""
    entry = "id: r, tools: [{}], when: args.amount > 0, effect: deny, message: No."
    assert of("certain-condition", entry.format("pay, refund")) == []
    assert underlined(of("certain-condition", entry.format("pay"))) == ["args.amount > 0"]


@pytest.mark.parametrize("section", ["limits", "results", "arguments"])
def test_every_part_with_a_condition_is_looked_at(section: str) -> None:
    does = {
        "limits": "per: subject, rate: 5/h",
        "results": "redact: [{detector: secrets}]",
        "arguments": "set: {payee: subject.id}",
    }
    reads = (
        "args.amount > 9 && args.amount < 3"
        if section != "arguments"
        else '"a" in subject.roles && !("a" in subject.roles)'
    )
    text = f"{HEAD}{section}:\n  - {{id: r, tools: [pay], when: {quoted(reads)}, {does[section]}}}\n"
    assert underlined(in_text("impossible-condition", text)) == [quoted(reads)]


def test_what_loading_proves_is_not_told_twice() -> None:
    for when in ("1 == 1", 'tool.risk == "LOW"', "args.tags.exists(t, false)"):
        assert of("impossible-condition", rule(when)) == of("certain-condition", rule(when)) == []


def test_too_many_cases_are_not_told() -> None:
    """2^7 ways to meet `(a || b) && (c || d) && …`; the last part contradicts itself."""
    many = " && ".join(f'("r{n}" in subject.roles || "s{n}" in subject.roles)' for n in range(7))
    assert of("impossible-condition", rule(f"{many} && args.amount > 9 && args.amount < 3")) == []


# --- parts of conditions ---


@pytest.mark.parametrize(
    ("when", "idle", "message"),
    [
        ("args.amount > 5 && args.amount > 10", ["args.amount > 5"], "changes nothing beside `args.amount > 10`"),
        ("args.amount > 5 || args.amount > 10", ["args.amount > 10"], "changes nothing beside `args.amount > 5`"),
        ('args.amount > 5 && (args.kind == "a" && args.amount > 5)', ["args.amount > 5"], "stands here twice"),
        ("args.amount > 5 && 5 < args.amount", ["5 < args.amount"], "changes nothing beside"),
        ("args.amount != 2 && args.amount > 2", ["args.amount != 2"], "changes nothing beside"),
        ('args.payee == "NL01" || args.payee in lists.staff', ['args.payee == "NL01"'], "beside `args.payee in lists.staff`"),
        ('args.payee.startsWith("a") || args.payee.startsWith("ab")', ['args.payee.startsWith("ab")'], ""),
        ('args.tags.exists(t, t == "a") || args.tags.exists(t, t in ["a", "b"])', ['args.tags.exists(t, t == "a")'], ""),
        ('args.tags.exists(t, t == "a" && t == "a")', ['t == "a"'], "stands here twice"),
        ("args.amount > 5 && true", ["true"], "changes nothing in a chain of `&&`"),
        ("args.amount > 5 || false", ["false"], "changes nothing in a chain of `||`"),
        ('args.kind == "a" ? args.amount > 5 || true : false', ["true"], "decides all of it in a chain of `||`"),
        ("has(args.urgent) && args.urgent && has(args.urgent)", ["has(args.urgent)"], "stands here twice"),
        ("!(!(args.amount > 5))", ["!(!(args.amount > 5))"], "one `!` takes back the other"),
    ],
)  # fmt: skip
def test_a_part_that_changes_nothing(when: str, idle: list[str], message: str) -> None:
    diagnostics = of("redundant-term", rule(when))
    assert [one.span.text for one in diagnostics if one.span is not None] == idle
    assert message in diagnostics[0].message


@pytest.mark.parametrize(
    "when",
    [
        "has(args.urgent) && args.urgent",
        "args.amount > 5 && args.amount < 10",
        'size(args.tags) > 0 && args.tags[0] == "x"',
        "args.amount > 5 && args.ratio > 10.0",
        '"a" in subject.roles || "b" in subject.roles',
        'args.payee.startsWith("a") && args.payee.endsWith("a")',
        'args.tags.exists(t, t == "a") && args.tags.exists(t, t == "b")',
        "!(args.amount > 5)",
        "args.value != null && args.value > 5",
        "args.value == null || args.value <= 5",
        "type(args.whatever) == int && args.whatever > 5",
        'type(args.whatever) == string && args.whatever == "x"',
        "!(double(args.payee) > 5.0) && !(double(args.payee) <= 5.0)",
        "!(double(args.payee) <= 5.0) && double(args.payee) > 5.0",
    ],
)
def test_parts_that_each_count(when: str) -> None:
    assert of("redundant-term", rule(when)) == []


def test_a_guard_that_stands_twice_is_still_told() -> None:
    twice = rule("type(args.whatever) == int && args.whatever == 5 && type(args.whatever) == int")
    assert underlined(of("redundant-term", twice)) == ["type(args.whatever) == int"]


def test_a_comparison_that_nan_fails_was_taken_for_its_opposite() -> None:
    """`double("nan")` is neither above 5 nor at most 5."""
    above, below = "!(double(args.payee) > 5.0)", "double(args.payee) <= 5.0"
    names = ("id: one, {}", "id: two, {}")
    for left, repeated in (("double(args.payee)", False), ("args.ratio", True)):
        entries = [
            name.format(
                f"tools: [pay], when: {quoted(when.replace('double(args.payee)', left))}, effect: allow"
            )
            for name, when in zip(names, (above, below), strict=True)
        ]
        assert bool(of("repeated-rule", *entries)) is repeated
        both = rule(f"!({left} > 5.0) && !({left} <= 5.0)", "allow")
        assert bool(of("impossible-condition", both)) is repeated


@pytest.mark.parametrize(
    "fails", ["int(args.payee)", "args.whatever", "args.tags[0].size()", "100 / args.amount"]
)
def test_what_may_fail_was_said_to_be_never_met_though_its_error_stops_calls(fails: str) -> None:
    never, always = f"{fails} > 5 && {fails} < 3", f"{fails} > 3 || {fails} < 5"
    for effect in ("deny", "ask", "respond, response: {}"):
        assert of("impossible-condition", rule(never, effect)) == []
        assert of("certain-condition", rule(always, effect)) == []
    assert of("impossible-condition", rule(never, "allow")) != []
    assert of("certain-condition", rule(always, "allow")) == []


def test_a_double_negation_is_mended_by_what_is_inside() -> None:
    (diagnostic,) = of("redundant-term", rule("args.ratio < 2.0 && !!(args.amount > 5)"))
    (edit,) = diagnostic.edits
    assert (edit.span.text, edit.text) == ("!!(args.amount > 5)", "(args.amount > 5)")
    assert diagnostic.confidence is confidence_of(redundant_term) is Confidence.LIKELY


# --- rules beside rules ---

LARGE = "id: large, tools: [pay], when: args.amount > 1000, effect: {}, message: No."
SOME = "id: some, tools: [pay], when: args.amount > 100, effect: {}, message: No."


@pytest.mark.parametrize(
    ("narrow", "wide", "shadowed"),
    [
        ("deny", "deny", True),
        ("ask", "deny", True),
        ("ask", "ask", True),
        ("respond, response: {}", "deny", True),
        ("ask", "respond, response: {}", True),
        ("respond, response: {}", "respond, response: {}", True),
        ("allow", "allow", True),
        ("deny", "ask", False),
        ("deny", "respond, response: {}", False),
        ("respond, response: {a: 1}", "respond, response: {}", False),
        ("ask, approval: {by: [boss]}", "ask", False),
        ("ask, approval: {by: [boss]}", "ask, approval: {by: [boss]}", True),
        ("ask", "ask, approval: {by: [boss]}", True),
        ("ask", "deny, monitor: true", False),
        ("ask, monitor: true", "deny", False),
        ("allow", "allow, until: 2026-12-31", False),
        ("ask, context: Look.", "deny", False),
        ("deny", "allow", False),
    ],
)
def test_a_rule_is_shadowed_by_a_wider_one_that_is_as_strict(narrow: str, wide: str, shadowed: bool) -> None:
    entries = LARGE.format(narrow), SOME.format(wide)
    expected = [("large", ["some"])] if shadowed else []
    assert ids(of("shadowed-rule", *entries)) == expected
    assert ids(of("shadowed-rule", *reversed(entries))) == expected, "the order of rules plays no part"


MANY = 600


def test_many_rules_about_one_argument_are_not_each_compared_to_each(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []
    real = Ruled.covers

    def counted(one: Ruled, other: Ruled) -> bool:
        compared.append(other.rule.id)
        return real(one, other)

    monkeypatch.setattr(Ruled, "covers", counted)
    apart = [
        f"id: r{number}, tools: [pay], when: args.amount > {number} && args.payee != '{number}', effect: deny, message: m"
        for number in range(MANY)
    ]
    assert of("shadowed-rule", *apart) == []
    assert MANY < len(compared) <= 3 * MANY * 2 * NEAR, "three checks compare rules"


@pytest.mark.parametrize("at", [0, MANY // 2, MANY - 1])
def test_among_many_rules_a_repeated_one_is_found(at: int) -> None:
    many = [
        f"id: r{number}, tools: [pay], when: args.amount > {number} && args.payee != '{number}', effect: deny, message: m"
        for number in range(MANY)
    ]
    again = f"id: again, tools: [pay], when: args.payee != '{at}' && args.amount >= {at + 1}, effect: deny, message: m"
    assert ids(of("repeated-rule", *many, again)) == [("again", [f"r{at}"])]


@pytest.mark.parametrize("at", [0, MANY // 2, MANY])
def test_among_many_rules_the_one_that_covers_them_is_found(at: int) -> None:
    many = [
        f"id: r{number}, tools: [pay], when: args.amount > {number} && args.payee != '{number}', effect: deny, message: m"
        for number in range(1, MANY + 1)
    ]
    many.insert(at, "id: all, tools: [pay], when: args.amount > 0, effect: deny, message: m")
    assert {name: tuple(wide) for name, wide in ids(of("shadowed-rule", *many))} == {
        f"r{number}": ("all",) for number in range(1, MANY + 1)
    }


@pytest.mark.parametrize(
    ("change", "to"),
    [
        ("id: some, tools: [pay]", "id: some, tools: [refund]"),
        ("id: some, tools: [pay]", "id: some, tools: [pay], channels: [external]"),
        ("id: some, tools: [pay]", "id: some, tools: [pay], tenants: [acme]"),
        ("id: some, tools: [pay]", "id: some, tools: [pay], agents: [porter]"),
        ("args.amount > 100,", "args.amount > 100 && args.ratio > 1.0,"),
        ("args.amount > 100,", "args.ratio > 100.0,"),
        ("args.amount > 100,", "args.amount < 100,"),
    ],
)
def test_a_rule_is_not_shadowed_by_one_that_is_about_fewer_calls(change: str, to: str) -> None:
    wide = SOME.format("deny")
    assert change in wide
    assert of("shadowed-rule", LARGE.format("deny"), wide.replace(change, to)) == []


def test_a_wider_rule_may_choose_more() -> None:
    narrow = LARGE.format("ask").replace(
        "[pay]", "[pay], tenants: [bank], agents: [clerk], channels: [internal]"
    )
    wide = SOME.format("deny").replace("[pay]", '[pay, refund], tenants: ["b*"], channels: [internal]')
    assert ids(of("shadowed-rule", narrow, wide)) == [("large", ["some"])]


def test_an_ask_that_an_exception_is_made_from_leaves_the_other_one() -> None:
    entries = LARGE.format("ask"), SOME.format("ask")
    lifts = "id: small, tools: [pay], when: args.ratio < 2.0, effect: allow, lifts: [{}]"
    assert of("shadowed-rule", *entries, lifts.format("some")) == []
    assert len(of("shadowed-rule", *entries, lifts.format("some, large"))) == 1
    assert len(of("shadowed-rule", *entries, lifts.format("large"))) == 1


def test_an_allow_is_shadowed_by_one_that_lifts_as_much() -> None:
    ask = "id: sure, tools: [pay], when: args.ratio > 2.0, effect: ask, message: Sure?"
    lifting = LARGE.format("allow, lifts: [sure]")
    assert of("shadowed-rule", ask, lifting, SOME.format("allow")) == []
    assert ids(of("shadowed-rule", ask, lifting, SOME.format("allow, lifts: [sure]"))) == [
        ("large", ["some"])
    ]


def test_loops_over_lists_are_compared_by_what_is_in_them() -> None:
    one = "id: one, tools: [pay], when: 'args.tags.exists(t, t == \"a\")', effect: deny, message: No."
    two = 'id: two, tools: [pay], when: \'args.tags.exists(t, t in ["a", "b"])\', effect: deny, message: No.'
    assert ids(of("shadowed-rule", one, two)) == [("one", ["two"])]


def test_a_rule_without_a_condition_covers_those_with_one() -> None:
    closed = "id: closed, tools: [pay], effect: deny, message: No."
    assert ids(of("shadowed-rule", LARGE.format("ask"), closed)) == [("large", ["closed"])]


def test_a_rule_that_nothing_meets_is_told_for_that_alone() -> None:
    never = "id: never, tools: [pay], when: args.amount > 9 && args.amount < 3, effect: deny, message: No."
    assert of("shadowed-rule", never, "id: closed, tools: [pay], effect: deny, message: No.") == []


def test_of_two_equal_rules_the_later_is_named_and_neither_is_shadowed() -> None:
    again = (
        LARGE.format("deny")
        .replace("large", "again")
        .replace("args.amount > 1000", "'!(args.amount < 1001)'")
    )
    assert ids(of("repeated-rule", LARGE.format("deny"), again)) == [("again", ["large"])]
    assert of("shadowed-rule", LARGE.format("deny"), again) == []


@pytest.mark.parametrize(
    ("effect", "change", "to"),
    [
        ("deny", "[pay]", "[pay, refund]"),
        ("deny", "[pay]", "[pay], channels: [internal]"),
        ("deny", "1000", "1001"),
        ("deny", "effect: deny", "effect: ask"),
        ("ask", "effect: ask", "effect: ask, approval: {by: [boss]}"),
        ("deny", "effect: deny", "effect: deny, monitor: true"),
    ],
)
def test_rules_that_differ_are_not_repeated(effect: str, change: str, to: str) -> None:
    first = LARGE.format(effect)
    assert of("repeated-rule", first, first.replace("large", "again").replace(change, to)) == []


def test_equal_asks_that_different_exceptions_are_made_from_are_two() -> None:
    """They were told to be the same, and removing one let calls through that the other exception was not made for."""
    asks = LARGE.format("ask"), LARGE.format("ask").replace("large", "again")
    lifts = "id: some, tools: [pay], when: args.ratio < 2.0, effect: allow, lifts: [{}]"
    assert of("repeated-rule", *asks, lifts.format("again")) == []
    assert ids(of("repeated-rule", *asks, lifts.format("large, again"))) == [("again", ["large"])]


@pytest.mark.parametrize(
    ("allow", "other", "refused"),
    [
        ("allow", "deny", "refuses"),
        ("allow", "respond, response: {}", "answers"),
        ("allow", "ask", "asks about"),
        ("allow, monitor: true", "deny", None),
        ("allow", "deny, monitor: true", None),
        ("ask", "deny", None),
    ],
)
def test_an_allow_of_which_every_call_is_stopped(allow: str, other: str, refused: str | None) -> None:
    diagnostics = of("refused-allow", LARGE.format(allow), SOME.format(other))
    said = (
        [] if refused is None else [f"`large` allows nothing: `some` {refused} every call that it is about"]
    )
    assert [one.message for one in diagnostics] == said


def test_an_allow_is_not_refused_where_a_call_is_left() -> None:
    assert of("refused-allow", SOME.format("allow"), LARGE.format("deny")) == []


def test_an_ask_that_some_allow_lifts_stops_nothing_for_certain() -> None:
    lifting = "id: other, tools: [pay], when: args.ratio < 2.0, effect: allow, lifts: [some]"
    assert of("refused-allow", LARGE.format("allow"), SOME.format("ask"), lifting) == []
    assert of("refused-allow", LARGE.format("allow, lifts: [some]"), SOME.format("ask")) == []


# --- selectors that meet nobody ---


@pytest.mark.parametrize(
    ("selectors", "underline"),
    [
        ("tools: [pay], agents: [porter]", "[porter]"),
        ("tools: [note], agents: [porter], tenants: [bank]", "[bank]"),
        ("tools: [note], channels: [external]", "[external]"),
        ("tools: [note], agents: [porter]", None),
        ("tools: [pay], agents: [porter, clerk]", None),
        ('tools: ["*"], agents: [porter]', None),
        ('tools: [note], agents: ["p*"], tenants: ["a*"]', None),
        ('tools: [pay], agents: [clerk], tenants: ["ba*"]', None),
        ("tools: [note, pay], channels: [external]", None),
        ("tools: [note], channels: [internal]", None),
    ],
)
def test_selectors_that_meet_nobody_together(selectors: str, underline: str | None) -> None:
    entry = f"id: r, {selectors}, when: session.dry_run, effect: deny, message: No."
    assert underlined(of("idle-selector", entry)) == ([] if underline is None else [underline])


# --- conditions that fail ---


@pytest.mark.parametrize(
    ("when", "fails", "shown"),
    [
        ('args.tags[0] == "x"', "args.tags[0]", '"tags":[]'),
        ("int(args.payee) > 3", "int(args.payee)", '"payee":"text"'),
        ("100 / (args.amount - 1) > 3", "100 / (args.amount - 1)", '"amount":1'),
        ('args.kind == "b" && 100 / (args.amount - 7) > 3', "100 / (args.amount - 7)", '"amount":7'),
        ('args.payee.split(":")[1] == "a"', 'args.payee.split(":")[1]', '"payee":"text"'),
        ("args.tags.all(t, int(t) > 3)", "int(t)", '"tags":["text"]'),
        ("has(args.data) && has(args.data.x) && args.data.x > 1", "args.data.x > 1", '"x":"text"'),
        ("timestamp(args.payee) > now", "timestamp(args.payee)", '"payee":"text"'),
    ],
)
def test_a_condition_that_fails_is_shown_with_a_call(when: str, fails: str, shown: str) -> None:
    """H: an error counts against the call, so its author should know which calls have one."""
    (diagnostic,) = of("failing-condition", rule(when))
    assert underlined([diagnostic]) == [fails]
    assert shown in diagnostic.message


@pytest.mark.parametrize(
    "when",
    [
        'size(args.tags) > 0 && args.tags[0] == "x"',
        "100 / args.amount > 3",
        "args.amount > 7 && 100 / (args.amount - 7) > 3",
        "args.amount + 5 > 10",
        'subject.attributes.dept == "x"',
        "args.payee == session.facts.desk",
        "args.amount > session.facts.limit",
        'args.payee.matches("^a")',
    ],
)
def test_a_condition_that_no_call_makes_fail(when: str) -> None:
    """What a host leaves out is not told: it is no call's doing."""
    assert of("failing-condition", rule(when)) == []


def test_an_allow_that_fails_grants_nothing_and_is_not_told() -> None:
    assert of("failing-condition", rule('args.tags[0] == "x"', effect="allow")) == []


def test_an_unless_is_asked_only_where_when_holds() -> None:
    entry = "id: r, tools: [pay], when: size(args.tags) {} 0, unless: 'args.tags[0] == \"x\"', effect: deny, message: No."
    assert of("failing-condition", entry.format(">")) == []
    assert underlined(of("failing-condition", entry.format("=="))) == ["args.tags[0]"]


def test_what_is_forced_is_no_choice_of_the_call() -> None:
    text = rules(rule("int(args.payee) > 3"))
    assert len(in_text("failing-condition", text)) == 1
    forced = "arguments: [{id: f, tools: [pay], set: {payee: '\"7\"'}}]\n"
    assert in_text("failing-condition", text + forced) == []


def test_arguments_are_found_by_their_role_as_well() -> None:
    text = rules(rule('roles.recipient[0] == "x"'))
    marked = text.replace("tags: {type: array,", "tags: {type: array, x-role: recipient,")
    (diagnostic,) = in_text("failing-condition", marked)
    assert '"tags":[]' in diagnostic.message


def test_a_condition_of_very_many_arguments_is_tried_with_some_of_them() -> None:
    names = [f"a{number}" for number in range(40)]
    tool = {
        "name": "wide",
        "risk": "LOW",
        "permissions": [],
        "parameters": {
            "type": "object",
            "required": names,
            "properties": {name: {"type": "string"} for name in names},
        },
    }
    when = " || ".join(f"int(args.{name}) > 3" for name in names)
    text = f"{BARE}tools: [{json.dumps(tool)}]\nrules: [{{id: r, tools: [wide], when: '{when}', effect: deny}}]\n"
    assert underlined(in_text("failing-condition", text)) == ["int(args.a0)"]


def test_what_a_limit_counts_by_is_tried() -> None:
    limit = "limits: [{{id: l, tools: [pay], per: {{cel: '{}'}}, rate: 5/h}}]\n"
    assert underlined(in_text("failing-condition", HEAD + limit.format("args.tags[0]"))) == ["args.tags[0]"]
    assert in_text("failing-condition", HEAD + limit.format("args.payee")) == []


# --- numbers ---


@pytest.mark.parametrize(
    ("when", "help_"),
    [
        ("args.amount / 100 > 10", "write `args.amount > 1000`"),
        ("args.amount / 100 <= 10", "write `args.amount <= 1000`"),
        ("10 < args.amount / 100", "write `args.amount > 1000`"),
        ("args.amount / 100 > 10.5", "write `args.amount > 1050`"),
        ("args.amount / 3 >= 0.1", "multiply the other side instead"),
        ("args.ratio * 3.0 == 0.3", "compare with `<` and `>`, or use `decimal()`"),
        ("args.amount / 100 >= 10", None),
        ("args.amount / 100 < 10", None),
        ("args.amount / 100 == 10", None),
        ("args.ratio / 2.0 > 1.5", None),
        ("args.ratio == 0.5", None),
        ("args.amount % 100 > 10", None),
        ("args.amount - 100 > 10", None),
    ],
)
def test_arithmetic_that_is_not_exact(when: str, help_: str | None) -> None:
    assert [one.help for one in of("inexact-number", rule(when))] == ([] if help_ is None else [help_])


# --- allows ---

ASK = 'id: sure, tools: [note], when: args.text == "x", effect: ask, message: Sure?'


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('tools: ["*"], when: session.dry_run, effect: allow, lifts: [sure]',
         "`r` also takes back the confirmation of `pay`, `refund`: it lifts nothing there"),
        ("tools: [pay], when: '\"boss\" in subject.roles', effect: allow",
         "`r` takes back the confirmation of `pay` whatever the arguments are"),
        ("tools: [note], when: session.dry_run, effect: allow, lifts: [sure]", None),
        ('tools: ["*"], when: session.dry_run, effect: allow, lifts: [sure], until: 2026-12-31', None),
        ('tools: ["*"], when: session.dry_run, effect: allow, lifts: [sure], monitor: true', None),
        ("tools: [pay], when: args.amount < 5, effect: allow", None),
        ("tools: [note], when: '\"boss\" in subject.roles', effect: allow", None),
    ],
)  # fmt: skip
def test_an_allow_that_is_broader_than_it_seems(entry: str, message: str | None) -> None:
    ask = "id: sure, tools: [note], when: 'args.text == \"x\"', effect: ask, message: Sure?"
    assert [one.message for one in of("broad-allow", ask, f"id: r, {entry}")] == (
        [] if message is None else [message]
    )


# --- limits ---


@pytest.mark.parametrize(
    ("limits", "underline"),
    [
        ("{id: a, tools: [pay], per: subject, rate: 1000000/h}", ["1000000/h"]),
        ("{id: a, tools: [pay], per: tenant, rate: 100000/h}", []),
        ("{id: a, tools: [pay], per: subject, rate: 20/h}", []),
        ("{id: a, tools: [pay], per: call, rate: 20/h}", ["call"]),
        ("{id: a, tools: [pay], repeats: 500}", ["500"]),
        ("{id: a, tools: [pay], repeats: 5}", []),
        ("{id: a, tools: [pay], per: subject, rate: 20/h}, {id: b, tools: [pay], per: subject, rate: 30/h}", ["30/h"]),
        ("{id: a, tools: [pay], per: subject, rate: 20/d}, {id: b, tools: [pay], per: subject, rate: 20/h}", ["20/h"]),
        ("{id: a, tools: [pay], per: subject, rate: 20/h}, {id: b, tools: [pay], per: subject, rate: 100/d}", []),
        ("{id: a, tools: [pay], per: subject, rate: 20/h}, {id: b, tools: [pay], per: tenant, rate: 30/h}", []),
        ('{id: a, tools: [pay], per: subject, rate: 20/h}, {id: b, tools: ["*"], per: subject, rate: 30/h}', []),
        ('{id: a, tools: [pay], per: subject, rate: 20/h, channels: [internal]}, {id: b, tools: [pay], per: subject, rate: 30/h}', []),
        ('{id: a, tools: [pay], per: subject, rate: 20/h, when: args.amount > 5}, {id: b, tools: [pay], per: subject, rate: 30/h}', []),
        ('{id: a, tools: [pay], per: subject, rate: 20/h, monitor: true}, {id: b, tools: [pay], per: subject, rate: 30/h}', []),
        ("{id: a, tools: [pay], per: subject, rate: 20/h}, {id: b, tools: [pay], per: subject, rate: 20/h}", ["20/h"]),
    ],
)  # fmt: skip
def test_a_limit_that_is_never_reached(limits: str, underline: list[str]) -> None:
    assert underlined(in_text("lax-limit", f"{HEAD}limits: [{limits}]\n")) == underline


SENDS = "{{name: send, risk: {}, permissions: [], parameters: {{type: object, properties: {{to: {{type: string, x-role: {}}}}}}}}}"
BARE = 'version: 1\nsettings: {confirm_from: HIGH}\nagents: [{name: clerk, tools: ["*"], tenants: [acme]}]\n'
GRANT = "rules: [{id: g, tools: [send], when: session.dry_run, effect: allow}]\n"
CAP = "limits: [{{id: l, tools: [send], per: subject, rate: 5/h{}}}]\n"


@pytest.mark.parametrize(
    ("risk", "role", "more", "spoken"),
    [
        ("LOW", "recipient", "", True),
        ("LOW", "money", "", True),
        ("HIGH", "recipient", GRANT, True),
        ("LOW", "recipient", CAP.format(", monitor: true"), True),
        ("LOW", "recipient", "limits: [{id: l, tools: [send], repeats: 3}]\n", True),
        ("HIGH", "recipient", "", False),
        ("LOW", "query", "", False),
        ("READ_ONLY", "recipient", "", False),
        ("LOW", "recipient", CAP.format(""), False),
    ],
)
def test_what_sends_unconfirmed_has_a_limit(risk: str, role: str, more: str, spoken: bool) -> None:
    text = f"{BARE}tools: [{SENDS.format(risk, role)}]\n{more}"
    assert underlined(in_text("unlimited-tool", text)) == (["send"] if spoken else [])


def test_some_checks_say_that_they_only_guess() -> None:
    assert {confidence_of(module) for module in (unlimited_tool, unowned_rule)} == {Confidence.POSSIBLE}


# --- time, owners, words ---


@pytest.mark.parametrize(
    ("entry", "endless", "distant"),
    [
        ("effect: deny, message: No., monitor: true", ["monitor"], []),
        ("effect: deny, message: No., monitor: true, until: 2026-12-31", [], []),
        ("effect: deny, message: No., monitor: true, until: 2028-12-31", [], ["2028-12-31"]),
        ("effect: allow, monitor: true", [], []),
        ("effect: allow, until: 2028-12-31", [], []),
        ("effect: allow, until: 2030-12-31", [], ["2030-12-31"]),
        ("effect: deny, message: No.", [], []),
    ],
)
def test_trials_and_exceptions_end_while_somebody_remembers(
    entry: str, endless: list[str], distant: list[str]
) -> None:
    text = rules(f"id: r, tools: [pay], when: args.amount > 5, {entry}")
    assert underlined(in_text("endless-trial", text)) == endless
    assert underlined(in_text("distant-end", text, datetime(2026, 6, 1, tzinfo=UTC))) == distant


def test_the_trial_of_a_whole_policy_ends_as_well() -> None:
    text = HEAD.replace("packs: []", "packs: []\n  monitor_until: 2030-01-31")
    assert underlined(in_text("distant-end", text)) == ["2030-01-31"]
    assert in_text("distant-end", text, datetime(2029, 6, 1, tzinfo=UTC)) == []


OWNED = "id: r{}, tools: [pay], when: args.amount > {}, effect: allow{}"


@pytest.mark.parametrize(
    ("owned", "others", "spoken"), [(3, 1, 1), (6, 2, 2), (2, 1, 0), (0, 3, 0), (5, 2, 0), (4, 0, 0)]
)
def test_a_rule_without_an_owner_is_odd_where_most_have_one(owned: int, others: int, spoken: int) -> None:
    every = [OWNED.format(n, n, ", owner: ann" if n < owned else "") for n in range(owned + others)]
    assert len(of("unowned-rule", *every)) == spoken


@pytest.mark.parametrize(
    ("message", "told", "what"),
    [
        ("Ask at wiki.corp first.", "wiki.corp", "an internal host"),
        ("See http://10.2.3.4/x.", "10.2.3.4", "an internal host"),
        ("Run it on localhost.", "localhost", "an internal host"),
        ("Ask ann@acme.com.", "ann@acme.com", "a person's address"),
        ("You need pay:order:create for this.", "pay:order:create", "a permission"),
        ("See no-large-payments.", "no-large-payments", "the id of a rule"),
        ("Keep args.amount small.", "args.amount", "a piece of a condition"),
        ("Not if a && b.", "&&", "a piece of a condition"),
        ("Payments above 1000 need a second person.", None, ""),
        ("Use search_docs, or acme.com, or version 1.2.3.4.", None, ""),
        ("This is read-only; see the tool note.", None, ""),
        ("Write `pay` with a payee, such as NL01.", None, ""),
        ("The local copy is kept; corp rules apply.", None, ""),
    ],
)
def test_a_message_tells_only_what_helps(message: str, told: str | None, what: str) -> None:
    entries = (
        rule("args.amount > 5").replace("message: No.", f"message: {json.dumps(message)}"),
        LARGE.format("deny").replace("large", "no-large-payments"),
    )
    diagnostics = of("telling-message", *entries)
    assert underlined(diagnostics) == ([] if told is None else [told])
    assert told is None or diagnostics[0].message == f"the message tells the model {what}, `{told}`"


# --- servers ---


@pytest.mark.parametrize(
    ("tools", "more", "spoken"),
    [
        ('["*", "!delete_*"]', "", True),
        ('["*"]', "rules: [{id: d, tools: [files/purge], effect: deny, message: No.}]\n", True),
        ('["*"]', 'rules: [{id: d, tools: ["files/delete_*"], effect: deny, message: No.}]\n', True),
        ('["*"]', "", False),
        ('["read_*", "!read_all"]', "", False),
        ('["*", "!delete_*"]', 'rules: [{id: d, tools: ["files/*"], when: session.dry_run, effect: ask, message: Sure?}]\n', False),
        ('["*", "!delete_*"]', 'rules: [{id: d, tools: ["*"], when: session.dry_run, effect: deny, message: No.}]\n', False),
        ('["*"]', "rules: [{id: d, tools: [other/purge], effect: deny, message: No.}]\n", False),
    ],
)  # fmt: skip
def test_a_server_is_not_open_but_for_a_list(tools: str, more: str, spoken: bool) -> None:
    servers = f"servers: [{{name: files, tools: {tools}}}, {{name: other, tools: [get]}}]\n"
    assert underlined(in_text("deny-list", f"{HEAD}{servers}{more}")) == (['"*"'] if spoken else [])


def test_a_policy_in_which_all_is_well_says_nothing_of_all_this() -> None:
    """The checks of this file at once, over rules that only look alike."""
    text = rules(
        LARGE.format("deny"),
        "id: staff, tools: [pay], when: args.payee in lists.staff && args.amount < 50, effect: allow, until: 2026-12-31",
        "id: kind, tools: [pay], when: 'args.kind == \"a\" && args.ratio > 2.0', effect: ask, message: Sure?",
        "id: outside, tools: [refund], channels: [external], when: args.amount > 5, effect: deny, message: From inside only.",
    )
    mine = {code for code in (one.code for one in found(load_text(text))) if code in _CHECKS}
    assert mine == set()


_CHECKS = frozenset(map(check_id, (redundant_term, unlimited_tool, unowned_rule))) | {
    "impossible-condition", "certain-condition", "shadowed-rule", "repeated-rule", "refused-allow", "idle-selector",
    "failing-condition", "inexact-number", "broad-allow", "lax-limit", "deny-list", "telling-message", "endless-trial",
    "distant-end",
}  # fmt: skip
