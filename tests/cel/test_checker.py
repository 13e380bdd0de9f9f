"""What the checker refuses, in which words, and exactly where."""

from __future__ import annotations

import pytest

from gateway.cel import (
    BOOL,
    DOUBLE,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    Checked,
    Environment,
    Field,
    ListType,
    MapType,
    ObjectType,
    bind,
    check,
    parse,
)
from gateway.cel.domain import texts
from gateway.diagnostic import Excerpt

BOX = ObjectType("args.box", {"deep": Field(INT, optional=True), "label": Field(STRING)})
ITEM = ObjectType("args.items[]", {"n": Field(INT), "t": Field(STRING, optional=True)})
ARGS = ObjectType(
    "args",
    {
        "amount": Field(INT),
        "price": Field(DOUBLE),
        "name": Field(STRING),
        "note": Field(STRING, optional=True),
        "mark": Field(STRING, optional=True),
        "more": Field(ListType(STRING), optional=True),
        "box": Field(BOX, optional=True),
        "tags": Field(ListType(STRING)),
        "items": Field(ListType(ITEM)),
        "meta": Field(MapType(STRING, INT)),
    },
)
ENVIRONMENT = Environment(
    {
        "args": ARGS,
        "subject": ObjectType("subject", {"roles": Field(ListType(STRING))}),
        "facts": ObjectType("facts", {"id": Field(STRING)}, open=True),
        "tool": ObjectType("tool", {"risk": Field(STRING, domain=texts(("LOW", "HIGH")))}),
        "session": ObjectType("session", {"channel": Field(STRING, domain=texts(("internal", "external")))}),
        "now": TIMESTAMP,
        "free": DYN,
    }
)


def checked(text: str, **lets: str) -> Checked:
    parsed = parse(Excerpt.whole(text))
    assert parsed.ast is not None, parsed.diagnostics
    return check(bind(parsed, {name: parse(Excerpt.whole(let)) for name, let in lets.items()}), ENVIRONMENT)


def wrong(text: str, **lets: str) -> list[tuple[str, str, str, str]]:
    """Code, underlined characters, message and help of all that is wrong."""
    found = []
    for diagnostic in checked(text, **lets).diagnostics:
        assert diagnostic.span is not None
        found.append((diagnostic.code, diagnostic.span.text, diagnostic.message, diagnostic.help))
    return found


@pytest.mark.parametrize(
    "text",
    [
        'args.amount > 1000 && !("finance" in subject.roles)',
        "args.price > 1 && args.amount == 1.0 && args.amount < 2.5",
        "args.meta.anything == 1 && args.meta['x'] > 0",
        "has(facts.anything) && facts.anything == 1 && facts.id == 'a'",
        "free.any.thing[0] == 'x' || free > 1 || free",
        "args.items.all(i, i.n > 0 && (!has(i.t) || i.t == 'x'))",
        "args.tags.map(t, t.size()).exists(n, n > 1)",
        "now - timestamp('2026-01-01T00:00:00Z') > duration('24h')",
        "args.?note.orValue('') == '' && args.?box.label.hasValue()",
        "type(args.amount) == int && [] == [1] && [1, 'a'].size() == 2",
        "cel.bind(n, args.amount * 2, n > 1)",
        "'amount' in args && 'anything' in facts && 'anything' in args.meta",
        "args.exists(k, k == 'amount' || k == args.name) && facts.exists(k, k == 'anything')",
        "session.channel == 'internal' || session.channel in ['external'] || session.channel == args.name",
    ],
)
def test_nothing_is_wrong(text: str) -> None:
    assert wrong(text) == []


