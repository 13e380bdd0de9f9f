"""What conditions can come to before everything is known; the law is that every real outcome is foreseen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.cel import (
    BOOL,
    DOUBLE,
    DYN,
    INT,
    STRING,
    CelError,
    Environment,
    Field,
    Known,
    ListType,
    MapType,
    ObjectType,
    OptionalType,
    Outcome,
    Partial,
    Type,
    Unknown,
    bind,
    outcomes,
    parse,
    plan,
)
from gateway.cel.abstract import type_of
from gateway.cel.functions import STANDARD
from gateway.cel.functions.signature import Style
from gateway.cel.operators import equal
from gateway.cel.values import OptionalValue, kind_of
from gateway.diagnostic import Excerpt

T, F, E = Outcome.TRUE, Outcome.FALSE, Outcome.ERROR

ITEM = ObjectType("args.items[]", {"n": Field(INT), "t": Field(STRING, optional=True)})
BOX = ObjectType("args.box", {"deep": Field(INT, optional=True), "label": Field(STRING)})
ARGS = ObjectType(
    "args",
    {
        "amount": Field(INT),
        "price": Field(DOUBLE),
        "prices": Field(ListType(DOUBLE)),
        "name": Field(STRING),
        "flag": Field(BOOL),
        "tags": Field(ListType(STRING)),
        "note": Field(STRING, optional=True),
        "box": Field(BOX, optional=True),
        "items": Field(ListType(ITEM)),
        "any": Field(DYN),
        "meta": Field(MapType(STRING, INT)),
    },
)
TOOL = ObjectType("tool", {"risk": Field(STRING), "level": Field(INT)})
TURN = ObjectType("turn", {"ambiguous": Field(BOOL), "specificity": Field(STRING, optional=True)})
OPEN = ObjectType("facts", {"id": Field(STRING)}, open=True)
VARIABLES: Mapping[str, Type] = {"args": ARGS, "tool": TOOL, "turn": TURN, "facts": OPEN, "count": INT}
ENVIRONMENT = Environment(VARIABLES)


def possible(text: str, **known: Any) -> frozenset[Outcome]:
    parsed = parse(Excerpt.whole(text))
    assert parsed.ast is not None, parsed.diagnostics
    return outcomes(parsed, ENVIRONMENT, known).booleans


LOW = {"risk": "LOW", "level": 1}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('tool.risk == "HIGH" && args.amount > 1', {F}),
        ('tool.risk == "LOW" && args.amount > 1', {T, F}),
        ('tool.risk == "LOW" || args.amount / 0 > 1', {T}),
        ("tool.risk == 1", {F}),
        ("tool.wrong", {E}),
        ("args.flag", {T, F}),
        ("!args.flag", {T, F}),
        ("args.name", {E}),
        ("args.any", {T, F, E}),
        ("args.note == ''", {T, F, E}),
        ("has(args.note)", {T, F}),
        ("has(args.name)", {T}),
        ("has(args.box.deep)", {T, F, E}),
        ("args.?note.hasValue()", {T, F}),
        ("args.?note.orValue('') == 'x'", {T, F}),
        ("args.tags.all(t, true)", {T}),
        ("args.tags.all(t, false)", {T, F}),
        ("args.tags.exists(t, false)", {F}),
        ("args.tags.exists(t, true)", {T, F}),
        ("args.tags.exists_one(t, t == 'a')", {T, F}),
        ("args.items.all(i, i.t == '')", {T, F, E}),
        ("args.any.all(x, true)", {T, E}),
        ("'a' in args.tags", {T, F}),
        ("'a' in args.any", {T, F, E}),
        ("args.amount + 1 > 0", {T, F, E}),
        ("args.price * 2.0 > 1.0", {T, F}),
        ("args.name.startsWith('a')", {T, F}),
        ("size(args.tags) > 0", {T, F}),
        ("args.flag ? tool.level == 1 : tool.level == 1", {T}),
        ("args.flag ? tool.level == 1 : tool.level / 0 == 1", {T, E}),
        ("[1, 2].exists(x, x == tool.level)", {T}),
        ("[1, 2].all(x, x == args.amount)", {T, F}),
        ("[1, args.amount].size() == 2", {T, F}),
        ("missing", {T, F, E}),
        ("origin(args.name).untrusted", {E}),
        ("true && 1", {E}),
        ("1 || false", {E}),
        ("facts.id == 'a'", {T, F}),
        ("facts.other == 'a'", {T, F, E}),
    ],
)
def test_what_conditions_can_come_to(text: str, expected: set[Outcome]) -> None:
    assert possible(text, tool=LOW) == expected


def test_part_of_an_object_may_be_known() -> None:
    args = Partial({"name": "ann"})
    assert possible("args.name == 'ann'", args=args) == {T}
    assert possible("args['name'] == 'bob'", args=args) == {F}
    assert possible("args.amount == 1", args=args) == {T, F}
    assert possible("has(args.note)", args=Partial({"note": "x"})) == {T}
    assert possible("'note' in args", args=Partial({"note": "x"})) == {T}
    assert possible("args.box.label == 'a'", args=Partial({"box": Partial({"label": "a"})})) == {T}
    assert possible("args.price == 2.0", args=Partial({"price": 2})) == {T}


def test_a_tool_can_be_chosen_by_the_turn() -> None:  # E6
    condition = 'turn.ambiguous || turn.specificity == "PRECISE"'
    assert possible(condition, turn={"ambiguous": True}) == {T}
    assert possible(condition, turn={"ambiguous": False, "specificity": "PRECISE"}) == {T}
    assert possible(condition, turn={"ambiguous": False, "specificity": "BROAD"}) == {F}
    assert possible(condition, turn={"ambiguous": False}) == {E}


def test_a_let_is_as_known_as_what_it_reads() -> None:
    big = parse(Excerpt.whole("tool.level > 5"))
    rule = bind(parse(Excerpt.whole("big && args.flag")), {"big": big})
    assert outcomes(rule, ENVIRONMENT, {"tool": LOW}).booleans == {F}
    assert outcomes(rule, ENVIRONMENT, {}).booleans == {T, F}


def test_values_of_any_type() -> None:
    known = outcomes(parse(Excerpt.whole("tool.level + 1")), ENVIRONMENT, {"tool": LOW})
    assert (known.value, known.may_error) == (Known(2), False)
    open_ = outcomes(parse(Excerpt.whole("args.tags.map(t, t + '!')")), ENVIRONMENT, {})
    assert (open_.value, open_.may_error) == (Unknown(ListType(STRING)), False)
    assert outcomes(parse(Excerpt.whole("1 / 0")), ENVIRONMENT, {}).value is None


# The law, over random expressions, values and splits.

_TEXTS = st.sampled_from(["", "a", "ann", "note", "LOW", "x"])
_SCALARS = st.none() | st.booleans() | st.integers(-2, 3) | st.sampled_from([0.0, 1.5]) | _TEXTS
_ANY = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_TEXTS, inner, max_size=2),
    max_leaves=4,
)
_SIMPLE: Mapping[Type, st.SearchStrategy[Any]] = {BOOL: st.booleans(), STRING: _TEXTS, DYN: _ANY}


def values_of(type_: Type) -> st.SearchStrategy[Any]:
    """Any value that a host may pass where the type is declared."""
    if type_ == INT:
        return st.integers(-3, 3) | st.sampled_from([2**63 - 1, -(2**63)])
    if type_ == DOUBLE:
        return st.integers(-3, 3) | st.sampled_from([0.0, -1.5, 2.0])
    match type_:
        case ListType(element=element):
            return st.lists(values_of(element), max_size=3)
        case MapType(value=value):
            return st.dictionaries(_TEXTS, values_of(value), max_size=2)
        case ObjectType(fields=fields, open=more):
            required = {name: values_of(field.type) for name, field in fields.items() if not field.optional}
            optional = {name: values_of(field.type) for name, field in fields.items() if field.optional}
            own = st.fixed_dictionaries(required, optional=optional)
            extra = (
                st.dictionaries(st.sampled_from(["other", "a"]), _ANY, max_size=1) if more else st.just({})
            )
            return st.builds(lambda one, other: {**other, **one}, own, extra)
    return _SIMPLE[type_]


_ATOMS = st.sampled_from(
    """true false null 0 1 2.5 'a' 'ann' [] {} [1,2] ['a'] {'a':1} count tool.risk tool.level args.amount args.price
    args.prices args.name args.flag args.tags args.note args.box args.box.deep args.box.label args.items args.any
    args.any.x args.meta args.meta.a args['name'] args[tool.risk] turn.ambiguous turn.specificity facts.id facts.other
    args.?note args.?box.deep args.items[0].n args.items[?0].t args.meta[?'a'] args tool nothing x x.n x.t args.wrong
    has(args.note) has(args.box.deep) has(facts.other) has(args.any.x) has(turn.specificity) optional.none()
    cel.index(0) cel.index(1) '::1' '10.0.0.0/8' 'https://a/'""".split()  # noqa: SIM905
)


_CALLS = [
    (f"{{}}.{function.name}" if function.style is Style.MEMBER else function.name, function.style, count)
    for function in STANDARD
    if function.built and not function.written
    for count in sorted(
        {
            len(overload.parameters) + more
            for overload in function.overloads
            for more in ((0, 1, 2) if overload.more else (0,))
        }
    )
]


@st.composite
def _called(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    """Any function there is, with so many arguments as it may have."""
    name, style, count = draw(st.sampled_from(_CALLS))
    arguments = [draw(inner | _OFTEN) for _ in range(count)]
    target = arguments.pop(0) if style is Style.MEMBER else ""
    return f"{name.format(target)}({', '.join(arguments)})"


_OFTEN = st.sampled_from(
    [
        "args.name",
        "args.tags",
        "args.amount",
        "'a'",
        "1",
        "['a','%s']",
        "decimal(1)",
        "[args.name]",
        "'%s'",
        "tool.risk",
    ]
)


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operators = st.sampled_from("+ - * / % == != < <= > >= in && || && || ==".split())  # noqa: SIM905
    macros = st.sampled_from(["all", "exists", "exists_one", "map", "filter"])
    members = st.sampled_from(["startsWith", "contains", "orValue", "or", "matches"])
    functions = st.sampled_from(
        ["size", "string", "int", "double", "dyn", "type", "bool", "optional.of", "!", "-"]
    ) | st.sampled_from(
        ["math.greatest", "math.least", "math.abs", "math.sign", "math.sqrt", "math.round", "math.bitNot"]
    )
    reading = st.sampled_from(["ip", "isIP", "cidr", "url", "isURL", "ip.isCanonical"])
    pairs = st.sampled_from(["math.greatest", "math.least", "math.bitAnd", "math.bitShiftLeft"])
    return st.one_of(
        st.builds("({} {} {})".format, inner, operators, inner),
        st.builds("({} {} {})".format, inner, operators, inner),
        st.builds("({} ? {} : {})".format, inner, inner, inner),
        st.builds("{}.{}(x, {})".format, inner, macros, inner),
        st.builds("{}.map(x, {}, {})".format, inner, inner, inner),
        st.builds("{}.exists(i, x, {})".format, inner, inner),
        st.builds("{}.transformMap(i, x, {})".format, inner, inner),
        st.builds("{}.sortBy(x, {})".format, inner, inner),
        st.builds("{}.{}({})".format, inner, members, inner),
        _called(inner),
        st.builds("{}({})".format, functions, inner),
        st.builds("{}({})".format, reading, inner),
        st.builds("{}({}, {})".format, pairs, inner, inner),
        st.builds("cel.block([{}, {}], {})".format, inner, inner, inner),
        st.builds("{}[{}]".format, inner, inner),
        st.builds("{}[?{}]".format, inner, inner),
        st.builds("{}.?n".format, inner),
        st.builds("{}.optMap(x, {})".format, inner, inner),
        st.builds("{}.optFlatMap(x, {})".format, inner, inner),
        st.builds("cel.bind(x, {}, {})".format, inner, inner),
        st.builds("[{}, {}]".format, inner, inner),
        st.builds("[?{}, {}]".format, inner, inner),
        st.builds("{{'a': {}, 'b': {}}}".format, inner, inner),
        st.builds("{{{}: {}, ?'b': {}}}".format, inner, inner, inner),
    )


EXPRESSIONS = st.recursive(_ATOMS, _larger, max_leaves=8)


@st.composite
def situations(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
    """All variables, and what is known of them."""
    variables = {name: draw(values_of(type_)) for name, type_ in VARIABLES.items()}
    known: dict[str, Any] = {}
    for name, value in variables.items():
        how = draw(st.sampled_from(["known", "part", "unknown"]))
        if how == "known":
            known[name] = value
        elif how == "part" and isinstance(value, dict):
            chosen = draw(st.sets(st.sampled_from(sorted(value)))) if value else set()
            known[name] = Partial({field: value[field] for field in chosen})
    return variables, known


def conforms(value: Any, type_: Type) -> bool:
    """Whether a value has a type that was foreseen for it."""
    match type_:
        case ListType(element=element):
            return isinstance(value, list | tuple) and all(conforms(item, element) for item in value)
        case MapType(key=key, value=inner):
            return isinstance(value, Mapping) and all(
                conforms(k, key) and conforms(v, inner) for k, v in value.items()
            )
        case OptionalType(value=inner):
            return isinstance(value, OptionalValue) and (not value.present or conforms(value.value, inner))
        case ObjectType():
            return isinstance(value, dict)
    return type_ == DYN or type_of(Known(value)) == type_


@settings(max_examples=200, deadline=None)
@given(EXPRESSIONS, situations())
def test_every_real_outcome_is_foreseen(text: str, situation: tuple[dict[str, Any], dict[str, Any]]) -> None:
    variables, known = situation
    parsed = parse(Excerpt.whole(text))
    if parsed.ast is None:
        return
    foreseen = outcomes(parsed, ENVIRONMENT, known)
    program = plan(parsed, ENVIRONMENT)
    watched = program.watch(variables)
    try:
        value = program.evaluate(variables)
    except CelError as error:
        assert watched.error is not None
        assert (watched.error.message, watched.error.span) == (error.message, error.span)
        assert foreseen.may_error
        assert E in foreseen.booleans
        return
    assert watched.error is None
    assert equal(watched.value, value) or repr(watched.value) == repr(value)  # NaN
    assert (T if value is True else F if value is False else E) in foreseen.booleans
    if isinstance(foreseen.value, Known):
        assert kind_of(foreseen.value.value) is kind_of(value)
        assert equal(foreseen.value.value, value) or repr(foreseen.value.value) == repr(value)  # NaN
    else:
        assert foreseen.value is not None
        assert conforms(value, foreseen.value.type)
