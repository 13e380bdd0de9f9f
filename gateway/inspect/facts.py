"""What conditions can read of an inspected argument: `inspect.<argument>`, total and of known types.

`writes` holds unless everything that was found is known to change nothing, since conditions loosen by it; `network`
and `effects` hold what is known to happen, since conditions refuse by them. `analysis` says how much was read.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gateway.inspect.classes import Classes
from gateway.inspect.command import Command
from gateway.inspect.deed import Deed, Does
from gateway.inspect.inspection import Analysis, Inspection
from gateway.inspect.kind import Kind
from gateway.inspect.place import Place, absolute
from gateway.inspect.unnamed import is_below, written
from gateway.inspect.word import UNKNOWN, marked, shown

if TYPE_CHECKING:
    from gateway.inspect.shell.invocation import Redirect

ANALYSES: tuple[Analysis, ...] = ("exact", "folded", "partial", "unparsed")
_PATHS = frozenset((Does.READ, Does.DELETE, Does.OVERWRITE, Does.APPEND, Does.META))
_REMOTE_COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "git": "clone fetch ls-remote pull push",
        "npm": "add ci exec i install publish update view",
        "pnpm": "add dlx i install publish update",
        "yarn": "add dlx install publish upgrade",
        "bun": "add install publish update",
        "pip": "download index install",
        "pip3": "download index install",
        "uv": "add lock publish sync",
        "poetry": "add install lock publish update",
        "cargo": "add fetch install publish search update",
        "go": "get install",
        "gem": "fetch install push update",
        "composer": "install require update",
        "apt": "install update upgrade",
        "apt-get": "install update upgrade",
        "dnf": "install update upgrade",
        "apk": "add update upgrade",
        "brew": "install update upgrade",
        "docker": "login pull push search",
        "podman": "login pull push search",
        "openssl": "s_client",
    }
)
_REMOTE = frozenset(
    (
        *(
            "ssh",
            "scp",
            "sftp",
            "rsync",
            "ftp",
            "npx",
            "pnpx",
            "bunx",
            "uvx",
            "gh",
            "glab",
            "aws",
            "gcloud",
            "az",
        ),
        *("kubectl", "helm", "s3cmd", "gsutil", "twine"),
        *(f"{program} {name}" for program, names in _REMOTE_COMMANDS.items() for name in names.split()),
    )
)
_WITH_SUBCOMMANDS = frozenset(
    """
    npm pnpm yarn bun pip pip3 uv poetry cargo go gem bundle composer mix dotnet apt apt-get dnf apk brew docker podman
    openssl kubectl helm terraform gh
    """.split()  # noqa: SIM905
)
# More than this is not told, and `analysis` is `partial` then: what conditions cost is known when they are written.
MAX_INVOCATIONS = 100
MAX_PATHS = 100
MAX_WORDS = 50
MAX_PATTERNS = 100
MAX_TEXT = 1000
STAYING = "staying"
"""No condition reads it: the patterns among `paths` and `reaches` that find nothing outside of their directory."""


def facts(kind: Kind, inspections: Sequence[Inspection], place: Place) -> Mapping[str, Any]:
    """The facts of an argument, of all its texts together."""
    commands = [command for one in inspections for command in one.commands]
    made = _OF_TEXTS[kind](inspections) if kind in _OF_TEXTS else _FACTS[kind](commands, place)
    matched = dict.fromkeys(match.pattern for one in inspections for match in one.matches if match.pattern)
    made["patterns"] = list(matched)
    analysis = max((one.analysis for one in inspections), key=ANALYSES.index, default="exact")
    if _cut(made):
        analysis = max(analysis, "partial", key=ANALYSES.index)
    if kind is Kind.PYTHON:
        analysis = max(analysis, _python(made, inspections, place), key=ANALYSES.index)
    if "writes" in made and analysis in ("partial", "unparsed"):
        made["writes"] = True
    return {**made, "analysis": analysis}


_MOST: Mapping[str, int] = MappingProxyType(
    {
        "invocations": MAX_INVOCATIONS,
        "paths": MAX_PATHS,
        "reaches": MAX_PATHS,
        "tables": MAX_PATHS,
        "patterns": MAX_PATTERNS,
        "flags": MAX_WORDS,
        "operands": MAX_WORDS,
        "words": MAX_WORDS,
        "wrappers": MAX_WORDS,
    }
)


def _cut(made: dict[str, Any]) -> bool:
    """Bring facts to their sizes, and tell whether that took anything."""
    cut = False
    for name, value in made.items():
        if isinstance(value, str) and len(value) > MAX_TEXT:
            made[name], cut = value[: MAX_TEXT - 1] + "…", True
        elif isinstance(value, list):
            most = _MOST.get(name, len(value))
            kept = value[:most]
            cut = cut or len(value) > most
            for at, item in enumerate(kept):
                if isinstance(item, dict):
                    cut = _cut(item) or cut
                elif len(item) > MAX_TEXT:
                    kept[at], cut = item[: MAX_TEXT - 1] + "…", True
            made[name] = kept
    return cut


def _sql(inspections: Sequence[Inspection]) -> dict[str, Any]:
    from gateway.inspect.sql.read import facts as sql_facts

    found = [sql_facts(*one.source) for one in inspections if one.source is not None]
    return {
        "kinds": sorted({kind for one in found for kind in one.kinds}),
        "tables": list(dict.fromkeys(name for one in found for name in one.tables)),
        "writes": any(one.writes for one in found),
    }


def _command(commands: list[Command], place: Place) -> dict[str, Any]:
    from gateway.inspect.entries import only_removed
    from gateway.inspect.looks import only_looks
    from gateway.inspect.named import named

    classes = Classes(place)
    deeds = [deed for command in commands for deed in command.deeds]
    hosts = [deed.target for deed in deeds if deed.does is Does.NET]
    told = [command for command in commands if command.program]
    return {
        "invocations": [each for command in commands for each in _invocations(command)],
        "effects": _effects(deeds, told),
        "paths": list(dict.fromkeys(_path(deed, place) for deed in deeds if deed.does in _PATHS)),
        "reaches": list(dict.fromkeys(path for command in commands for path in named(command, place))),
        "writes": not all(only_looks(command, classes) for command in commands),
        "network": bool(hosts) or any(map(_is_remote, told)),
        STAYING: only_removed(commands, place),
    }


def _python(made: dict[str, Any], inspections: Sequence[Inspection], place: Place) -> Analysis:
    """Tell what is not known of code, most of whose calls nobody knows, and how much of it was read."""
    from gateway.inspect.python.computes import only_computes, readable

    texts = [one.source[0] for one in inspections if one.source is not None]
    if not all(map(only_computes, texts)):
        made["writes"] = True
        made["reaches"].append(place.cwd or shown(UNKNOWN))
    return "exact" if all(map(readable, texts)) else "partial"


def _invocations(command: Command) -> Iterator[dict[str, Any]]:
    """A command as conditions see it.

    What it writes by redirection is a program `>`, what it sets in front one `=`, and a path that it is run by one `/`.
    """
    from gateway.inspect.looks import installed, settings

    if command.program:
        yield _invocation(command)
    if not installed(command.invocation.path):
        yield {**_NOTHING, "program": "/", "operands": [shown(command.invocation.path)]}
    written = [
        shown(each.target.value) for each in command.redirects if ">" in each.operator and not _is_sink(each)
    ]
    if written:
        yield {**_NOTHING, "program": ">", "operands": written}
    names = [*(name for name, _ in command.variables), *settings(command)]
    if names:
        yield {**_NOTHING, "program": "=", "operands": names}


_NOTHING: Mapping[str, Any] = MappingProxyType(
    {"program": "", "subcommand": "", "flags": [], "operands": [], "words": [], "wrappers": []}
)


def _is_sink(redirect: Redirect) -> bool:
    return redirect.target.value == "/dev/null" or (
        redirect.operator == ">&" and redirect.target.value.isdigit()
    )


def _invocation(command: Command) -> dict[str, Any]:
    return {
        "program": command.program,
        "subcommand": command.subcommand or _first(command),
        "flags": list(command.bound.flags),
        "operands": [shown(word.value) for word in command.bound.operands],
        "words": [shown(word.value) for word in command.invocation.words],
        "wrappers": list(command.wrappers),
    }


def _first(command: Command) -> str:
    """The subcommand of a program whose options are not known: its first word, unless options stand in front of it."""
    words = command.invocation.words
    if command.program not in _WITH_SUBCOMMANDS or not words or marked(words[0].value):
        return ""
    return "" if words[0].value.startswith("-") else words[0].value


def has_subcommands(program: str) -> bool:
    """Whether the subcommand of a program is told apart from its operands."""
    from gateway.inspect.programs import spec

    return program in _WITH_SUBCOMMANDS or spec(program).subcommands


def _effects(deeds: Iterable[Deed], commands: Iterable[Command]) -> list[str]:
    found = [deed.does.value for deed in deeds]
    if any(command.sql for command in commands):
        found.append(Does.DB.value)
    return sorted(set(found))


def _is_remote(command: Command) -> bool:
    from gateway.inspect.shell.fetched import FETCHERS

    name = f"{command.program} {command.subcommand or _first(command)}".strip()
    return command.program in FETCHERS or command.program in _REMOTE or name in _REMOTE


def _path(deed: Deed, place: Place) -> str:
    """The real path that a deed is done to; one that is not known to its end keeps `…`, `*` or `**`."""
    path = absolute(deed.target, deed.cwd, place.home)
    if path is None:
        return shown(deed.target)
    return shown(path) if marked(path) else place.resolve(posixpath.normpath(path))


def _one_path(commands: list[Command], place: Place) -> dict[str, Any]:
    deeds = [deed for command in commands for deed in command.deeds]
    paths = list(dict.fromkeys(_given(deed, place) for deed in deeds))
    remarks = [remark for command in commands for remark in command.remarks]
    return {
        "path": paths[0] if len(paths) == 1 else "",
        "paths": paths,
        "classes": sorted({remark.kind for remark in remarks}),
    }


def _given(deed: Deed, place: Place) -> str:
    """The path that a tool is given, as it is written where the directory that it lies in is not known."""
    return written(deed.target) if is_below(deed.target) else _path(deed, place)


def _url(inspections: Sequence[Inspection]) -> dict[str, Any]:
    """The parts of an address; of several none but the kinds of all."""
    from gateway.inspect.url.url import read_url

    urls = [read_url(one.source[0]) for one in inspections if one.source is not None]
    only = urls[0] if len(urls) == 1 else None
    return {
        "scheme": only.scheme if only is not None else "",
        "host": only.host if only is not None else "",
        "port": (only.port if only is not None else None) or 0,
        "address": str(only.address) if only is not None and only.address is not None else "",
        "kinds": sorted({kind.value for url in urls for kind in url.kinds}),
    }


def _headers(commands: list[Command], place: Place) -> dict[str, Any]:
    return {"kinds": sorted({remark.kind for command in commands for remark in command.remarks})}


_FACTS: Mapping[Kind, Callable[[list[Command], Place], dict[str, Any]]] = MappingProxyType(
    {
        Kind.SHELL: _command,
        Kind.GIT: _command,
        Kind.PYTHON: _command,
        Kind.PATH: _one_path,
        Kind.HEADERS: _headers,
    }
)
_OF_TEXTS: Mapping[Kind, Callable[[Sequence[Inspection]], dict[str, Any]]] = MappingProxyType(
    {Kind.SQL: _sql, Kind.URL: _url}
)
