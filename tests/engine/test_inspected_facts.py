"""What conditions read of an inspected argument; C9, A13."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.decision import Code
from gateway.diagnostic import PolicyError
from tests.engine.build import compiled, decide, gateway, session, with_rules

WHERE = "session.cwd"


def denied(condition: str, command: str) -> bool:
    text = with_rules(f"{{id: r, tools: [run], when: '{condition}', effect: deny}}")
    return any(finding.rule == "r" for finding in decide("run", {"command": command}, text=text).findings)


@pytest.mark.parametrize(
    ("condition", "yes", "no"),
    [
        ("inspect.command.writes", "touch a", "ls -la | grep x"),
        ("inspect.command.writes", "unheard-of --flag", "git -C lib status --short"),
        ("inspect.command.writes", "git -c core.pager=x log", "git log --oneline"),
        ("inspect.command.writes", "ls > files.txt", "ls 2> /dev/null"),
        ("inspect.command.writes", "find . -name x -exec touch {} +", "find . -name x"),
        ("inspect.command.writes", "cat $(cat list)", "cat list"),
        ("inspect.command.writes", "sed -i s/a/b/ f", "sed -n 1,20p f"),
        ("inspect.command.network", "cd /tmp; wget https://example.com/x", "echo curl"),
        ("inspect.command.network", "git -C lib fetch", "git -C lib log"),
        ('"delete" in inspect.command.effects', "sh -c 'rm a'", "echo rm a"),
        ('inspect.command.invocations.exists(i, i.program == "make")', "sudo make x", "echo make"),
        ('inspect.command.invocations.exists(i, "force" in i.flags)', "rm -vf a", "rm -v a"),
        ('inspect.command.analysis == "partial"', "cat $UNSET", "cat a"),
        ('inspect.command.only(["ls", "git status"])', "ls; git status", "ls; git push"),
        ('!inspect.command.only(["ls"])', "ls $(cat x)", "ls a"),
        ('!inspect.command.only(["ls"])', "ls > ~/notes", "ls 2>&1 > /dev/null"),
        ('!inspect.command.only(["ls"])', "PATH=/tmp ls", "ls"),
        ('inspect.command.only(["ls", ">", "="])', "A=1 ls > b", "A=1 cat > b"),
        (
            'inspect.command.only(["python -m pytest"])',
            "python -m pytest -x tests",
            "python -m pip install x",
        ),
        ('inspect.command.only(["python -m pytest"])', "python -m 'pytest'", "python -m $X"),
        ('inspect.command.only(["python -m pytest"])', "/usr/bin/python -m pytest", "./python -m pytest"),
        ('inspect.command.only(["python -m pytest"])', "python -m pytest", "python -m"),
        ('inspect.command.only(["ls -la"])', "ls -la src", "ls -l -a src"),
        ('!inspect.command.only(["python -m pytest"])', "python -W error -m pytest", "python -m pytest"),
        ('inspect.command.invocations.exists(i, i.words == ["-m", "pytest"])', "python -m pytest", "pytest"),
        ('!inspect.command.only(["git status"])', "./git status", "/usr/bin/git status"),
        ('!inspect.command.only(["git status"])', "git -c core.fsmonitor=x status", "git -C lib status"),
        ('!inspect.command.only(["git status"])', "git --git-dir=/tmp/x status", "git status -s"),
        ('!inspect.command.only(["ls"])', "for PATH in /tmp; do ls; done", "for f in a; do ls; done"),
        ('!inspect.command.only(["ls"])', "read PATH <<< /tmp; ls", "read a <<< /tmp; ls"),
    ],
)
def test_commands(condition: str, yes: str, no: str) -> None:
    assert denied(condition, yes)
    assert not denied(condition, no)


LOOKS_AND_CHANGES = """
./ls | /bin/ls
/tmp/git status | /usr/bin/git status
docker rm list | docker image list
docker run ls | docker ps -a
docker exec inspect | docker inspect x
docker compose config -o x.yaml | docker compose -f x.yaml config
podman kill ls | podman volume ls
kubectl --unheard get delete pod x | kubectl -n shop get pods
kubectl cluster-info dump --output-directory=x | kubectl get pods --output json
kubectl --kubeconfig x get pods | kubectl logs -f web
helm template x --output-dir out | helm template x -f values.yaml
helm template x --post-renderer ./r | helm get values x
terraform plan -out=x | terraform plan -no-color
terraform providers lock | terraform providers schema
gcloud compute instances delete list | gcloud compute instances list
gcloud storage rm list | gcloud projects list
az vm delete list | az vm list
uv --project tree add x | uv pip list
uv version --bump minor | uv pip show x
go env -w GOFLAGS=x | go env GOFLAGS
pip list --log out.txt | pip list --outdated
git --unheard status clean | git --no-pager status
git log --ext-diff | git log --stat
git cat-file --filters HEAD:x | git cat-file -p HEAD:x
ip addr add 192.0.2.1/24 dev eth0 | ip -br addr show
ip route flush table main | ip route
date -s 2020-01-01 | date -d yesterday +%F
date 010100002020 | date +%s
hostname web1 | hostname -f
dmesg -C | dmesg -T
dmesg -n 1 | dmesg --level=err
ss -K dst 192.0.2.1 | ss -tlnp
file -C -m magic | file -b x
arch -x86_64 rm x | uname -m
rg --hostname-bin ./x y | rg -n y
bat --pager ./x y | bat -p y
tsc | cat tsconfig.json
xmllint --output a b | jq . a
sed -n 1p -f script | sed -n 1p file
sed -n -I '' 1p file | sed -ne 1p file
printf -v PATH /tmp | printf x
test -v 'a[$(id)]' | test -v a
[[ 'a[`id`]' -eq 1 ]] | [[ 'a[1]' -eq 1 ]]
curl -O https://example.com/x | curl -sSL https://example.com/x
curl -w '%output{f}x' https://example.com/x | curl -w '%{http_code}' -o /dev/null https://example.com/x
curl --unix-socket /run/x.sock http://x/y | curl -I https://example.com/
curl --postquote 'DELE x' ftp://h/x | curl -m 5 --retry 2 https://example.com/x
curl -H 'X-HTTP-Method-Override: DELETE' https://example.com/x | curl -H 'Accept: text/html' https://example.com/x
curl smtp://example.com | curl example.com
"""


@pytest.mark.parametrize("line", LOOKS_AND_CHANGES.strip().splitlines())
def test_what_changes_beside_what_only_looks(line: str) -> None:
    changes, looks = line.split(" | ")
    assert denied("inspect.command.writes", changes)
    assert not denied("inspect.command.writes", looks)


REACHES = """
ls /etc | ls src
ls -R .. | ls -R .
cd /; ls | cd src; ls
cd -; ls | cd src/..; ls
find / -name x | find . -name x
stat /etc/passwd | stat x
make -C /other | make -C src
make -f/other/Makefile | make -fMakefile
python /other/x.py | python x.py
unheard-of --out=/other | unheard-of --out=x
unheard-of -o/other | unheard-of -ox
unheard-of a:/other | unheard-of https://example.com/other
unheard-of ~/x | unheard-of x~
sqlite3 x.db '.read /other' | sqlite3 x.db '.read other'
git -C /other log | git -C src log
git --git-dir=/other log | git --git-dir=.git log
GIT_DIR=/other git log | GIT_DIR=.git git log
. /other/x | . ./x
read a < /other | read a < other
/other/ls | ./ls
env -C / ls | env -C src ls
docker cp x:/y z | docker ps
jq --slurpfile a /other . y | jq . y
open file:///other | open file:///home/dev/shop/x
grep -f /other x | grep other x
tar xf x.tar -C/other | tar xf x.tar
"""


@pytest.mark.parametrize("line", REACHES.strip().splitlines())
def test_a_command_that_names_another_place_is_not_within(line: str) -> None:
    outside, inside = line.split(" | ")
    assert denied("!inspect.command.within(session.roots)", outside)
    assert not denied("!inspect.command.within(session.roots)", inside)


STAYS = ["rm *.pyc", "rm -f src/*.py?", "rm -r build/*", "cd src && rm *.o", "rm .env*", "rm -f ./*.[ch]"]
# What a pattern finds may be a link, and only whoever removes it stays where it is.
MAY_LEAVE = [
    *(
        "cat *.pyc",
        "ls *",
        "rm */x",
        "rm -r */",
        "rm .*",
        "rm src/.?",
        "rm ../*.pyc",
        "rm /etc/*.conf",
        "rm ~/*",
    ),
    *("rm *.pyc; cat *.pyc", "rm *.pyc && ls *.pyc", "shred *.pyc", "chmod 600 *.pyc", 'rm "$X"/*.pyc'),
    *("rm *.pyc ../x", "cp *.txt out"),
]


@pytest.mark.parametrize("command", STAYS)
def test_no_pattern_of_file_names_lay_within_the_directory_that_it_looks_into(command: str) -> None:
    assert not denied("!inspect.command.within(session.roots)", command)
    assert denied('!inspect.command.within("/home/dev/other")', command)


@pytest.mark.parametrize("command", MAY_LEAVE)
def test_a_pattern_that_may_lead_elsewhere_is_not_within(command: str) -> None:
    assert denied("!inspect.command.within(session.roots)", command)


def test_a_pattern_behind_a_link_is_where_the_link_leads(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "link").symlink_to("/etc")
    text = with_rules("{id: r, tools: [run], when: '!inspect.command.within(session.roots)', effect: deny}")
    gate = gateway(text)
    who = session(cwd=str(work), roots=[str(work)])
    for command, rule in (("rm link/*.bak", True), ("rm *.bak", False)):
        found = gate.before({"tool": "run", "arguments": {"command": command}}, who)
        assert ("r" in {each.rule for each in found.findings}) is rule


def test_facts_of_an_absent_argument_are_there_and_empty() -> None:
    text = """
