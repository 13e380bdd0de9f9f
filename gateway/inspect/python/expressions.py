"""Expressions of Python code, folded to what they may be; calls in them do what they do."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gateway.inspect.private import private_variable
from gateway.inspect.python.folding import CONSTANTS, FOLDS, join
from gateway.inspect.python.names import canonical
from gateway.inspect.value import NOTHING, Value, either, joined, sources, text
from gateway.inspect.word import UNKNOWN, marked

if TYPE_CHECKING:
    from gateway.inspect.python.walk import Walk

_FORMAT_ENDS = "diouxXeEfFgGcrsa"
# Values of the environment that are known well enough.
_ENVIRONMENT = MappingProxyType({"HOME": "~", "USERPROFILE": "~", "PWD": ".", "TMPDIR": "/tmp"})  # noqa: S108


def constant(walk: Walk, node: Any) -> Value:
    """A literal."""
    del walk
    value = node.value
    if isinstance(value, str):
        return text(value)
    if isinstance(value, bytes):
        return text(value.decode("latin-1"))
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 40:
        return Value(number=value)
    return NOTHING


def name(walk: Walk, node: Any) -> Value:
    """A variable, or else the module or function that has the name."""
    found = walk.look_up(node.id)
    return found if found is not None else named(canonical(node.id))


def named(dotted: str) -> Value:
    """A module, class, function or constant by its name."""
    known = CONSTANTS.get(dotted)
    return known if known is not None else Value(name=dotted)


def attribute(walk: Walk, node: Any) -> Value:
    """An attribute: of a module, of an object made here, of a path."""
    return attribute_of(walk, walk.value(node.value), node.attr)


def attribute_of(walk: Walk, value: Value, attr: str) -> Value:
    """The attribute of a value."""
    if value.kind == "instance":
        found = walk.attributes.get((id(value.body), attr))
        if found is not None:
            return found
        method = walk.method(value.body, attr)
        return Value(kind="method", body=method, items=(value,)) if method is not None else NOTHING
    if value.kind == "path":
        return path_attribute(value, attr)
    if value.kind == "tmpfile" and attr == "name":
        return text(*value.texts)
    if value.kind == "response":
        return replace(value, kind="response" if attr in ("content", "text", "raw", "stdout") else "")
    if value.name and not value.kind:
        return named(canonical(f"{value.name}.{attr}"))
    if attr == "path" and value.texts:
        return value
    return Value(sources=value.sources)


def path_attribute(value: Value, attr: str) -> Value:
    """A part of a path, which is one itself."""
    if attr in ("parent", "name", "stem"):
        fold = FOLDS["os.path.dirname" if attr == "parent" else "os.path.basename"]
        made = fold((value,))
        return replace(made, kind="path" if attr == "parent" else "", extent=value.extent)
    if attr == "parents":
        above = replace(FOLDS["os.path.dirname"]((value,)), kind="path")
        rows = [above]
        for _ in range(5):
            rows.append(replace(FOLDS["os.path.dirname"]((rows[-1],)), kind="path"))
        return Value(items=tuple(rows))
    return value if attr == "path" else NOTHING


def operation(walk: Walk, node: Any) -> Value:
    """Texts put together, paths joined, templates filled, numbers reckoned."""
    left, right = walk.value(node.left), walk.value(node.right)
    kind = type(node.op)
    if kind is ast.Div and (left.kind in ("path", "tmpfile") or right.kind == "path" or left.texts):
        made = join((left, right))
        return Value(texts=made.text(), kind="path", sources=made.sources, extent=made.extent)
    if left.number is not None and right.number is not None:
        return _reckoned(kind, left.number, right.number)
    if kind is ast.Add:
        if left.items is not None or right.items is not None:
            items = (*(left.items or (left,)), *(right.items or (right,)))
            return Value(items=items[:256], kind=left.kind or right.kind)
        return joined([left, right])
    if kind is ast.Mod and left.texts:
        given = right.items if right.items is not None and not right.keys else (right,)
        named_values = dict(zip(right.keys, right.items or (), strict=False))
        return _percent(left, list(given), named_values)
    if kind is ast.Mult and (left.texts or right.texts or left.items or right.items):
        word, count = (left, right) if left.texts or left.items else (right, left)
        if word.items is not None:
            return word
        known = count.number if count.number is not None and 0 <= count.number <= 64 else None
        return joined([word] * known) if known else text("" if known == 0 else UNKNOWN)
    if kind is ast.BitOr and left.items is not None and right.items is not None:
        return Value(items=(*left.items, *right.items), keys=(*left.keys, *right.keys))
    return Value(sources=sources((left, right)))


def _reckoned(kind: type, left: int, right: int) -> Value:
    made: int | None = None
    if kind is ast.Add:
        made = left + right
    elif kind is ast.Sub:
        made = left - right
    elif kind is ast.Mult:
        made = left * right
    elif kind is ast.BitXor:
        made = left ^ right
    elif kind in (ast.FloorDiv, ast.Mod) and right:
        made = left // right if kind is ast.FloorDiv else left % right
    return Value(number=made) if made is not None and abs(made) < 1 << 40 else NOTHING


def _percent(template: Value, given: list[Value], by_name: dict[str, Value]) -> Value:
    if len(template.texts) != 1:
        return text(UNKNOWN)
    parts: list[Value] = []
    rest = template.texts[0]
    while "%" in rest:
        before, _, rest = rest.partition("%")
        parts.append(text(before))
        if rest.startswith("%"):
            parts.append(text("%"))
            rest = rest[1:]
            continue
        value = None
        if rest.startswith("("):
            key, _, rest = rest[1:].partition(")")
            value = by_name.get(key, text(UNKNOWN))
        at = next((i for i, char in enumerate(rest) if char in _FORMAT_ENDS), len(rest))
        end = rest[at : at + 1]
        rest = rest[at + 1 :]
        if value is None:
            value = given.pop(0) if given else text(UNKNOWN)
        parts.append(FOLDS["chr"]((value,)) if end == "c" and value.number is not None else value)
    return joined([*parts, text(rest)])


def formatted(template: Value, given: list[Value], by_name: dict[str, Value]) -> Value:
    """A template of `str.format` with its values put in."""
    if len(template.texts) != 1:
        return text(UNKNOWN)
    parts: list[Value] = []
    rest, count = template.texts[0].replace("{{", "\ue010").replace("}}", "\ue011"), 0
    while "{" in rest:
        before, _, rest = rest.partition("{")
        field, _, rest = rest.partition("}")
        parts.append(text(before.replace("\ue010", "{").replace("\ue011", "}")))
        key = field.partition(":")[0].partition("!")[0]
        if not key:
            key, count = str(count), count + 1
        if key.isdecimal():
            parts.append(given[int(key)] if len(key) < 4 and int(key) < len(given) else text(UNKNOWN))
        else:
            parts.append(by_name.get(key, text(UNKNOWN)))
    return joined([*parts, text(rest.replace("\ue010", "{").replace("\ue011", "}"))])


def f_string(walk: Walk, node: Any) -> Value:
    """An f-string."""
    return joined([walk.value(part) for part in node.values])


def f_value(walk: Walk, node: Any) -> Value:
    """A value in an f-string."""
    value = walk.value(node.value)
    return Value(texts=value.text(), sources=sources((value,)), extent=value.extent)


def listed(walk: Walk, node: Any) -> Value:
    """A list, tuple or set."""
    items: list[Value] = []
    for one in node.elts[:256]:
        if isinstance(one, ast.Starred):
            value = walk.value(one.value)
            items += value.items if value.items is not None else (text(UNKNOWN),)
        else:
            items.append(walk.value(one))
    for one in node.elts[256:]:
        walk.value(one)
    return Value(items=tuple(items))


def mapping(walk: Walk, node: Any) -> Value:
    """A dictionary."""
    keys: list[str] = []
    items: list[Value] = []
    for key, one in zip(node.keys, node.values, strict=True):
        value = walk.value(one)
        if key is None:
            keys += value.keys
            items += (value.items or ()) if value.keys else ()
            if value.kind == "environ":
                items.append(Value(sources=value.sources))
                keys.append("")
            continue
        known = walk.value(key)
        keys.append(known.texts[0] if known.texts else "")
        items.append(value)
    return Value(items=tuple(items), keys=tuple(keys))


def subscript(walk: Walk, node: Any) -> Value:
    """An item or a slice."""
    value = walk.value(node.value)
    if isinstance(node.slice, ast.Slice):
        return _slice(walk, value, node.slice)
    key = walk.value(node.slice)
    if value.kind == "environ":
        return variable(key.text()[0])
    if value.name == "sys.argv":
        return walk.argument(key.number)
    if value.name == "plumbum.local" and key.texts:
        return Value(name=f"sh.{key.texts[0]}")
    if value.name == "sys.modules" or (value.name == "" and value.kind == "globals"):
        return named(canonical(key.text()[0]))
    if value.name.endswith("__dict__") and key.texts:
        return named(canonical(f"{value.name.removesuffix('__dict__')}{key.texts[0]}".lstrip(".")))
    if value.keys and key.texts:
        for known, item in zip(value.keys, value.items or (), strict=False):
            if known == key.texts[0]:
                return item
        return Value(sources=value.sources)
    if value.items is not None and not value.keys:
        number = key.number
        if number is not None and value.kind != "many" and -len(value.items) <= number < len(value.items):
            return value.items[number]
        return either(value.items)
    if len(value.texts) == 1 and key.number is not None and not marked(value.texts[0]):
        one = value.texts[0]
        return text(one[key.number]) if -len(one) <= key.number < len(one) else text("")
    return Value(sources=sources((value,)), texts=(UNKNOWN,) if value.texts else ())


def variable(key: str, otherwise: Value = NOTHING) -> Value:
    """A variable of the environment."""
    if key in _ENVIRONMENT:
        return text(_ENVIRONMENT[key])
    unknown = Value(
        texts=(UNKNOWN,), sources=frozenset((f"env:{key}",)) if private_variable(key) else frozenset()
    )
    return either((otherwise, unknown)) if otherwise.texts else unknown


def _slice(walk: Walk, value: Value, node: ast.Slice) -> Value:
    bounds = [
        walk.value(part).number if part is not None else None for part in (node.lower, node.upper, node.step)
    ]
    given = (node.lower, node.upper, node.step)
    known = all(bound is not None or part is None for bound, part in zip(bounds, given, strict=True))
    cut = slice(*bounds) if known and bounds[2] != 0 else None
    if cut is not None and value.items is not None and value.kind != "many":
        return Value(items=value.items[cut])
    if cut is not None and value.texts and not any(marked(one) for one in value.texts):
        return Value(texts=tuple(dict.fromkeys(one[cut] for one in value.texts)), sources=value.sources)
    if value.items is not None:
        return value
    if value.name == "sys.argv":
        return Value(items=tuple(text(one) for one in walk.arguments), kind="many")
    return Value(texts=(UNKNOWN,) if value.texts else (), sources=sources((value,)))


def choice(walk: Walk, node: Any) -> Value:
    """One of two values."""
    walk.value(node.test)
    return either((walk.value(node.body), walk.value(node.orelse)))


def any_of(walk: Walk, node: Any) -> Value:
    """`a or b`."""
    return either([walk.value(one) for one in node.values])


def function(walk: Walk, node: Any) -> Value:
    """A function without a name."""
    walk.define(node)
    return Value(body=node)


def comprehension(walk: Walk, node: Any) -> Value:
    """A list that is made of the items of others."""
    made = walk.comprehended(node)
    return Value(items=tuple(made), kind="many")


def assigned(walk: Walk, node: Any) -> Value:
    """`(name := value)`."""
    value = walk.value(node.value)
    walk.assign(node.target, value)
    return value


def negated(walk: Walk, node: Any) -> Value:
    """A number below nothing; `not` and `~` tell nothing."""
    value = walk.value(node.operand)
    if isinstance(node.op, ast.USub) and value.number is not None:
        return Value(number=-value.number)
    return NOTHING


def inner(walk: Walk, node: Any) -> Value:
    """What stands behind `await`, `yield` and `*`."""
    return walk.value(node.value) if node.value is not None else NOTHING


def others(walk: Walk, node: Any) -> Value:
    """Anything else: what stands in it is done, what it makes is not known."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            walk.value(child)
    return NOTHING


EXPRESSIONS: Mapping[type, Callable[[Any, Any], Value]] = MappingProxyType(
    {
        ast.Constant: constant,
        ast.Name: name,
        ast.Attribute: attribute,
        ast.BinOp: operation,
        ast.JoinedStr: f_string,
        ast.FormattedValue: f_value,
        ast.List: listed,
        ast.Tuple: listed,
        ast.Set: listed,
        ast.Dict: mapping,
        ast.Subscript: subscript,
        ast.IfExp: choice,
        ast.BoolOp: any_of,
        ast.Lambda: function,
        ast.ListComp: comprehension,
        ast.SetComp: comprehension,
        ast.GeneratorExp: comprehension,
        ast.DictComp: comprehension,
        ast.NamedExpr: assigned,
        ast.UnaryOp: negated,
        ast.Await: inner,
        ast.Yield: inner,
        ast.YieldFrom: inner,
        ast.Starred: inner,
    }
)
