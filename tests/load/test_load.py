"""Policies from files: what is read, what is refused, and what the parts then say."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.decision import Effect
from gateway.diagnostic import PolicyError
from gateway.interval import Rate
from gateway.load import load_policy, load_text
from gateway.policy import Compare, Counted, Per, Policy, Shape, Trust, TypeText, UnknownTools
from gateway.results.fields import parse_field
from gateway.risk import RiskLevel
from gateway.session import Channel

WHOLE = Path(__file__).parents[1] / "data" / "load" / "whole.yaml"


@pytest.fixture(scope="module")
def whole() -> Policy:
    return load_policy(WHOLE)


def codes(error: PolicyError) -> list[str]:
    return [diagnostic.code for diagnostic in error.diagnostics]


def test_settings(whole: Policy) -> None:
    settings = whole.settings
    assert settings.confirm_from is RiskLevel.MEDIUM
    assert settings.packs == ("core", "git", "files", "database")
    assert settings.switches == {"code_exec": False}  # E4
    assert settings.types == {
        "session.facts": {
            "kb_ids": TypeText("list", (TypeText("string"),)),
            "workspace": TypeText("string"),
        },
        "turn": {"ambiguous": TypeText("bool"), "specificity": TypeText("string")},
    }
    assert settings.unknown_tools is UnknownTools.ASK
    assert settings.monitor_until is None


def test_settings_have_strict_defaults() -> None:
    settings = load_text("version: 1\n").settings
    assert settings.confirm_from is RiskLevel.LOW
    assert (settings.packs, settings.switches, settings.types) == ((), {}, {})


def test_agents_and_servers(whole: Policy) -> None:
    assistant, loop = whole.agents
    assert (assistant.name, assistant.tenants, assistant.max_steps) == ("assistant", ("*",), 5)
    assert assistant.tools[-2:] == ("github/*", "!form_data_delete")
    assert loop.max_risk is RiskLevel.READ_ONLY  # B24
    (github,) = whole.servers
    assert (github.tools, github.permissions, github.pinned) == (("get_*", "list_*"), ("repo:read",), True)


def test_tools(whole: Policy) -> None:
    tools = {tool.name: tool for tool in whole.tools}
    assert len(tools) == 15
    publish = tools["form_publish_bundle"]  # A1
    assert publish.permissions is not None
    assert len(publish.permissions) == 3  # B2
    assert publish.timeout == timedelta(seconds=60)
    assert publish.result is not None
    assert (publish.result.arrays, publish.result.shape) == (("warnings",), Shape.KNOWN)  # B15
    assert publish.describe is not None  # B19
    assert [place.path for place in publish.describe.placeholders] == ["args.form_id", "args.roles"]
    assert tools["form_update"].update == "replace"  # B20
    assert tools["form_data_update"].permissions is None
    assert tools["search_docs"].permissions == ()
    assert tools["execute_code"].channels == (Channel.INTERNAL,)  # E5
    assert tools["execute_code"].requires == ("sandbox", "no-egress")
    assert tools["run_bash"].read_only_when == "!inspect.command.writes"
    wraps = tools["bg_task_run"].wraps  # C14
    assert wraps is not None
    assert (wraps.tool.names, wraps.arguments.names) == (("tool",), ("input",))
    assert tools["web_search"].mode == "web_search"  # A4
    (defaults,) = whole.defaults
    assert defaults.permissions == ("agent:assistant:use",)
    assert [place.path for place in defaults.resource_permissions[0].placeholders] == [
        "args.code",
        "tool.action",
    ]  # B13
    assert defaults.risk is None


def test_arguments_rules_limits_results_overrides(whole: Policy) -> None:
    memory, bases = whole.arguments  # E2
    assert (memory.set, memory.otherwise) == ({"user_id": "subject.id"}, None)
    assert (bases.when, bases.otherwise) == ('session.channel == "internal"', "deny")
    rules = {rule.id: rule for rule in whole.rules}
    payment = rules["large-payment"]
    assert payment.effect is Effect.ASK
    assert payment.approval is not None
    assert (payment.approval.by, payment.approval.not_self) == (("finance",), True)
    assert payment.approval.expires == timedelta(minutes=30)
    assert payment.examples is not None
    assert payment.examples.match[0].args == {"amount": 1001, "iban": "X"}
    assert rules["staff-mail"].lifts == ("new-recipient",)  # C3
    trial = rules["no-network-trial"]
    assert trial.monitor
    assert trial.until is not None
    assert trial.until.moment == datetime(2027, 4, 1, tzinfo=UTC)
    rate, loops = whole.limits
    assert (rate.per, rate.rate) == (Per(Counted.SUBJECT), Rate(20, timedelta(hours=1)))  # D6
    assert loops.repeats == 3  # C5
    mail, secrets = whole.results
    assert mail.fields == {"from": Trust.TRUSTED, "**": Trust.UNTRUSTED}
    assert secrets.redact is not None
    assert [(item.detector, item.field) for item in secrets.redact] == [
        ("secrets", None),
        (None, parse_field("**.password")),
    ]
    freeze, pilot = whole.overrides  # B6
    assert (freeze.enabled, freeze.permissions) == (False, None)
    assert pilot.permissions == ()
    assert pilot.confirm is not None
    assert (pilot.confirm.by, pilot.confirm.at) == ("ops-lead", date(2026, 11, 30))  # B8


def test_every_part_knows_where_it_stands(whole: Policy) -> None:
    rule = whole.rules[1]
    excerpt = rule.where.excerpt("when")
    assert excerpt.text == rule.when
    at = excerpt.text.index("finance")
    span = excerpt.span(at, at + len("finance"))
    assert span.text == "finance"
    assert span.source.line(span.line).startswith("    when: args.amount")
    assert rule.where.key_span("effect").text == "effect"
    assert rule.approval is not None
    assert rule.approval.where.span("by").text == "[finance]"
    assert rule.examples is not None
    assert rule.examples.match[0].where.span("args", "amount").text == "1001"
    assert whole.lists["staff_domains"].where.span(0).text == '"@acme.com"'


def test_common_keys_mean_the_same_on_rules() -> None:
    text = """version: 1