@pytest.mark.parametrize(
    ("text", "code", "place", "message", "help_"),
    [
        ("arg.amount > 1", "cel-name", "arg", "nothing is named `arg`", "did you mean `args`?"),
        ("True", "cel-name", "True", "nothing is named `True`", "did you mean `true`?"),
        ("args.amout > 1", "cel-name", "amout", "`args` has no field `amout`", "did you mean `amount`?"),
        ("args['amout'] > 1", "cel-name", "'amout'", "`args` has no field `amout`", "did you mean `amount`?"),
        ("has(args.nte)", "cel-name", "nte", "`args` has no field `nte`", "did you mean `note`?"),
        ("subject.x == 1", "cel-name", "x", "`subject` has no field `x`", "known: `roles`"),
        ("args.name.first == ''", "cel-type", "first", "string has no fields, so no `first`", ""),
        ("args.name == 1", "cel-type", "args.name == 1", "string and int are never equal", 'write `"1"`'),
        (
            "args.tags == [1]",
            "cel-type",
            "args.tags == [1]",
            "list(string) and list(int) are never equal",
            "",
        ),
        ("args.name > 1", "cel-type", "args.name > 1", "`>` can't take string and int", 'write `"1"`'),
        ("args.amount + 'a' == ''", "cel-type", "args.amount + 'a'", "`+` can't take int and string", ""),
        (
            "args.amount * 1.5 > 1.0",
            "cel-type",
            "args.amount * 1.5",
            "`*` can't take int and double",
            "write `double(args.amount)`",
        ),
        (
            "args.amount",
            "cel-type",
            "args.amount",
            "this gives int, but bool is needed",
            "compare it: `args.amount == …`",
        ),
        ("args.name && true", "cel-type", "args.name", "`&&` takes bool, not string", ""),
        ("!args.amount", "cel-type", "args.amount", "`!` takes bool, not int", ""),
        ("-args.name == ''", "cel-type", "-args.name", "`-` takes a number, not string", ""),
        ("args.amount ? true : false", "cel-type", "args.amount", "`? :` takes bool, not int", ""),
        ("(true ? 1 : 'a') == 1", "cel-type", "true ? 1 : 'a'", "one branch gives int, the other string", ""),
        ("1 in args.tags", "cel-type", "1 in args.tags", "int is never in list(string)", ""),
        (
            "'a' in args.name",
            "cel-type",
            "args.name",
            "`in` takes a list or a map on its right, not string",
            "write `text.contains(part)`",
        ),
        ("args.tags['a'] == ''", "cel-type", "args.tags['a']", "list(string) can't be indexed by string", ""),
        (
            "args.name.all(c, true)",
            "cel-type",
            "args.name",
            "a macro goes through a list or a map, not string",
            "",
        ),
        ("args.tags.all(t, t)", "cel-type", "t", "`all` takes bool, not string", ""),
        ("args.tags.filter(t, t) == []", "cel-type", "t", "a filter takes bool, not string", ""),
        (
            "args.name.startWith('a')",
            "cel-name",
            "startWith",
            "there is no function `startWith`",
            "did you mean `startsWith`?",
        ),
        (
            "contains('a', 'b')",
            "cel-name",
            "contains",
            "there is no function `contains`",
            "write `x.contains(…)`",
        ),
        ("'1'.int() == 1", "cel-name", "int", "there is no function `int`", "write `int(x)`"),
        (
            "args.tags.all(true)",
            "cel-name",
            "all",
            "there is no function `all`",
            "a macro takes a name and an expression: `list.all(x, x > 0)`",
        ),
        (
            "args.name.startsWith(1)",
            "cel-type",
            "startsWith(1)",
            "`startsWith` can't take (string, int)",
            "it is `string.startsWith(string)`",
        ),
        (
            "args.name.matches('a(')",
            "cel-value",
            "'a('",
            "not a regular expression: missing ): a(",
            "",
        ),
        (
            "now > timestamp('tomorrow')",
            "cel-value",
            "'tomorrow'",
            "`tomorrow` can't be read as a timestamp, such as `2026-11-30T09:00:00Z`",
            "",
        ),
        (
            "now - now > duration('30d')",
            "cel-value",
            "'30d'",
            "`30d` can't be read as a duration, such as `1h30m`; a day is `24h`",
            "",
        ),
        ("now.getHours('Mars') == 1", "cel-value", "'Mars'", "no time zone `Mars`", ""),
        ("{1.5: 1} == {}", "cel-type", "1.5", "a key can't be double", ""),
        ("'amout' in args", "cel-name", "'amout'", "`args` has no field `amout`", "did you mean `amount`?"),
        (
            "session.channel == 'Internal'",
            "cel-type",
            "'Internal'",
            "`session.channel` is never `Internal`",
            "did you mean `internal`?",
        ),
        (
            "'zzz' != session['channel']",
            "cel-type",
            "'zzz'",
            "`session['channel']` is never `zzz`",
            "it is one of `internal`, `external`",
        ),
        (
            "session.channel in ['internal', 'extern']",
            "cel-type",
            "'extern'",
            "`session.channel` is never `extern`",
            "did you mean `external`?",
        ),
        (
            "args.exists(k, k == 'amout')",
            "cel-type",
            "'amout'",
            "`k` is never `amout`",
            "did you mean `amount`?",
        ),
        (
            "tool.risk >= 'HIGH'",
            "cel-type",
            "tool.risk >= 'HIGH'",
            "`>=` goes by the alphabet, which says nothing of `tool.risk`",
            "write `risk(tool.risk) >= risk('HIGH')`",
        ),
        (
            "session.channel < args.name",
            "cel-type",
            "session.channel < args.name",
            "`<` goes by the alphabet, which says nothing of `session.channel`",
            'write `session.channel in ["…"]` with those that are meant; it is one of `internal`, `external`',
        ),
        ("[?args.name] == []", "cel-type", "args.name", "`?` takes an optional, not string", ""),
    ],
)
def test_what_is_wrong(text: str, code: str, place: str, message: str, help_: str) -> None:
    assert wrong(text) == [(code, place, message, help_)]


def test_everything_that_is_wrong_is_told_at_once() -> None:
    assert [place for _, place, _, _ in wrong("arg.x == 1 && args.amout > 1 && args.name == 1")] == [
        "arg",
        "amout",
        "args.name == 1",
    ]


