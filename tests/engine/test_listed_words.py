"""Words that a schema lists, and names of risks, have no order in the alphabet, wherever in a condition they go."""

from __future__ import annotations

import json

import pytest

from gateway.diagnostic import PolicyError
from tests.engine.build import compiled

TOOLS = """version: 1
settings: {confirm_from: HIGH, types: {session.facts: {risk: string, words: list(string)}}}
agents: [{name: clerk, tools: ["*"], tenants: [acme]}]
lists: {levels: [LOW, MEDIUM, HIGH], days: [2026-01-01, 2026-12-24], names: [ann, bob]}
tools:
  - name: t
    risk: LOW
    permissions: []
    parameters:
      type: object
      required: [level, grade, ls, os, o, rows, mix, u, since, name, names, year, month, n, free]
      properties:
        level: {enum: [LOW, MEDIUM, HIGH]}
        grade: {enum: [poor, fair, good]}
        opt: {enum: [LOW, HIGH]}
        ls: {type: array, items: {enum: [poor, fair, good]}}
        os: {type: array, items: {type: array, items: {enum: [poor, good]}}}
        o: {type: object, additionalProperties: {enum: [poor, good]}}
        rows: {type: array, items: {type: object, required: [level, name, n], properties: {level: {enum: [LOW, HIGH]}, name: {type: string}, n: {type: integer}}}}
        mix: {anyOf: [{enum: [LOW, HIGH]}, {type: integer}]}
        u: {anyOf: [{enum: [LOW, HIGH]}, {type: string, maxLength: 3}]}
        since: {anyOf: [{const: latest}, {type: string, format: date}]}
        name: {type: string}
        names: {type: array, items: {type: string}}
        year: {enum: ["2025", "2026"]}
        month: {enum: ["01", "02", "12"]}
        n: {type: integer}
        free: {}
rules:
  - {id: r, tools: [t], when: WHEN, effect: deny}
"""


def refused(condition: str) -> list[str]:
    try:
        compiled(TOOLS.replace("WHEN", json.dumps(condition)))
    except PolicyError as error:
        return [diagnostic.message for diagnostic in error.diagnostics]
    return []


@pytest.mark.parametrize(
    "condition",
    [
        "args.level >= 'HIGH'",
        "dyn(args.level) >= 'HIGH'",
        "dyn([args.grade])[0] >= 'good'",
        "dyn(tool.risk) >= 'HIGH'",
        "[tool.risk][0] >= 'HIGH'",
        "[args.grade, 'x'][0] >= 'good'",
        "[[args.grade]][0][0] >= 'good'",
        "[args.grade, args.name].exists(w, w >= 'good')",
        "{'a': args.grade}['a'] >= 'good'",
        "{'a': args.grade}.a >= 'good'",
        "{'a': args.grade}.exists(k, v, v >= 'good')",
        "{args.grade: 1}.exists(k, k >= 'good')",
        "args.o.exists(k, v, v >= 'good')",
        "args.o.transformList(k, v, v + '!')[0] >= 'good'",
        "string(args.grade) >= 'good'",
        "bytes(args.grade) >= b'good'",
        "args.grade + '' >= 'good'",
        "'' + args.grade >= 'good'",
        "args.grade.upperAscii() >= 'GOOD'",
        "args.grade.trim().substring(0) >= 'good'",
        "args.grade.replace('p', 'P') >= 'good'",
        "args.grade.split(',')[0] >= 'good'",
        "'%s'.format([args.grade]) >= 'good'",
        "args.ls.join('') >= 'good'",
        "args.ls.first().value() >= 'good'",
        "args.ls.first().orValue('') >= 'good'",
        "args.ls.reverse()[0] >= 'good'",
        "args.os.flatten()[0] >= 'good'",
        "(args.ls + ['x']).exists(w, w >= 'good')",
        "args.ls.map(w, w + 'x').exists(w, w >= 'good')",
        "optional.of(args.grade).value() >= 'good'",
        "args.?opt.optMap(o, o + '').orValue('') >= 'HIGH'",
        "cel.bind(g, args.grade.trim(), g >= 'good')",
        "cel.block([args.grade.trim()], cel.index(0) >= 'good')",
        "(args.n > 1 ? args.grade : args.name) >= 'good'",
        "[args.rows[0]][0].level >= 'HIGH'",
        "args.rows.map(r, r.level)[0] >= 'HIGH'",
        "args.u >= 'HIGH'",
        "args.name + args.level > args.name",
        "session.facts.risk >= 'HIGH'",
        "lists.levels.exists(l, l > session.facts.risk)",
        "['LOW', 'HIGH'].exists(l, l > args.name)",
        "session.modes.?web.orValue('off') > 'auto'",
        "session.modes.exists(k, v, v > 'auto')",
    ],
)
def test_an_order_of_listed_words_loaded_behind_a_function_or_a_list(condition: str) -> None:
    (message,) = refused(condition)
    assert "goes by the alphabet, which says nothing of" in message


