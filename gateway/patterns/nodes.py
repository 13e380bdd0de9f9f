"""Reads the YAML nodes of packs: what is wrong is told at its node."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

from gateway.diagnostic import suggest

if TYPE_CHECKING:
    from yaml import Node

E_ = TypeVar("E_", bound=Enum)


class Wrong(Exception):
    """One thing that is wrong, at a node."""

    def __init__(self, node: Node, code: str, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.node, self.code, self.message, self.advice = node, code, message, advice


def mapping(node: Node, known: tuple[str, ...], what: str) -> dict[str, Any]:
    """The values of a mapping by their keys, which are among the known ones."""
    if not is_a(node, "mapping"):
        raise Wrong(node, "pattern-shape", f"{what} is a mapping")
    fields: dict[str, Any] = {}
    for key, value in node.value:
        name = string(key)
        if name not in known:
            near = suggest(name, known)
            advice = (
                f"did you mean `{near[0]}`?" if near else "known are " + ", ".join(f"`{k}`" for k in known)
            )
            raise Wrong(key, "pattern-key", f"{what} has no key `{name}`", advice)
        if name in fields:
            raise Wrong(key, "pattern-key", f"the key `{name}` stands twice")
        fields[name] = value
    return fields


def is_a(node: Any, shape: str) -> bool:
    """Whether a node has a shape; the classes of nodes differ in nothing else."""
    return bool(node.id == shape)


def items(node: Node) -> list[Any]:
    """The items of a list; one value stands for a list of one."""
    return list(node.value) if is_a(node, "sequence") else [node]


def strings(node: Node) -> list[str]:
    """A list of texts; one text stands for a list of one."""
    return [string(item) for item in items(node)]


def string(node: Node) -> str:
    """A text."""
    if not is_a(node, "scalar") or node.tag != "tag:yaml.org,2002:str":
        raise Wrong(node, "pattern-shape", "a text is expected here", "quote it")
    return str(node.value)


def member(kind: type[E_], node: Node) -> E_:
    """The member of an enumeration that has this name."""
    name = string(node)
    for each in kind:
        if each.value == name:
            return each
    known = ", ".join(f"`{each.value}`" for each in kind)
    raise Wrong(node, "pattern-word", f"`{name}` is not known here", f"known are {known}")


def word(names: frozenset[str], node: Node) -> str:
    """A word that is one of some names."""
    name = string(node)
    if name not in names:
        near = suggest(name, sorted(names))
        advice = (
            f"did you mean `{near[0]}`?"
            if near
            else "known are " + ", ".join(f"`{n}`" for n in sorted(names))
        )
        raise Wrong(node, "pattern-word", f"`{name}` is not known here", advice)
    return name


def number(node: Node) -> int:
    """A whole number."""
    if not is_a(node, "scalar") or node.tag != "tag:yaml.org,2002:int":
        raise Wrong(node, "pattern-shape", "a whole number is expected here")
    return int(node.value)


def truth(node: Node) -> bool:
    """`true` or `false`."""
    if not is_a(node, "scalar") or node.value not in ("true", "false"):
        raise Wrong(node, "pattern-shape", "`true` or `false` is expected here")
    return bool(node.value == "true")
