"""What an expression may name: variables with their types, and functions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import field, replace

from gateway.cel.functions import STANDARD, Library
from gateway.cel.functions.signature import Function, Style
from gateway.cel.syntax import Access, Call, Ident, Node, Select
from gateway.cel.types import Type
from gateway.cel.values import TypeValue
from gateway.frozen import frozen

TYPE_NAMES: Mapping[str, TypeValue] = {
    name: TypeValue(name)
    for name in (
        "bool",
        "int",
        "uint",
        "double",
        "string",
        "bytes",
        "list",
        "map",
        "null_type",
        "type",
        "optional_type",
        "google.protobuf.Timestamp",
        "google.protobuf.Duration",
        "decimal",
        "net.IP",
        "net.CIDR",
        "kubernetes.URL",
    )
}


@frozen
class Environment:
    """Variables by name (which may have dots), functions, and the namespace that names are looked up in."""

    variables: Mapping[str, Type] = field(default_factory=dict)
    functions: Library = STANDARD
    container: str = ""
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    """Names that are known at other points only, each with what to do about it."""

    def with_variables(self, /, **more: Type) -> Environment:
        """The environment with more variables, or other types for some."""
        elsewhere = {name: where for name, where in self.elsewhere.items() if name not in more}
        return replace(self, variables={**self.variables, **more}, elsewhere=elsewhere)

    def candidates(self, name: str) -> Iterator[str]:
        """The full names that a name may stand for, innermost namespace first."""
        parts = self.container.split(".") if self.container else []
        for count in range(len(parts), 0, -1):
            yield ".".join((*parts[:count], name))
        yield name


@frozen
class Resolved:
    """A name found: the variable or type it means, and the selections that are left to do on it."""

    name: str
    rest: tuple[Select, ...]


def resolve(node: Node, environment: Environment, local: Collection[str]) -> Resolved | None:
    """The variable or type that a name, or a chain of plain selections on one, means; longest name first.

    None if it is no such chain, begins with a macro variable, or means nothing that is declared.
    """
    chain: list[Select] = []
    while isinstance(node, Select) and node.access is Access.PLAIN:
        chain.append(node)
        node = node.operand
    if not isinstance(node, Ident) or (not node.root and node.name in local):
        return None
    chain.reverse()
    names = [node.name]
    for select in chain:
        names.append(f"{names[-1]}.{select.field}")
    for length in range(len(names), 0, -1):
        name = names[length - 1]
        for candidate in (name,) if node.root else environment.candidates(name):
            if candidate in environment.variables or candidate in TYPE_NAMES:
                return Resolved(candidate, tuple(chain[length - 1 :]))
    return None


def resolve_call(
    call: Call, environment: Environment, local: Collection[str]
) -> tuple[Function | None, Node | None]:
    """The function that a call means and the target that is its first argument, if any.

    `math.least(x)` is a global function if there is one of that name and `math` is no variable, or `least` nothing
    that can be called on one: `lists.range(3)` is no part of a policy's `lists`.
    """
    library = environment.functions
    target = call.target
    if target is None:
        for name in environment.candidates(call.name):
            if function := library.find(name, Style.GLOBAL):
                return function, None
        return None, None
    prefix, member = dotted(target), library.find(call.name, Style.MEMBER)
    free = member is None or resolve(target, environment, local) is None
    if prefix and free and prefix.split(".")[0] not in local:
        for name in environment.candidates(f"{prefix}.{call.name}"):
            if function := library.find(name, Style.GLOBAL):
                return function, None
    return member, target


def dotted(node: Node) -> str:
    """`a.b.c` for a chain of plain selections on a name, else nothing."""
    parts: list[str] = []
    while isinstance(node, Select) and node.access is Access.PLAIN:
        parts.append(node.field)
        node = node.operand
    if not isinstance(node, Ident):
        return ""
    return ".".join((node.name, *reversed(parts)))
