"""The tree of a CEL expression: frozen nodes that know the characters they stand for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from gateway.frozen import identified

if TYPE_CHECKING:
    from gateway.diagnostic import Diagnostic, Excerpt, Span

MAX_SOURCE = 8 * 1024
MAX_DEPTH = 250
MAX_NODES = 4_000


class UnaryOperator(Enum):
    """Operators before their operand."""

    NOT = "!"
    NEGATE = "-"


class BinaryOperator(Enum):
    """Operators between two operands, but `&&` and `||`."""

    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "/"
    MODULO = "%"
    EQUAL = "=="
    UNEQUAL = "!="
    LESS = "<"
    LESS_EQUAL = "<="
    GREATER = ">"
    GREATER_EQUAL = ">="
    IN = "in"


class LogicOperator(Enum):
    """The two operators that absorb errors."""

    AND = "&&"
    OR = "||"


class Access(Enum):
    """How a field, an index or an element is reached: it must be there, or `?` asks for an optional."""

    PLAIN = "plain"
    OPTIONAL = "optional"


class MacroKind(Enum):
    """What a comprehension builds from the elements of its range."""

    ALL = "all"
    EXISTS = "exists"
    EXISTS_ONE = "exists_one"
    LIST = "list"
    MAP = "map"


@identified
class Literal:
    """A constant written in the source."""

    start: int
    end: int
    value: Any


@identified
class Ident:
    """A name; `root` is true for `.name`, which no container and no macro variable can capture."""

    start: int
    end: int
    name: str
    root: bool = False


@identified
class Select:
    """`operand.field` or `operand.?field`."""

    start: int
    end: int
    operand: Node
    field: str
    access: Access
    field_start: int


@identified
class Has:
    """`has(operand.field)`."""

    start: int
    end: int
    operand: Node
    field: str
    access: Access
    field_start: int
    field_end: int


@identified
class Index:
    """`operand[index]` or `operand[?index]`."""

    start: int
    end: int
    operand: Node
    index: Node
    access: Access


@identified
class Call:
    """`name(arguments)`, or `target.name(arguments)`."""

    start: int
    end: int
    name: str
    target: Node | None
    arguments: tuple[Node, ...]
    name_start: int
    name_end: int


@identified
class Unary:
    """An operator and its operand."""

    start: int
    end: int
    operator: UnaryOperator
    operand: Node


@identified
class Binary:
    """An operator between two operands."""

    start: int
    end: int
    operator: BinaryOperator
    left: Node
    right: Node


@identified
class Logic:
    """A whole chain of `&&`, or of `||`: never a direct operand of its own kind."""

    start: int
    end: int
    operator: LogicOperator
    terms: tuple[Node, ...]


@identified
class Conditional:
    """`condition ? then : otherwise`."""

    start: int
    end: int
    condition: Node
    then: Node
    otherwise: Node


@identified
class Element:
    """An element of a list literal."""

    value: Node
    access: Access


@identified
class ListNode:
    """A list literal."""

    start: int
    end: int
    elements: tuple[Element, ...]


@identified
class Entry:
    """A key and its value in a map literal."""

    key: Node
    value: Node
    access: Access


@identified
class MapNode:
    """A map literal."""

    start: int
    end: int
    entries: tuple[Entry, ...]


@identified
class Macro:
    """A comprehension; with two variables the first is the index, or the key.

    `condition` is the filter of a LIST or MAP; `body` is what each element is turned into, or asked.
    """

    start: int
    end: int
    kind: MacroKind
    range: Node
    variables: tuple[str, ...]
    condition: Node | None
    body: Node


@identified
class Scoped:
    """A body in which one more name has a value: `cel.bind`, `cel.block`, `optMap` and `optFlatMap`."""

    start: int
    end: int
    kind: ScopedKind
    variable: str
    value: Node
    body: Node


class ScopedKind(Enum):
    """What becomes of the body of a `Scoped` node."""

    BIND = "bind"
    LAZY = "block"
    """As BIND, but the value is only evaluated when the name is first used."""
    OPTIONAL_MAP = "optMap"
    OPTIONAL_FLAT_MAP = "optFlatMap"


Node: TypeAlias = (
    Literal
    | Ident
    | Select
    | Has
    | Index
    | Call
    | Unary
    | Binary
    | Logic
    | Conditional
    | ListNode
    | MapNode
    | Macro
    | Scoped
)


_CHILDREN: Mapping[type, Callable[[Any], tuple[Node, ...]]] = {
    Literal: lambda node: (),
    Ident: lambda node: (),
    Select: lambda node: (node.operand,),
    Has: lambda node: (node.operand,),
    Index: lambda node: (node.operand, node.index),
    Call: lambda node: node.arguments if node.target is None else (node.target, *node.arguments),
    Unary: lambda node: (node.operand,),
    Binary: lambda node: (node.left, node.right),
    Logic: lambda node: node.terms,
    Conditional: lambda node: (node.condition, node.then, node.otherwise),
    ListNode: lambda node: tuple(element.value for element in node.elements),
    MapNode: lambda node: tuple(part for entry in node.entries for part in (entry.key, entry.value)),
    Macro: lambda node: tuple(part for part in (node.range, node.condition, node.body) if part is not None),
    Scoped: lambda node: (node.value, node.body),
}


def children(node: Node) -> Sequence[Node]:
    """The nodes directly below a node, in source order."""
    return _CHILDREN[node.__class__](node)


def measure(root: Node) -> tuple[int, int]:
    """Height and number of nodes of a tree, without recursion but for lazy values.

    These are evaluated where their name stands, so that their height adds to that of the body.
    """
    height = count = 0
    pending = [(root, 1)]
    while pending:
        node, depth = pending.pop()
        count += 1
        height = max(height, depth)
        depth += 1
        if isinstance(node, Scoped) and node.kind is ScopedKind.LAZY:
            pending += (node.value, depth), (node.body, depth + measure(node.value)[0])
            continue
        for child in children(node):
            pending.append((child, depth))
    return height, count


_NO_LETS: Mapping[str, Parsed] = MappingProxyType({})


@identified
class Parsed:
    """An expression as it was read; `ast` is None if it can't be used, and then `diagnostics` say why."""

    excerpt: Excerpt
    ast: Node | None
    diagnostics: tuple[Diagnostic, ...]
    height: int = 0
    lets: Mapping[str, Parsed] = field(default_factory=lambda: _NO_LETS)

    def span(self, node: Node) -> Span:
        """Where a node stands in the source."""
        return self.excerpt.span(node.start, node.end)


def bind(parsed: Parsed, lets: Mapping[str, Parsed]) -> Parsed:
    """The expression with names for other expressions; each is evaluated at most once, when it is used.

    Macro variables shadow these names. Expressions given here keep the names that they were bound with.
    """
    if parsed.ast is None or not lets:
        return parsed
    height = parsed.height + max(let.height for let in lets.values())
    if height > MAX_DEPTH:
        from gateway.diagnostic import Diagnostic

        deep = Diagnostic(
            "cel-limit",
            f"the expression is nested more than {MAX_DEPTH} levels deep with its `let` names",
            parsed.span(parsed.ast),
        )
        return Parsed(parsed.excerpt, None, (*parsed.diagnostics, deep))
    return replace(parsed, height=height, lets=MappingProxyType({**parsed.lets, **lets}))
