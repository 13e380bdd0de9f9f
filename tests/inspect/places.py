"""A project to inspect in, and inspectors as an engine would build them."""

from __future__ import annotations

from gateway.inspect.clued import clued
from gateway.inspect.guard import Access, Guard
from gateway.inspect.inspection import Inspection
from gateway.inspect.inspector import Inspector
from gateway.inspect.kind import Kind
from gateway.inspect.pattern import Example
from gateway.inspect.place import Conventions, Place
from gateway.patterns import PACKS, load_packs

HOME = "/home/dev"
PROJECT = "/home/dev/shop"
LINKS = {f"{PROJECT}/link": f"{PROJECT}/policies", f"{PROJECT}/current": "/srv/releases/7"}


def follow(path: str) -> str:
    """The path with the project's links followed."""
    for link, target in LINKS.items():
        if path == link or path.startswith(link + "/"):
            return target + path[len(link) :]
    return path


CONVENTIONS = Conventions(("generated",), ("locked",), ("stable", "hotfix/*"))
PLACE = Place(PROJECT, HOME, (PROJECT,), follow)
ADDRESSES = {
    "example.com": ("192.0.43.8", "2001:500:88:200::8"),
    "inside.example": ("192.0.43.8", "10.0.0.7"),
}
EXAMPLES = Place(PROJECT, HOME, (PROJECT,), follow, CONVENTIONS, lambda host: ADDRESSES.get(host, ()))
PATTERNS = load_packs(PACKS)
INSPECTOR = Inspector(lambda: clued(PATTERNS), Guard((), ()))
GUARD = Guard(
    (
        f"{PROJECT}/policies",
        f"{PROJECT}/policies/base.yaml",
        f"{PROJECT}/.claude/settings.json",
        f"{HOME}/.claude/settings.json",
    ),
    (f"{HOME}/.state/store.db",),
)
GUARDED = Inspector(lambda: clued(()), GUARD)


def inspected(example: Example) -> Inspection:
    """An example of a pattern, inspected as what it is."""
    if example.kind is Kind.SHELL:
        return INSPECTOR.shell(example.text, EXAMPLES)
    if example.kind is Kind.GIT:
        return INSPECTOR.git(example.text, EXAMPLES)
    if example.kind is Kind.SQL:
        return INSPECTOR.sql(example.text, None, EXAMPLES)
    if example.kind in (Kind.URL, Kind.PYTHON, Kind.HEADERS):
        return INSPECTOR.inspect(example.kind, example.text, EXAMPLES, Access.READ, example.more or None)
    return INSPECTOR.path(example.text, EXAMPLES, Access.WRITE if example.writes else Access.READ)
