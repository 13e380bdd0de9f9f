"""What a tool's schema lets conditions know: what is refused, in which words, and what is left alone."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.cel import Environment, check, parse, plan
from gateway.cel.conform import converter
from gateway.compile.environment import call_environment, listing_environment
from gateway.compile.inspected import INSPECTED
from gateway.compile.schemas import arguments_type, role_fields
from gateway.decision import Code
from gateway.diagnostic import Excerpt
from gateway.load import load_text
from gateway.schema import argument_type, role_paths
from tests.engine.build import decide

BASE = listing_environment(load_text("version: 1\nlists: {kinds: [a, zz], others: [q]}\n"))


def of(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(required), "properties": properties}


FILE = of("kind", "path", kind={"const": "file"}, path={"type": "string"})
PAGE = of("kind", "depth", kind={"const": "page"}, depth={"type": "integer"})
NAMED = {"$ref": "#/$defs/person"}
SCHEMA = {
    **of(
        *(
            "kind",
            "amount",
            "rate",
            "tags",
            "note",
            "at",
            "mixed",
            "price",
            "pair",
            "target",
            "counts",
            "flag",
        ),
        *("some", "person", "either", "scores", "narrow", "not_null", "yes", "code", "anything"),
        kind={"enum": ["a", "b"]},
        amount={"type": "integer", "minimum": 1, "maximum": 1000},
        rate={"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        tags={"type": "array", "items": {"enum": ["urgent", "low"]}, "minItems": 1, "maxItems": 3},
        note={"type": ["string", "null"], "maxLength": 5},
        at={"type": "string", "format": "date-time"},
        mixed={"type": ["string", "integer"]},
        price={"type": ["number", "null"]},
        pair={"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False},
        target={"oneOf": [FILE, PAGE]},
        counts={"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}},
        flag={"type": "boolean"},
        some={"enum": [1, 2.5, True, None]},
        person=NAMED,
        either={
            "anyOf": [{"type": "string", "maxLength": 2}, {"type": "array", "items": {"type": "string"}}]
        },
        scores={"type": "array", "items": {"type": "integer", "maximum": 10}},
        narrow={"allOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]},
        not_null={"type": ["string", "null"], "not": {"type": "null"}},
        yes={"const": True},
        code={"type": "string", "minLength": 3, "maxLength": 5},
        anything={},
        opt={"type": "string"},
        preset={"type": "integer", "default": 5},
        rows={"type": "array", "items": of("n", n={"type": "string"}, m={"type": "string"})},
        to={"type": "array", "items": {"enum": ["ann", "bob"]}, "x-role": "recipient"},
        nested={
            **of(who={"type": "string", "x-role": "recipient"}),
            "additionalProperties": {"type": "number"},
        },
        matched={"type": "object", "patternProperties": {"^n_": {"type": "integer"}}},
    ),
    "$defs": {"person": of("name", name={"type": "string"}, age={"type": "integer"})},
}
ENVIRONMENT = call_environment(
    BASE,
    arguments_type(argument_type(SCHEMA)),
    role_fields(argument_type(SCHEMA), role_paths(SCHEMA)),
    {"code": INSPECTED["shell"]},
)


def wrong(text: str, environment: Environment = ENVIRONMENT) -> list[tuple[str, str, str]]:
    """The underlined characters, message and help of all that is wrong."""
    parsed = parse(Excerpt.whole(text))
    return [
        (one.span.text, one.message, one.help)
        for one in check(parsed, environment).diagnostics
        if one.span is not None
    ]


@pytest.mark.parametrize(
    "text",
    [
        "args.kind == 'a' || args.kind in ['a', 'b'] || args.kind in lists.kinds",
        "args.amount >= 1000 || args.amount <= 1 || args.amount > 999.5 || args.amount == 1.0",
        "args.amount <= 1000",  # always true, and no mistake: the schema may change
        "args.rate > 0.99 && args.rate < 1",
        "args.tags.exists(t, t == 'urgent') && 'low' in args.tags && args.tags.size() == 3",
        "args.note == null || args.note == 'abcde'",
        "args.note != null && args.note.size() > 4",
        "args.note == null || args.note.startsWith('a')",
        "args.note == null ? true : args.note.contains('x')",
        "null != args.note && args.note.contains('x')",
        "timestamp(args.at) > now && args.at == '2026-01-01'",
        "type(args.mixed) == int && args.mixed > 5",
        "type(args.mixed) == string ? args.mixed == 'a' : args.mixed > 5",
        "args.mixed in ['a', 5]",
        "args.price != null && args.price * 1.5 > 3.0",
        "args.pair[0].startsWith('a') && args.pair[1] > 5 && args.pair[0] != 'q'",
        "args.target.kind == 'file' && has(args.target.path) && args.target.path.startsWith('/')",
        "has(args.counts.x) && args.counts.x > 1",
        "args.counts.all(k, args.counts[k] > 1) && args.counts.all(k, v, v > 1)",
        "'a-b' in args.counts && args.counts['a-b'] > 1",
        "args.counts.?x.orValue(0) > 1 && args.counts[?'a-b'].hasValue()",
        "args.some == null || args.some == 1 || args.some == true",
        "args.person.name == 'x' && has(args.person.age) && args.person.age > 3",
        "type(args.either) == list && args.either.exists(e, e == 'abc')",
        "args.scores[7] == 10 && args.scores.exists(s, s >= 10)",
        "args.narrow == 'b'",
        "args.not_null.size() > 1",
        "args.yes",
        "args.code == 'abc' && args.code.size() == 5",
        "args.anything == 5 || args.anything.x == 'y' || args.anything > 'a'",
        "has(args.opt) && args.opt == '' || args.?opt.orValue('') == ''",
        "args.preset == 5 && has(args.kind)",
        "has(args.rows) && args.rows.exists(r, r.n == '' && has(r.m) && r.m == '')",
        "roles.recipient.exists(r, r.endsWith('x')) && roles.money.exists(m, m > 5)",
        "has(args.nested) && has(args.nested.k) && args.nested.k > 1.5",
        "has(args.matched) && has(args.matched.n_a) && args.matched.n_a % 2 == 0",
        "args.scores.filter(s, s > 5).exists(s, s == 10)",
        "!inspect.code.writes",
    ],
)
def test_nothing_is_wrong(text: str) -> None:
    assert wrong(text) == []


NEVER_LIST = "it is one of `urgent`, `low`"


@pytest.mark.parametrize(
    ("text", "place", "message", "help_"),
    [
        # listed values
        ("args.kind == 'A'", "'A'", "`args.kind` is never `A`", "did you mean `a`?"),
        ("args.kind != 'c'", "'c'", "`args.kind` is never `c`", "it is one of `a`, `b`"),
        ("!(args.kind == 'c')", "'c'", "`args.kind` is never `c`", "it is one of `a`, `b`"),
        ("args.kind in ['a', 'c']", "'c'", "`args.kind` is never `c`", "it is one of `a`, `b`"),
        ("args.kind in []", "args.kind in []", "`args.kind in []` is never true: the list is empty", ""),
        ("args.kind in lists.others", "args.kind in lists.others", "`args.kind in lists.others` is never true", "of `args.kind`: it is one of `a`, `b`"),
        ("args.kind == args.narrow && args.narrow == 'a'", "'a'", "`args.narrow` is never `a`", "it is `b`"),
        ("args.tags.exists(t, t == 'urgnt')", "'urgnt'", "`t` is never `urgnt`", "did you mean `urgent`?"),
        ("'urgnt' in args.tags", "'urgnt'", "`args.tags` never holds `urgnt`", "did you mean `urgent`?"),
        ("args.tags[0] == 'x'", "'x'", "`args.tags[0]` is never `x`", NEVER_LIST),
        ("args.some == 3", "3", "`args.some` is never `3`", "it is one of `1`, `2.5`, `true`, `null`"),
        ("args.some == false", "false", "`args.some` is never `false`", "it is one of `1`, `2.5`, `true`, `null`"),
        ("args.yes == false", "false", "`args.yes` is never `false`", "it is `true`"),
        ("args.target.kind == 'ftp'", "'ftp'", "`args.target.kind` is never `ftp`", "it is one of `file`, `page`"),
        ("args.kind == (args.flag ? 'd' : 'c')", "args.kind == (args.flag ? 'd' : 'c')", "`args.kind` and `args.flag ? 'd' : 'c'` are never equal", "it is one of `a`, `b`"),
        ("roles.recipient.exists(r, r == 5)", "r == 5", "string and int are never equal", 'write `"5"`'),
        # bounds and sizes
        ("args.amount > 1000", "args.amount > 1000", "`args.amount > 1000` is never true: `args.amount` is at most 1000", ""),
        ("0 >= args.amount", "0 >= args.amount", "`0 >= args.amount` is never true: `args.amount` is at least 1", ""),
        ("args.amount == 5000", "5000", "`args.amount` is never `5000`", "it is at least 1 and at most 1000"),
        ("args.amount in [1, 5000]", "5000", "`args.amount` is never `5000`", "it is at least 1 and at most 1000"),
        ("args.rate >= 1", "args.rate >= 1", "`args.rate >= 1` is never true: `args.rate` is less than 1", ""),
        ("args.rate <= 0.0", "args.rate <= 0.0", "`args.rate <= 0.0` is never true: `args.rate` is more than 0", ""),
        ("args.tags.size() > 3", "args.tags.size() > 3", "`args.tags.size() > 3` is never true: `args.tags.size()` is at most 3", ""),
        ("size(args.tags) == 0", "0", "`size(args.tags)` is never `0`", "it is at least 1 and at most 3"),
        ("args.tags == []", "args.tags == []", "`args.tags` and `[]` are never equal", "it has at least 1 element and at most 3 elements"),
        ("args.code == 'ab'", "'ab'", "`args.code` is never `ab`", "it has at least 3 characters and at most 5 characters"),
        ("args.note == 'abcdef'", "'abcdef'", "`args.note` is never `abcdef`", "it has at most 5 characters"),
        ("args.scores.exists(s, s > 10)", "s > 10", "`s > 10` is never true: `s` is at most 10", ""),
        ("args.scores.size() < 0", "args.scores.size() < 0", "`args.scores.size() < 0` is never true: `args.scores.size()` is at least 0", ""),
        # kinds
        ("args.amount == '5'", "args.amount == '5'", "int and string are never equal", "write `5`"),
        ("args.flag == 'true'", "args.flag == 'true'", "bool and string are never equal", "write `true`"),
        ("args.tags == 'urgent'", "args.tags == 'urgent'", "list(string) and string are never equal", "write `'urgent' in args.tags`"),
        ("args.note == 5", "args.note == 5", "string or null and int are never equal", ""),
        ("args.kind == args.some", "args.kind == args.some", "string and double or bool or null are never equal", ""),
        ("args.mixed in ['a', true]", "true", "`args.mixed` is never `true`", "it is string or int"),
        ("type(args.mixed) == double", "double", "`args.mixed` is string or int, never double", ""),
        ("args.pair[0] > 5", "args.pair[0] > 5", "`>` can't take string and int", 'write `"5"`'),
        ("args.at > now", "args.at > now", "`>` can't take string and timestamp", "write `timestamp(args.at)`"),
        ("args.at == now", "args.at == now", "string and timestamp are never equal", "write `timestamp(args.at)`"),
        ("args.amount * 1.5 > 2.0", "args.amount * 1.5", "`*` can't take int and double", "write `double(args.amount)`"),
        # sometimes of the wrong kind
        ("args.note.size() > 2", "args.note", "`args.note` may be null, but `size` can't take null", "write `args.note != null && …`"),
        ("args.note + 'x' == 'y'", "args.note", "`args.note` may be null, but `+` can't take null and string", "write `args.note != null && …`"),
        ("args.mixed > 5", "args.mixed", "`args.mixed` may be string, but `>` can't take string and int", "write `type(args.mixed) == int && …`"),
        ("args.price > 5.0", "args.price", "`args.price` may be null, but `>` can't take null and double", "write `args.price != null && …`"),
        ("args.either.exists(e, e == 'a')", "args.either", "`args.either` may be string, but a macro goes through a list or a map", "write `type(args.either) == list && …`"),
        ("'a' in args.either", "args.either", "`args.either` may be string, but `in` takes a list or a map on its right", "write `type(args.either) == list && …`"),
        ("args.some && args.flag", "args.some", "`args.some` may be double, but `&&` takes bool", "write `type(args.some) == bool && …`"),
        ("-args.price > 1.0", "args.price", "`args.price` may be null, but `-` takes a number", "write `args.price != null && …`"),
        ("args.pair.exists(p, p > 5)", "p", "`p` may be string, but `>` can't take string and int", "write `type(p) == int && …`"),
        # absent, misspelt, elsewhere
        ("args.opt == ''", "args.opt", "`args.opt` may be absent", "write `has(args.opt) && …`"),
        ("args.target.path == ''", "args.target.path", "`args.target.path` may be absent", "write `has(args.target.path) && …`"),
        ("args.counts.x > 1", "args.counts.x", "`args.counts.x` may be absent", "write `has(args.counts.x) && …`"),
        ("args.counts[args.kind] > 1", "args.counts[args.kind]", "`args.counts[args.kind]` may be absent", "write `[?…]`, or go through the keys with a macro"),
        ("has(args.nested) && args.nested.woh == 1", "args.nested.woh", "`args.nested.woh` may be absent", "write `has(args.nested.woh) && …`, or did you mean `who`?"),
        ("has(args.rows) && args.rows.exists(r, r.nn == '')", "nn", "`args.rows` has no field `nn`", "did you mean `n`?"),
        ("args.person.nme == ''", "nme", "`args.person` has no field `nme`", "did you mean `name`?"),
        ("args.?opt.orValue(5) == 5", "orValue(5)", "`orValue` can't take (optional(string), int)", "it is `optional(A).orValue(A)`"),
        ("roles.recipint.size() > 0", "recipint", "`roles` has no field `recipint`", "did you mean `recipient`?"),
        ("inspect.cod.writes", "cod", "`inspect` has no field `cod`", "did you mean `code`?; what is inspected is declared in the `inspect` of the tool"),
        ("result.x == 1", "result", "`result` is not known here", "it is there after the call: only conditions under `results` can read it"),
        ("amount > 5", "amount", "nothing is named `amount`", "did you mean `args.amount`?"),
    ],
)  # fmt: skip
def test_what_is_wrong(text: str, place: str, message: str, help_: str) -> None:
    assert wrong(text) == [(place, message, help_)]


@pytest.mark.parametrize(
    "text",
    [
        "args.note != null || args.note.size() > 2",
        "args.note == null && args.note.size() > 2",
        "!(args.note != null) && args.note.size() > 2",
        "args.note == null ? args.note.size() > 2 : true",
        "args.person.name != null && args.note.size() > 2",
    ],
)
def test_a_guard_of_the_wrong_kind_guards_nothing(text: str) -> None:
    assert wrong(text) != []


def test_forced_arguments_know_no_call() -> None:
    for name in ("args", "roles", "call", "inspect"):
        ((place, message, help_),) = wrong(f"{name}.x == 1", BASE)
        assert (place, message) == (name, f"`{name}` is not known here")
        assert help_.startswith("forced arguments are set before it")


def test_large_numbers_prove_nothing_once_they_are_doubles() -> None:
    schema = of(
        "n", "w", n={"type": "number", "maximum": 2**53 + 1}, w={"type": "integer", "maximum": 2**53 + 1}
    )
    environment = Environment({"args": arguments_type(argument_type(schema))})
    assert wrong(f"args.n >= {2**53 + 2}", environment) == []
    assert wrong(f"args.n == {2**53}.0", environment) == []
    assert wrong(f"args.w > {float(2**53)}", environment) == []
    assert [place for place, _, _ in wrong(f"args.w > {2**53 + 1}", environment)] == [f"args.w > {2**53 + 1}"]


def test_whole_numbers_become_doubles_wherever_the_schema_says_number() -> None:
    schema = of(
        price={"type": ["number", "null"]},
        list={"anyOf": [{"type": "array", "items": {"type": "number"}}, {"type": "integer"}]},
        open={**of(n={"type": "integer"}), "additionalProperties": {"type": "number"}},
    )
    convert = converter(arguments_type(argument_type(schema)))
    assert convert is not None
    made = convert({"price": 2, "list": [1], "open": {"n": 1, "k": 2}})
    assert repr(made) == "{'price': 2.0, 'list': [1.0], 'open': {'n': 1, 'k': 2.0}}"
    assert repr(convert({"price": None, "list": 3})) == "{'price': None, 'list': 3}"


TWO = """
version: 1
settings: {confirm_from: HIGH}
agents: [{name: clerk, tools: ["*"], tenants: [acme]}]
tools:
  - {name: a_fraction, risk: LOW, permissions: [], parameters: {type: object, required: [sum], properties: {sum: {type: number, x-role: money}}}}
  - {name: b_whole, risk: LOW, permissions: [], parameters: {type: object, required: [sum], properties: {sum: {type: integer, x-role: money}}}}
