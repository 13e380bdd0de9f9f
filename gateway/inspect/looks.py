"""Commands that only look: data. What is not listed here counts as one that may change something."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from gateway.glob import fits
from gateway.inspect.deed import Does
from gateway.inspect.operands import READERS, TEXT
from gateway.inspect.options import bind, options
from gateway.inspect.programs import spec
from gateway.inspect.word import Word, certain, holed, marked
from gateway.later import later

if TYPE_CHECKING:
    from gateway.inspect.classes import Classes
    from gateway.inspect.command import Command

_ALWAYS = """
: [ [[ cal date df dig dmesg du expr factor false free getconf getent groups host hostid hostname id last lastlog
locale locate logname lsblk lscpu lsmod lsof lspci lsusb mdfind netstat nproc nslookup pgrep pidof ping printenv
printf ps pstree pwd seq sleep ss tput true tty uname uptime users vmstat w wait who whoami
"""
# Of the programs that leave alone the files that they are given, some write others, or run what they find.
_WORKING = """
actionlint ajv alias bandit check-jsonschema cloc conftest export flake8 gitleaks iconv jsonlint kubeconform less lint
local man mdless more mypy opa print pygmentize pylint pyright read scc semgrep set spectral tokei trap tsc vale
xmllint yajsv
"""
_PROGRAMS = (READERS | TEXT | frozenset(_ALWAYS.split())) - frozenset(_WORKING.split())
# Programs that get what is told of the machine from their operands alone, and set it to one that is given.
_SET_BY_OPERAND: Mapping[str, str] = MappingProxyType(
    {
        "date": "-d= --date=, -f= --file=, -r= --reference=, -s= --set=, -v=, -z=, -I=? --iso-8601=?",
        "hostname": "",
        "dmesg": "-l= --level=, -f= --facility=, -F= --file=, -s= --buffer-size=, --since=, --until=, -T, -H, -w",
    }
)
_CHANGES: Mapping[str, str] = MappingProxyType(
    # options with which a program that otherwise only looks changes or runs something
    {
        "ack": "--pager, --ackrc",
        "ag": "--pager",
        "apt": "-o --option, -c --config-file",
        "apt-cache": "-o --option, -c --config-file",
        "bat": "--pager, --generate-config-file, --diagnostic",
        "batcat": "--pager, --generate-config-file, --diagnostic",
        "cargo": "--config",
        "date": "-s --set",
        "dmesg": "-C --clear, -c --read-clear, -D --console-off, -E --console-on, -n --console-level",
        "docker": "--config",
        "docker compose": "-o --output, --lock-image-digests",
        "file": "-C --compile",
        "gcloud": "--flags-file",
        "git": "--config-env, --exec-path, --ext-diff, --filters, --git-dir, --work-tree, --output, --output-directory",
        "go": "-w, -u, -toolexec, -vettool, -modfile, -overlay, -o",
        "helm": "--output-dir, --post-renderer, --kubeconfig",
        "hostname": "-F --file, -b --boot",
        "ip": "-b -batch --batch, -n -netns --netns, -a -all --all, -force --force",
        "kubectl": "--output-directory, --kubeconfig, --kuberc",
        "lsof": "-D",
        "pip": "--log --log-file --local-log, --python",
        "pip3": "--log --log-file --local-log, --python",
        "printf": "-v",
        "rg": "--pre, --hostname-bin",
        "sed": "-f --file, -i --in-place, -I",
        "ss": "-K --kill, -D --diag",
        "terraform": "-out --out, -generate-config-out --generate-config-out",
        "tofu": "-out --out, -generate-config-out --generate-config-out",
        "uv": "--python -p",
    }
)
# What these take is never abbreviated.
_WHOLE = frozenset("apt apt-cache cargo docker gcloud go helm ip kubectl terraform tofu uv".split())  # noqa: SIM905

_DOCKER = """ps, images, inspect, logs, version, info, top, port, diff, history, system df|info,
    container|image|volume|network|context|plugin|node|service|secret|config|stack|pod ls|list|ps|inspect,
    container logs|top|port|diff|stats, compose ps|logs|config|ls|images|top|version"""
_TERRAFORM = "plan, show, validate, output, version, graph, state list|show, providers schema"
_PIP = "list, show, freeze, check, index versions"
_LISTED = "list|describe"
SUBCOMMANDS: Mapping[str, str] = MappingProxyType(
    # the subcommands that only look; `*` stands for any characters, `|` parts spellings, `.` is the end of the operands
    {
        "git": """status, log, diff, show, blame, grep, ls-files, ls-tree, ls-remote, rev-parse, rev-list, describe,
            shortlog, cat-file, merge-base, name-rev, count-objects, whatchanged, check-ignore, check-attr,
            for-each-ref, show-ref, show-branch, range-diff, cherry, version, var, diff-tree, diff-index, diff-files,
            stash list|show, worktree list, remote show, submodule status""",
        "docker": _DOCKER,
        "podman": _DOCKER,
        "kubectl": """get, describe, logs, top, explain, version, api-resources, api-versions, cluster-info, diff,
            auth can-i, config view, config get-contexts, rollout status|history""",
        "helm": "list, ls, status, history, get, show, search, version, template, lint",
        "terraform": _TERRAFORM,
        "tofu": _TERRAFORM,
        "aws": "* describe-*, * list-*, s3 ls, sts get-caller-identity, configure list .",
        "gcloud": f"""info, version, auth list, projects {_LISTED}, services list, functions {_LISTED}, run services
            {_LISTED}, container clusters {_LISTED}, iam service-accounts {_LISTED}, config list, storage ls,
            storage buckets {_LISTED}, pubsub topics|subscriptions {_LISTED}, logging read, app versions|services
            {_LISTED}, compute instances|disks|images|snapshots|networks|zones|regions|addresses|firewall-rules
            {_LISTED}, sql instances|databases|backups {_LISTED}""",
        "az": """version, account list|show, group list|show, vm list|show, vm disk list, aks list|show, acr list|show,
            disk list|show, webapp list|show, functionapp list|show, resource list|show, keyvault list|show,
            storage account list|show, network vnet|nsg|nic|public-ip list|show, sql server|db list|show""",
        "gh": """pr list|view|diff|checks|status, issue list|view|status, run list|view, repo list|view,
            release list|view, search *, status, auth status""",
        "npm": "ls, list, view, info, outdated, why, explain, search, root, prefix, ping, whoami",
        "pnpm": "ls, list, why, outdated, root",
        "yarn": "why, info",
        "pip": _PIP,
        "pip3": _PIP,
        "uv": "pip list|show|freeze|tree|check",
        "cargo": "search, version, locate-project",
        "go": "list, version, env, doc, vet",
        "brew": "list, info, search, deps, outdated, config",
        "apt": "list, show, search, policy",
        "apt-cache": "show, search, policy, depends",
        "systemctl": "status, list-units, list-unit-files, is-active, is-enabled, is-failed, show, cat",
        "ip": """a|addr|address|l|link|r|route|n|neigh|neighbour|rule .,
            a|addr|address|l|link|r|route|n|neigh|neighbour|rule show|list|ls|get""",
    }
)
# Options without a value that may stand in front of a subcommand, beside those that are known otherwise.
_IN_FRONT: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "ip": frozenset("-4 -6 -s -stats -br -brief -c -color -j -json -d -details -o -oneline -p".split()),  # noqa: SIM905
        "brew": frozenset(("-v", "-d", "-q")),
    }
)
_SETTINGS = ("-c", "--config-env", "--exec-path=", "--git-dir", "--work-tree")
_HARMLESS = frozenset((Does.READ, Does.NET))
# A request with no option but these is a plain one.
_ASKS = frozenset(
    """
    silent show-error fail fail-with-body fail-early location head include verbose user-agent header max-time
    connect-timeout retry retry-delay retry-max-time compressed insecure ipv4 ipv6 http1.0 http1.1 http2 progress-bar
    referer user cacert cert key max-redirs output write-out url no-buffer globoff path-as-is range cookie tlsv1.2
    tlsv1.3 no-progress-meter s S f L I i v A H m k 4 6 o w u e N g r b #
    """.split()  # noqa: SIM905
)
_ASKED = ("http://", "https://")
_WRITTEN_OUT = later(r"%output\{|method-override", re.IGNORECASE)
_QUIET = frozenset(("n", "quiet", "silent"))
_LINES = later(r"\d+(?:,(?:\d+|\$|\+\d+))?p|\$p")
_ACTING = ("-exec", "-ok", "-delete", "-fprint", "-fls")
_TESTS = frozenset(("[", "[[", "test", "printf"))
_BINARIES = frozenset(
    "/bin /sbin /usr/bin /usr/sbin /usr/local/bin /usr/local/sbin /opt/homebrew/bin".split()  # noqa: SIM905
)


def installed(path: str) -> bool:
    """Whether a program is named by its name alone, or by a path that only an administrator puts programs at."""
    if "/" not in path and "\\" not in path:
        return True
    return not marked(path) and posixpath.dirname(path) in _BINARIES


def only_looks(command: Command, classes: Classes) -> bool:
    """Whether a command is known to change nothing."""
    if command.variables or any(holed(word.value) for word in command.words[:1]):
        return False
    if not installed(command.invocation.path):
        return False
    for deed in command.deeds:
        if deed.does not in _HARMLESS and "null-device" not in classes.of(deed.target, deed.cwd):
            return False
    if not command.program:
        return True
    return _looks(command)


def _looks(command: Command) -> bool:
    program = command.program
    if settings(command) or any(_changes(line, command) for line in _lines(command)):
        return False
    if program in SUBCOMMANDS:
        return any(_fits(path.split(), command) for path in SUBCOMMANDS[program].split(","))
    if program == "find":
        return not any(word.value.startswith(_ACTING) for word in command.words)
    if program == "sed":
        return not _QUIET.isdisjoint(command.bound.flags) and all(
            _is_lines(word.value) for word in _scripts(command)
        )
    if program == "curl":
        return _asks(command)
    if program in _SET_BY_OPERAND and not _keeps(command):
        return False
    if program in _TESTS and any("$(" in word.value or "`" in word.value for word in command.words):
        # The index of an array in their operands is run.
        return False
    if program in ("bat", "batcat") and any(word.value == "cache" for word in command.words[:1]):
        return False
    return program in _PROGRAMS


def _lines(command: Command) -> Iterator[str]:
    name = "docker" if command.program == "podman" else command.program
    yield _CHANGES.get(name, "")
    yield _CHANGES.get(f"{name} {command.subcommand}", "") if command.subcommand else ""


def _changes(line: str, command: Command) -> bool:
    """Whether a command has one of the options of a line, whatever stands before it."""
    if not line:
        return False
    known = options(line)
    given = bind(known, [word for word in command.words if certain(word.value) != "--"]).flags
    if command.program in _WHOLE:
        spelled = {certain(word.value).partition("=")[0] for word in command.words}
        spelled -= _IN_FRONT.get(command.program, frozenset())
        return any(name in spelled or _bundled(name, spelled) for name in known.names)
    return not known.arity.keys().isdisjoint(given)


def _bundled(name: str, spelled: set[str]) -> bool:
    """Whether a letter stands among others behind one dash."""
    return len(name) == 2 and any(
        text.startswith("-") and not text.startswith("--") and name[1] in text for text in spelled
    )


def settings(command: Command) -> list[str]:
    """The options in front of a subcommand of `git` that give it a setting, some of which name programs that run."""
    if command.program != "git":
        return []
    first = command.operands[:1]
    at = next((i for i, word in enumerate(command.words) if first and word is first[0]), len(command.words))
    return [certain(word.value) for word in command.words[:at] if word.value.startswith(_SETTINGS)]


def _fits(path: list[str], command: Command) -> bool:
    """Whether a command's first operands are these, and surely so: no option in front may take one as its value."""
    ends = path[-1] == "."
    path = path[:-1] if ends else path
    operands = command.operands
    if len(operands) < len(path) or (ends and len(operands) > len(path)):
        return False
    if not all(
        any(fits(name, certain(word.value)) for name in names.split("|"))
        for names, word in zip(path, operands, strict=False)
    ):
        return False
    last = operands[len(path) - 1]
    at = next((i for i, word in enumerate(command.words) if word is last), 0)
    known = {*spec(command.program).options.names, *_IN_FRONT.get(command.program, ())}
    known.update(spec(f"{command.program} {command.subcommand}").options.names)
    return all(
        not (text := certain(word.value)).startswith("-") or "=" in text or text in known or text[:2] in known
        for word in command.words[:at]
    )


def _keeps(command: Command) -> bool:
    """Whether a program that sets what its operands say is only asked."""
    line = _SET_BY_OPERAND[command.program]
    given = bind(options(line), command.words)
    if command.program == "date":
        return "j" in given.flags or all(certain(word.value).startswith("+") for word in given.operands)
    return not given.operands


def _asks(command: Command) -> bool:
    """Whether `curl` only gets a page."""
    if not _ASKS.issuperset(command.bound.flags):
        return False
    values = [word.value for name in ("write-out", "header") for word in command.bound.flags.get(name, ())]
    if any(value.startswith("@") or _WRITTEN_OUT.search(value) for value in values):
        return False
    targets = [certain(deed.target) for deed in command.deeds if deed.does is Does.NET]
    return all("://" not in target or target.lower().startswith(_ASKED) for target in targets)


def _scripts(command: Command) -> list[Word]:
    return list(command.bound.flags.get("expression", ())) or list(command.bound.operands[:1])


def _is_lines(script: str) -> bool:
    return all(_LINES.fullmatch(part.strip()) is not None for part in script.split(";"))
