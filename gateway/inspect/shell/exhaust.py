"""Scripts that use up a machine: functions that start themselves over and over, loops without end that pile up work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.inspect.deed import Deed, Does
from gateway.later import later

if TYPE_CHECKING:
    from tree_sitter import Node

    from gateway.inspect.shell.parse import Script
    from gateway.inspect.shell.walk import Walk

ENDLESS = frozenset(("function_definition", "while_statement", "for_statement", "c_style_for_statement"))
"""Statements that can go on without end."""
WATCHED = ENDLESS | {"pipeline", "command"}
"""Statements of which `watch` should hear."""

_ENDLESS = later(
    r"(?:while\s*(?::|true|/bin/true|\[\[?\s*1\s*\]\]?|test 1|\(\(\s*[1-9]\d*\s*\)\))|until\s*false)\s*[;\n]"
)
_FOREVER = later(r"for\s*\(\(\s*[^;]*;\s*(?:[1-9]\d*\s*)?;")
_LONG_LIST = later(r"\{\d+\.\.(\d+)\}|\bseq\s+(?:-\w\s+)?(?:\d+\s+){0,2}(\d+)|;\s*\w+\s*<=?\s*(\d+)\s*;")
_GUARDS = frozenset(("if_statement", "case_statement", "for_statement", "while_statement", "list"))
_SEPARATE = frozenset(("function_definition", "command_substitution"))
# Commands that end a round of a loop late, or the loop itself.
_WAITING = """
break exit return exec wait sleep usleep read select inotifywait fswatch entr nc socat tail curl wget ssh timeout kill
trap
"""
_WAITS = frozenset(_WAITING.split())
_MAKES = frozenset(("mkdir", "touch", "mktemp", "cp", "dd", "fallocate", "head", "split", "mkfifo"))
_MANY = 1000


def watch(walk: Walk, node: Node) -> None:
    """Record a statement that uses up the machine."""
    script = walk.script
    if node.type not in ENDLESS and "$0" not in script.slice(node):
        return
    parts = [node, *_inside(node)]
    walk.reading.budget.spend(1 + len(parts) // 16)
    if _exhausts(script, node, parts):
        start, end = script.place(*script.span(node))
        walk.reading.deeds.append(Deed(Does.EXHAUST, script.slice(node), start, end, walk.scope.cwd))


def _exhausts(script: Script, node: Node, parts: list[Node]) -> bool:
    if node.type == "function_definition":
        return _multiplies(script, node, parts)
    if node.type not in ENDLESS:
        own = [part for part in parts if part.type == "command" and script.slice(part) in ("$0", '"$0"')]
        return len(own) > 1 or any(map(_background, own))
    text = script.slice(node)
    if _ENDLESS.match(text) or _FOREVER.match(text):
        return _piles_up(script, node, parts)
    found = _LONG_LIST.search(text, 0, max(text.find("do"), 0))
    count = next((group for group in found.groups() if group), "0") if found else "0"
    started = int(count[:9]) >= _MANY and any(map(_background, parts))
    return started and not _pauses(script, parts)


def _multiplies(script: Script, node: Node, parts: list[Node]) -> bool:
    """Whether each call of a function starts more of itself, without a condition that ends this."""
    name = node.child_by_field_name("name")
    wanted = "" if name is None else script.slice(name)
    own = [part for part in parts if part.type == "command" and _name(script, part) == wanted]
    pipes = [_above(call, frozenset(("pipeline",)), node) for call in own]
    counted = Counter(pipe.id for pipe in pipes if pipe is not None)
    if any(count > 1 for count in counted.values()):
        return True
    return any(
        (pipe is not None or _background(call)) and _above(call, _GUARDS, node) is None
        for call, pipe in zip(own, pipes, strict=True)
    )


def _piles_up(script: Script, node: Node, parts: list[Node]) -> bool:
    """Whether a loop without end starts, writes or keeps something each time round, and never waits."""
    body = node.child_by_field_name("body")
    if body is None or _pauses(script, parts):
        return False
    done = list(_inside(body))
    commands = [_name(script, part) for part in done if part.type == "command"]
    if all(name in (":", "true") for name in commands) and not any(part.type in ENDLESS for part in done):
        return True
    return any(_background(part) or _grows(script, part) for part in done)


def _grows(script: Script, node: Node) -> bool:
    if node.type == "file_redirect":
        return ">>" in script.slice(node) and "/dev/null" not in script.slice(node)
    if node.type == "variable_assignment":
        name, _, value = script.slice(node).partition("=")
        doubled = value.count(f"${name}") + value.count(f"${{{name}}}")
        return (name.endswith("+") and not value.isdigit()) or (doubled > 0 and "((" not in value)
    words = script.slice(node).split() if node.type == "command" else []
    return bool(words) and (words[0] in _MAKES or (words[0] == "tee" and "-a" in words))


def _pauses(script: Script, parts: list[Node]) -> bool:
    return any(
        part.type == "command" and _name(script, part) in _WAITS and not _background(part) for part in parts
    )


def _inside(node: Node) -> Iterator[Node]:
    """All that runs as a part of a node, not what is only defined in it."""
    waiting = list(node.named_children)
    while waiting:
        one = waiting.pop()
        yield one
        if one.type not in _SEPARATE:
            waiting += one.named_children


def _above(node: Node, kinds: frozenset[str], top: Node) -> Node | None:
    """The nearest node of some kinds that holds the node, below the top one."""
    one = node.parent
    while one is not None and one != top:
        if one.type in kinds:
            return one
        one = one.parent
    return None


def _background(node: Node) -> bool:
    """Whether a statement is started aside, on its own or as the end of its pipe."""
    following = node.next_sibling
    if following is not None:
        return following.type == "&"
    parent = node.parent
    return parent is not None and parent.type in ("pipeline", "redirected_statement") and _background(parent)


def _name(script: Script, node: Node) -> str:
    name = node.child_by_field_name("name")
    return "" if name is None else script.slice(name).replace("\\", "")