@pytest.mark.parametrize(
    "condition",
    [
        "args.ls.sort()[0] == 'poor'",
        "[args.level, 'HIGH'].sort()[0] == 'HIGH'",
        "args.ls.sortBy(w, w)[0] == 'good'",
        "args.ls.sortBy(w, w + 'x').first().value() == 'good'",
        "args.rows.sortBy(r, r.level)[0].n > 3",
        "args.ls.sort().reverse().first().value() == 'good'",
        "args.ls.sort().last().value() == 'good'",
        "args.ls.sort().map(w, w.trim())[0] == 'good'",
        "args.ls.sort().filter(w, w != 'poor')[0] == 'good'",
        "cel.bind(s, args.ls.sort(), s[0] == 'good')",
        "args.ls.map(w, w.size() > 1 ? w : 'x').sort().slice(0, 1)[0] == 'good'",
    ],
)
def test_the_first_of_listed_words_by_the_alphabet_was_taken(condition: str) -> None:
    (message,) = refused(condition)
    assert "the list is in the order of the alphabet, which says nothing of" in message


@pytest.mark.parametrize(
    "condition",
    [
        "risk(args.level) >= risk('HIGH')",
        "risk(tool.risk) > risk(args.level)",
        "[args.level].exists(l, risk(l) >= 2)",
        "args.grade.size() > 3",
        "args.grade.trim() == 'good'",
        "{'poor': 1, 'fair': 2, 'good': 3}[args.grade] >= 2",
        "{'LOW': 'a', 'MEDIUM': 'b', 'HIGH': 'c'}[args.level] >= 'b'",
        "args.name > 'm'",
        "args.names.exists(n, n > 'm')",
        "args.names.sort()[0] > 'm'",
        "args.rows.exists(r, r.name > 'm')",
        "args.rows[0].name > 'm'",
        "[args.rows[0]][0].name > 'm'",
        "args.rows.sortBy(r, r.n)[0].level == 'HIGH'",
        "args.rows.sortBy(r, risk(r.level))[0].name > 'm'",
        "cel.bind(r, args.rows[0], r.name > 'm')",
        "args.o.exists(k, k > 'm')",
        "args.o.exists(k, v, k > 'm' && v == 'good')",
        "args.ls.exists(i, w, i > 0 && w == 'good')",
        "args.ls.sort() == ['fair', 'good']",
        "args.ls.sort().join(',') == 'fair,good'",
        "args.ls.sort().size() > 1",
        "type(args.mix) == int && args.mix > 3",
        "args.since != 'latest' && args.since >= '2026-01-01'",
        "args.year >= '2026'",
        "args.year + '-' + args.month >= '2026-05'",
        "[args.year, args.month].join('-') >= '2026-05'",
        "lists.days.exists(d, d > args.name)",
        "lists.names.exists(n, n > args.name)",
        "(args.grade == 'good' ? '3' : '1') >= '2'",
        "(args.grade == 'good' ? args.name : 'x') >= 'm'",
        "session.id > 'm'",
        "session.modes.?web.orValue('off') == 'auto'",
        "args.free == 'x'",
    ],
)
def test_an_order_of_anything_else_still_loads(condition: str) -> None:
    assert refused(condition) == []


def test_what_to_write_instead_names_risks_or_the_words() -> None:
    text = TOOLS.replace("WHEN", json.dumps("args.level.trim() >= 'HIGH' || args.grade.trim() > 'fair'"))
    with pytest.raises(PolicyError) as caught:
        compiled(text)
    assert [diagnostic.help for diagnostic in caught.value.diagnostics] == [
        "write `risk(args.level.trim()) >= risk('HIGH')`",
        'write `args.grade in ["…"]` with those that are meant',
    ]