class TestOptionalFields:
    """An optional field is guarded by the listed idioms and by nothing else."""

    @pytest.mark.parametrize(
        "text",
        [
            "has(args.note) && args.note == 'x'",
            "args.note == 'x' && has(args.note)",
            "has(args.note) && args.amount > 1 && (args.name == 'a' || args.note == 'x')",
            "args.amount > 1 && (has(args.note) && args.name == 'a') && args.note == 'x'",
            "!has(args.note) || args.note == 'x'",
            "args.note == 'x' || args.amount > 1 || !has(args.note)",
            "has(args.note) ? args.note == 'x' : true",
            "args.?note.orValue('') == 'x'",
            "has(args.box) && has(args.box.deep) && args.box.deep > 1",
            "has(args.note) && args['note'] == 'x'",
            "has(args.note) && args.tags.exists(t, t == args.note)",
            "args.items.exists(i, has(i.t) && i.t == 'x')",
            "has(args.items[0].t) && args.items[0].t == 'x'",
        ],
    )
    def test_a_guard_guards(self, text: str) -> None:
        assert wrong(text) == []

    @pytest.mark.parametrize(
        ("text", "place"),
        [
            ("args.note == 'x'", "args.note"),
            ("args['note'] == 'x'", "args['note']"),
            ("has(args.note) || args.note == 'x'", "args.note"),
            ("!has(args.note) && args.note == 'x'", "args.note"),
            ("has(args.mark) && args.note == 'x'", "args.note"),
            ("has(args.note) ? true : args.note == 'x'", "args.note"),
            ("!has(args.note) ? true : args.note == 'x'", "args.note"),
            ("(has(args.note) && args.amount > 1) ? args.note == 'x' : true", "args.note"),
            ("(has(args.note) || true) && args.note == 'x'", "args.note"),
            ("has(args.note) == true && args.note == 'x'", "args.note"),
            ("args.?note.hasValue() && args.note == 'x'", "args.note"),
            ("has(args.box.deep)", "args.box"),
            ("has(args.box) && args.box.deep > 1", "args.box.deep"),
            ("args.items.exists(i, has(i.t)) && args.items.exists(i, i.t == 'x')", "i.t"),
            ("has(args.items[0].t) && args.items[1].t == 'x'", "args.items[1].t"),
            ("args.items.all(args, has(args.t)) && has(args.note) && [args].all(x, x.note == '')", "x.note"),
        ],
    )
    def test_nothing_else_guards(self, text: str, place: str) -> None:
        assert [(code, found) for code, found, _, _ in wrong(text)] == [("cel-optional", place)]

    def test_the_message_says_what_to_write(self) -> None:
        assert wrong("args.note == 'x'") == [
            ("cel-optional", "args.note", "`args.note` may be absent", "write `has(args.note) && …`")
        ]

    def test_no_guard_reaches_into_or_out_of_a_let(self) -> None:
        inside = wrong("has(args.note) && noted", noted="args.note == 'x'")
        assert [(code, place) for code, place, _, _ in inside] == [("cel-optional", "args.note")]
        outside = wrong("present && args.note == 'x'", present="has(args.note)")
        assert [(code, place) for code, place, _, _ in outside] == [("cel-optional", "args.note")]
        assert wrong("has(box.deep) && box.deep > 1", box="has(args.box) ? args.box : {'deep': 1}") == []


def test_reads_and_calls_say_what_a_condition_depends_on() -> None:
    found = checked("has(args.box) && args.box.label.startsWith('a') && args.items[0].n > free.x['y'].z")
    assert found.reads == {
        ("args", "box"),
        ("args", "box", "label"),
        ("args", "items"),
        ("free", "x", "y", "z"),
    }
    assert found.calls == {"startsWith"}
    assert found.unbuilt == frozenset()
    assert found.type == BOOL


def test_reads_leave_out_macro_variables_and_take_in_lets() -> None:
    found = checked("args.items.exists(i, i.n > 1) && big", big="args.amount > 10")
    assert found.reads == {("args", "items"), ("args", "amount")}
    assert checked("args.?note.hasValue()").reads == {("args", "note")}
    assert checked("args == free").reads == {("args",), ("free",)}


def test_functions_that_are_not_built_are_told_apart() -> None:
    found = checked("args.tags.exists(t, origin(t).untrusted)")
    assert found.diagnostics == ()
    assert found.unbuilt == {"origin"}
    assert [place for _, place, _, _ in wrong("origin('a').trusted")] == ["trusted"]


def test_any_type_may_be_asked_for() -> None:
    parsed = parse(Excerpt.whole("args.tags"))
    assert check(parsed, ENVIRONMENT, expects=ListType(STRING)).diagnostics == ()
    assert check(parsed, ENVIRONMENT, expects=None).type == ListType(STRING)
    assert [d.message for d in check(parsed, ENVIRONMENT, expects=ListType(INT)).diagnostics] == [
        "this gives list(string), but list(int) is needed"
    ]


def test_mistakes_in_a_let_are_told_in_its_own_text() -> None:
    assert wrong("big || true", big="args.amout > 1") == [
        ("cel-name", "amout", "`args` has no field `amout`", "did you mean `amount`?")
    ]