version: 1
settings: {confirm_from: IRREVERSIBLE}
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
tools:
  - {name: run, risk: LOW, permissions: [], inspect: {command: shell}, parameters: {type: object, properties: {command: {type: string}}}}
rules:
  - {id: w, tools: [run], when: inspect.command.writes || inspect.command.network, effect: deny}
  - {id: a, tools: [run], when: 'inspect.command.analysis != "exact" || size(inspect.command.invocations) > 0', effect: deny}
"""
    assert decide("run", {}, text=text).code is Code.ALLOWED


def test_a_call_that_only_looks_needs_no_confirmation() -> None:
    text = """
version: 1
settings: {confirm_from: LOW}
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
tools:
  - name: run
    risk: HIGH
    permissions: []
    inspect: {command: shell}
    read_only_when: "!inspect.command.writes"
    parameters: {type: object, required: [command], properties: {command: {type: string}}}
"""
    assert gateway(text).manifest.not_in_force == ()
    assert decide("run", {"command": "git status && ls src"}, text=text).code is Code.ALLOWED
    assert decide("run", {"command": "git status && make"}, text=text).code is Code.CONFIRM
    assert decide("run", {"command": "cat $X"}, text=text).code is Code.CONFIRM


def test_an_example_of_a_rule_is_inspected_like_a_call() -> None:
    rule = "{id: r, tools: [run], when: inspect.command.network, effect: deny, examples: {match: [{args: {command: 'wget https://example.com'}}], no_match: [{args: {command: ls}}]}}"
    assert gateway(with_rules(rule)).manifest.ready


@pytest.mark.parametrize(
    ("condition", "yes", "no"),
    [
        ("!inspect.path.within(session.roots)", "../x", "src/x"),
        ('inspect.path.classes.exists(c, c == "outside")', "/data/x", "x"),
        ('inspect.path.path.endsWith("/x")', "a/../x", "y"),
    ],
)
def test_paths(condition: str, yes: str, no: str) -> None:
    text = with_rules(f"{{id: r, tools: [write_file], when: '{condition}', effect: deny}}")
    text = text.replace("settings:\n", "settings:\n  patterns: {path.write.outside: off}\n", 1)
    assert decide("write_file", {"path": yes}, text=text).rule == "r"
    assert decide("write_file", {"path": no}, text=text).rule != "r"


def test_more_than_is_told_is_partial_and_counts_as_a_change() -> None:
    many = "; ".join(f"ls d{number}" for number in range(120))
    assert denied('inspect.command.analysis == "partial" && inspect.command.writes', many)
    assert denied("size(inspect.command.invocations) == 100", many)
    long = "ls " + "x" * 2000
    assert denied("inspect.command.invocations.all(i, i.operands.all(o, size(o) <= 1000))", long)
    assert denied('inspect.command.analysis == "partial"', long)


def test_a_word_that_no_fact_has_is_told() -> None:
    with pytest.raises(PolicyError) as error:
        compiled(
            with_rules("{id: r, tools: [run], when: '\"delet\" in inspect.command.effects', effect: deny}")
        )
    assert "delet" in str(error.value.diagnostics[0].message)


KINDS = """
version: 1
settings: {confirm_from: IRREVERSIBLE}
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
tools:
  - {name: code, risk: LOW, permissions: [], inspect: {text: python}, parameters: {type: object, required: [text], properties: {text: {type: string}}}}
  - {name: query, risk: LOW, permissions: [], inspect: {text: sql}, parameters: {type: object, required: [text], properties: {text: {type: string}}}}
  - {name: fetch, risk: LOW, permissions: [], inspect: {headers: headers}, parameters: {type: object, required: [headers], properties: {headers: {additionalProperties: true, items: {additionalProperties: true}}}}}