rules:
  - id: a
    tools: [x, "!y"]
    tenants: [acme]
    agents: ["*"]
    channels: [external]
    risk: ">=LOW"
    let: {big: args.n > 3}
    effect: respond
    response: {items: []}
    context: This is a trial.
    message: Not now.
    reason: audit
    owner: platform
    until: 2027-01-31T18:00:00+01:00
    monitor: true
"""
    (rule,) = load_text(text).rules
    assert (rule.tenants, rule.agents, rule.channels) == (("acme",), ("*",), (Channel.EXTERNAL,))
    assert rule.risk is not None
    assert (rule.risk.compare, rule.risk.level) == (Compare.AT_LEAST, RiskLevel.LOW)
    assert rule.let == {"big": "args.n > 3"}
    assert rule.response == {"items": []}
    assert rule.until is not None
    assert rule.until.moment == datetime(2027, 1, 31, 17, tzinfo=UTC)


def test_null_in_an_override_means_not_overridden() -> None:  # B6
    text = 'version: 1\noverrides: [{tenant: a, tools: [b], title: ~, description: "", group: null}]\n'
    (override,) = load_text(text).overrides
    assert (override.title, override.description, override.group) == (None, "", None)


def test_a_limit_may_count_by_an_expression() -> None:
    text = "version: 1\nlimits: [{id: a, tools: [b], per: {cel: args.to}, rate: 2/10m}]\n"
    (limit,) = load_text(text).limits
    assert limit.per == Per(Counted.VALUE, "args.to")
    assert limit.rate == Rate(2, timedelta(minutes=10))


def rule_file(name: str) -> str:
    return f"version: 1\nrules: [{{id: {name}, tools: [x], effect: deny}}]\n"


def test_a_directory_is_read_in_sorted_order_without_tests(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "b.yaml").write_text(rule_file("second"))
    (tmp_path / "a.yml").write_text(rule_file("first"))
    (tmp_path / "sub" / "c.yaml").write_text(rule_file("third"))
    (tmp_path / "a.test.yaml").write_text("no: policy\n")
    (tmp_path / "README.md").write_text("no policy\n")
    assert [rule.id for rule in load_policy(tmp_path).rules] == ["first", "second", "third"]


def test_several_paths_are_one_policy(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(rule_file("one"))
    (tmp_path / "b.yaml").write_text(rule_file("two"))
    policy = load_policy([tmp_path / "b.yaml", tmp_path / "a.yaml"])
    assert {rule.id for rule in policy.rules} == {"one", "two"}
    assert policy.digest == load_policy(tmp_path).digest


def test_the_digest_covers_names_and_bytes(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(rule_file("one"))
    first = load_policy(tmp_path).digest
    assert load_policy(tmp_path).digest == first
    file.write_text(rule_file("one") + "# changed\n")
    second = load_policy(tmp_path).digest
    file.rename(tmp_path / "b.yaml")
    assert len({first, second, load_policy(tmp_path).digest}) == 3


@pytest.mark.parametrize(
    ("name", "code"),
    [(".a.yaml", "refused-file"), (".git/a.yaml", "refused-file"), ("sub/.a.yml", "refused-file")],
)
def test_hidden_policies_are_errors(tmp_path: Path, name: str, code: str) -> None:
    (tmp_path / "b.yaml").write_text(rule_file("one"))
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(rule_file("two"))
    with pytest.raises(PolicyError) as caught:
        load_policy(tmp_path)
    assert codes(caught.value) == [code]


def test_links_that_leave_the_folder_are_errors(tmp_path: Path) -> None:
    inside = tmp_path / "policies"
    inside.mkdir()
    (tmp_path / "out.yaml").write_text(rule_file("out"))
    (inside / "a.yaml").write_text(rule_file("in"))
    (inside / "same.yaml").symlink_to(inside / "a.yaml")
    assert [rule.id for rule in load_policy(inside).rules] == ["in", "in"]
    (inside / "link.yaml").symlink_to(tmp_path / "out.yaml")
    (inside / "folder").symlink_to(tmp_path)
    (inside / "dangling.yaml").symlink_to(inside / "nothing.yaml")
    with pytest.raises(PolicyError) as caught:
        load_policy(inside)
    assert sorted(codes(caught.value)) == ["refused-file", "refused-file", "unreadable-file"]


def test_files_mounted_by_kubernetes_are_read(tmp_path: Path) -> None:
    (tmp_path / "..2026").mkdir()
    (tmp_path / "..2026" / "a.yaml").write_text(rule_file("one"))
    (tmp_path / "..data").symlink_to("..2026")
    (tmp_path / "a.yaml").symlink_to("..data/a.yaml")
    assert [rule.id for rule in load_policy(tmp_path).rules] == ["one"]


def test_nothing_to_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PolicyError) as caught:
        load_policy(tmp_path)
    assert codes(caught.value) == ["no-policies"]
    with pytest.raises(PolicyError) as caught:
        load_policy(tmp_path / "missing")
    assert codes(caught.value) == ["no-such-file"]


def test_bytes_that_are_no_text_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"version: 1\nrules: \xff\n")
    with pytest.raises(PolicyError) as caught:
        load_policy(tmp_path)
    assert codes(caught.value) == ["not-utf-8"]


def contents(policy: Policy) -> set[str]:
    return {f"{rule.id} {rule.effect}" for rule in policy.rules}


@given(st.permutations(["a", "b", "c", "d"]))
def test_the_order_of_files_never_matters_for_what_they_say(names: list[str]) -> None:
    rules = [f"{{id: {name}, tools: [x], effect: deny}}" for name in names]
    one = load_text(f"version: 1\nrules: [{', '.join(rules)}]\n")
    other = load_text(f"version: 1\nrules: [{', '.join(reversed(rules))}]\n")
    assert contents(one) == contents(other)


KEYS = st.sampled_from(
    ["version", "settings", "lists", "agents", "tools", "rules", "limits", "results", "overrides", "name", "id",
     "tools", "effect", "when", "until", "per", "rate", "examples", "match", "args", "parameters", "type", "rule"]
)  # fmt: skip
VALUES = st.recursive(
    st.sampled_from(["1", "a", "deny", "HIGH", "[a]", "{}", "~", "2027-01-31", "20/h", "'{x'", "object", "!x", "*y"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.lists(st.tuples(KEYS, inner), max_size=4).map(
            lambda items: "{" + ", ".join(f"{key}: {value}" for key, value in items) + "}"
        ),
    ),
    max_leaves=12,
)  # fmt: skip


@given(st.lists(st.tuples(KEYS, VALUES), max_size=4))
def test_no_policy_ever_crashes_load(items: list[tuple[str, str]]) -> None:
    try:
        load_text("version: 1\n" + "".join(f"{key}: {value}\n" for key, value in items))
    except PolicyError as error:
        assert error.diagnostics
        assert str(error)


@pytest.mark.parametrize("name", ["deny.YAML", "Deny.Yml", "..deny.yaml", "..d/deny.yaml", ".d/deny.YAML"])
def test_no_policy_file_is_left_out_in_silence(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.yaml").write_text("version: 1\n")
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("version: 1\n")
    with pytest.raises(PolicyError) as caught:
        load_policy(tmp_path)
    assert [d.code for d in caught.value.diagnostics] == ["refused-file"]


def test_a_mounted_config_map_is_read(tmp_path: Path) -> None:
    (tmp_path / "..2026_01_01").mkdir()
    (tmp_path / "..2026_01_01" / "a.yaml").write_text("version: 1\n")
    (tmp_path / "..data").symlink_to("..2026_01_01")
    (tmp_path / "a.yaml").symlink_to("..data/a.yaml")
    assert len(load_policy(tmp_path).documents) == 1


def test_links_and_paths_that_lead_nowhere_are_errors(tmp_path: Path) -> None:
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    for path in (tmp_path, tmp_path / ("x" * 5000)):
        with pytest.raises(PolicyError):
            load_policy(path)


@pytest.mark.parametrize("char", ["\u200b", "\u200e", "\u00ad", "\u2060", "\u202e"])
def test_characters_without_width_are_refused(char: str) -> None:
    with pytest.raises(PolicyError):
        load_text(f"version: 1\nlists: {{a: ['prod{char}']}}\n")


def test_a_hostile_folder_is_refused_and_not_read_without_end(tmp_path: Path) -> None:
    deep = tmp_path / "deep"
    at = deep
    for _ in range(60):
        at = at / "d"
    at.mkdir(parents=True)
    (at / "policy.yaml").write_text("version: 1\n")
    many = tmp_path / "many"
    many.mkdir()
    for number in range(1001):
        (many / f"{number}.yaml").write_text("version: 1\n")
    for folder, said in ((deep, "lies deeper than 32 folders"), (many, "holds more than 1000 policy files")):
        with pytest.raises(PolicyError) as caught:
            load_policy(folder)
        assert said in caught.value.diagnostics[0].message
