"""Whether Python code only computes: it uses nothing that reaches out of the process. What is not listed may."""

from __future__ import annotations

import ast
import builtins
import sys

from gateway.inspect.python.parse import MAX_CODE, parse

_MODULES = frozenset(
    """
    __future__ abc base64 binascii bisect calendar cmath collections copy dataclasses datetime decimal difflib enum
    fractions functools hashlib heapq itertools json math numbers pprint random re statistics string textwrap time
    typing unicodedata uuid zoneinfo
    """.split()  # noqa: SIM905
)
_ACTING = frozenset(
    """
    __import__ breakpoint compile copyright credits delattr eval exec exit getattr globals help input license locals
    open quit setattr vars
    """.split()  # noqa: SIM905
)
_BUILT_IN = frozenset(dir(builtins)) - _ACTING
# Modules hold others under their names.
_OTHERS = (
    (sys.stdlib_module_names - _MODULES)
    | _ACTING
    | {"attrgetter", "methodcaller", "dump", "write", "writelines"}
)


def readable(text: str) -> bool:
    """Whether the code has a grammar that is known."""
    return len(text) <= MAX_CODE and parse(text).tree is not None


def only_computes(text: str) -> bool:
    """Whether the code is known to change nothing but its own variables."""
    if len(text) > MAX_CODE:
        return False
    parsed = parse(text)
    if parsed.tree is None or parsed.shells or parsed.writes or parsed.doubts:
        return False
    nodes = list(ast.walk(parsed.tree))
    own = {name for node in nodes for name in _bound(node)}
    return all(_computes(node, own) for node in nodes)


def _bound(node: ast.AST) -> list[str]:
    """The names that a node gives something."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        return [node.id]
    if isinstance(node, ast.arg):
        return [node.arg]
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.ExceptHandler):
        return [node.name] if node.name else []
    if isinstance(node, ast.alias):
        return [(node.asname or node.name).partition(".")[0]]
    return []


def _computes(node: ast.AST, own: set[str]) -> bool:
    if isinstance(node, ast.Import):
        return all(alias.name.partition(".")[0] in _MODULES for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        known = node.level == 0 and (node.module or "").partition(".")[0] in _MODULES
        return known and all(alias.name != "*" and not _reaches(alias.name) for alias in node.names)
    if isinstance(node, ast.Attribute):
        return not _reaches(node.attr)
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        return node.id not in _ACTING and (node.id in own or node.id in _BUILT_IN)
    return True


def _reaches(name: str) -> bool:
    return name in _OTHERS or name.startswith("_")