rules:
  - {id: w, tools: [code, query], when: inspect.text.writes, effect: ask}
"""


@pytest.mark.parametrize(
    ("tool", "changes", "looks"),
    [
        ("code", "import x; x.run()", "import math; print(math.pi)"),
        ("code", "from mylib import wipe\nwipe()", "def f(a):\n    return a + 1\nprint(f(1))"),
        ("code", "db.session.commit()", "a = [1]\na.append(2)\nprint(sum(a))"),
        ("code", "import json; json.codecs.open('x', 'w')", "import json; print(json.dumps({'a': 1}))"),
        (
            "code",
            "from json import codecs; codecs.open('x', 'w')",
            "from json import loads; print(loads('1'))",
        ),
        ("code", "print.__self__.open('x', 'w')", "print('x'.upper())"),
        ("code", "import smtplib; smtplib.SMTP('h')", "import re; print(re.findall('a', 'b'))"),
        ("code", "this is no python", "try:\n    int('x')\nexcept ValueError as e:\n    print(e)"),
        ("query", "select wipe_all()", "select count(*), lower(a) from t where b in (1, 2)"),
        ("query", "select public.lower(a) from t", "select pg_catalog.lower(a) from t"),
        ("query", "pragma journal_mode(delete)", "pragma table_info(t)"),
        ("query", "pragma cache_size = 1", "pragma table_list"),
        ("query", "do $$ begin perform wipe(); end $$", "with d as (select 1) select * from d"),
        ("query", 'select "wipe"() from t', "select sum(a) over (partition by b) from t"),
    ],
)
def test_code_and_sql_that_call_what_nobody_knows_may_write(tool: str, changes: str, looks: str) -> None:
    assert decide(tool, {"text": changes}, text=KINDS).effect.value == "ask"
    assert decide(tool, {"text": looks}, text=KINDS).effect.value == "allow"


@pytest.mark.parametrize(
    ("headers", "effect"),
    [
        ({"Accept": "application/json", "X-Note": "Host", "User-Agent": "Mozilla/5.0 (X11)"}, "allow"),
        ({"X-A": 5, "X-B": ["a", "b"], "X-C": None}, "allow"),
        ([{"name": "Accept", "value": "text/html"}], "allow"),
        (["Accept: text/html"], "allow"),
        ({"Host": "x"}, "deny"),
        ({"X-A": "a\r\nHost: b"}, "deny"),
        ({"X-A": ["a", "b\nHost: c"]}, "deny"),
        ({"Host": []}, "deny"),
        ([{"name": "Host", "value": "x"}], "deny"),
        ([{"Key": "authorization", "Value": ["x"]}], "deny"),
        ([["Host", "x"]], "deny"),
        ([":authority: x"], "deny"),
        ({":path": "/x"}, "deny"),
        ({"": "x"}, "deny"),
        (["X: " + "a" * 80_000], "deny"),
        ({"X-HTTP-Method": "DELETE"}, "deny"),
        ({"PRIVATE-TOKEN": "x"}, "deny"),
    ],
)
def test_headers_of_an_object_are_its_names_with_their_values(headers: object, effect: str) -> None:
    assert decide("fetch", {"headers": headers}, text=KINDS).effect.value == effect
