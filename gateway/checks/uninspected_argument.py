"""An argument that holds a command, a path, an address or a query, and that nothing looks into.

What `inspect` names is parsed: the packs of dangerous commands see it, files of secrets and addresses inside the
network are told from others, and conditions can read what was found. A command that is not inspected is only a text.

Bad:

    tools:
      - name: run_job
        risk: HIGH
        permissions: ["jobs:run"]
        parameters: {type: object, required: [command], properties: {command: {type: string, maxLength: 2000}}}

Good:

    tools:
      - name: run_job
        risk: HIGH
        permissions: ["jobs:run"]
        inspect: {command: shell}
        parameters: {type: object, required: [command], properties: {command: {type: string, maxLength: 2000}}}

The name of the argument decides, and for `query`, `code` and `script` the tool's name as well. One that can only be
one of a few texts, that the policy forces or that a rule of the tool reads is left alone; `x-role: path` counts as
looked into. Where the name means something else, write `# gateway: ignore[uninspected-argument] …` on its line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.reading import Argument, Reads, arguments, forced, own_tools, words
from gateway.diagnostic import Confidence, Diagnostic

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

CONFIDENCE = Confidence.POSSIBLE
_KINDS = {
    "command": "shell",
    "commands": "shell",
    "cmd": "shell",
    "command line": "shell",
    "shell command": "shell",
    "bash": "shell",
    "sql": "sql",
    "sql query": "sql",
    "path": "path",
    "paths": "path",
    "file": "path",
    "files": "path",
    "file path": "path",
    "filepath": "path",
    "directory": "path",
    "url": "url",
    "urls": "url",
    "uri": "url",
    "page url": "url",
    "webhook": "url",
    "webhook url": "url",
    "callback url": "url",
    "endpoint": "url",
    "python": "python",
    "python code": "python",
    "http headers": "headers",
}
_RUNS = frozenset(("run", "exec", "execute", "eval", "interpret"))
_DATABASES = frozenset(
    ("sql", "database", "db", "postgres", "postgresql", "mysql", "mariadb", "sqlite", "warehouse")
)
_NO_FILES = frozenset(
    ("json", "menu", "url", "field", "key", "object", "attribute", "property", "class", "category")
)
_OTHER_PATHS = ("json path", "jsonpath", "xpath", "url path", "menu path")


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each such argument, with the kind that its name speaks of."""
    reads = Reads(policy)
    for tool in own_tools(compiled):
        plan = compiled.engine.tools[tool.name]
        looked_into = {one.path for one in plan.inspected}
        settled = forced(plan)
        for argument in arguments(tool):
            kind = _kind(argument)
            if kind is None or not argument.is_text or argument.path[0] in settled:
                continue
            if looked_into.isdisjoint((argument.path, (*argument.path, None))) and argument.path[
                0
            ] not in reads.of(plan):
                path = ".".join(step or "*" for step in argument.path)
                yield Diagnostic(
                    "",
                    f"`{argument.name}` of `{tool.name}` looks like {_NOUNS[kind]}, and nothing looks into it",
                    argument.span,
                    f"write `inspect: {{{path}: {kind}}}` beside `parameters`",
                )


_NOUNS = {
    "shell": "a command",
    "sql": "SQL",
    "path": "a path",
    "url": "an address",
    "python": "a program",
    "headers": "headers",
}


def _kind(argument: Argument) -> str | None:
    name = " ".join(argument.words)
    kind = _KINDS.get(name)
    if kind is None and len(argument.words) == 2 and argument.words[1] in ("path", "paths", "filepath"):
        kind = None if argument.words[0] in _NO_FILES else "path"
    if kind == "path" and any(other in argument.description.lower() for other in _OTHER_PATHS):
        return None
    if kind is not None:
        return kind
    of_tool = frozenset(words(argument.tool.name))
    if name in ("code", "program") and not _RUNS.isdisjoint(of_tool):
        return "python"
    if name == "script" and not _RUNS.isdisjoint(of_tool):
        return "shell"
    return "sql" if name in ("query", "statement") and not _DATABASES.isdisjoint(of_tool) else None