rules:
  - {id: r, tools: ["*"], when: "roles.money.exists(m, type(dyn(m)) == int)", effect: deny}
"""


@pytest.mark.parametrize(("tool", "code"), [("a_fraction", Code.ALLOWED), ("b_whole", Code.RULE)])
def test_roles_hold_the_numbers_of_their_own_tool(tool: str, code: Code) -> None:
    assert decide(tool, {"sum": 2}, text=TWO).code is code


@pytest.mark.parametrize(
    ("items", "text", "accepted"),
    [
        # An item that is a number makes all of them doubles.
        ({"prefixItems": [{"type": "number"}, {"type": "integer"}], "items": False}, "args.x[1] + 1 > 2", False),
        ({"prefixItems": [{"type": "number"}, {"type": "integer"}], "items": False}, "args.x[1] + 1.0 > 2.0", True),
        # Where further items can be anything, none is made a double, so an item may be either.
        ({"prefixItems": [{"type": "number"}]}, "args.x[0] + 1.0 > 2.0", False),
        ({"prefixItems": [{"type": "number"}]}, "double(args.x[0]) + 1.0 > 2.0 && args.x[0] > 1", True),
        ({"prefixItems": [{"type": "integer"}]}, "args.x[0] + 1 > 2", True),
        ({"prefixItems": [{"type": "integer"}]}, "args.x[0] == 'a'", False),
        ({"prefixItems": [of("n", n={"type": "number"}), of("n", n={"type": "integer"})]}, "args.x[1].n + 1 > 2", True),
    ],
)  # fmt: skip
def test_first_items_become_doubles_as_all_others_do(items: Any, text: str, accepted: bool) -> None:
    environment = Environment({"args": arguments_type(argument_type(of("x", x={"type": "array", **items})))})
    parsed = parse(Excerpt.whole(text))
    assert (check(parsed, environment).diagnostics == ()) is accepted
    values = [{"n": 0}, {"n": 1}] if ".n" in text else [0, 1]
    if accepted:
        assert plan(parsed, environment).evaluate({"args": {"x": values}}) in (True, False)


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("[1, 2, 3].exists(e, e > 3)", True),
        ("[1, 'a'].exists(e, e == 5)", True),
        ("(args.flag ? 1 : 2) == 3", True),
        ("size('abc') > 5", True),
        ("['a', 'x'].exists(e, e == args.kind)", True),
        ("['x', 'y'].exists(e, e == args.kind)", False),
    ],
)
def test_only_what_a_schema_says_makes_a_comparison_a_mistake(text: str, accepted: bool) -> None:
    environment = Environment({"args": arguments_type(argument_type(SCHEMA))})
    assert (check(parse(Excerpt.whole(text)), environment).diagnostics == ()) is accepted
