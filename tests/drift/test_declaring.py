"""Tools that are declared in code: what is read from a function, and that it stays what it was. Rows A17 and B23."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import subprocess
import sys
from types import ModuleType
from typing import Annotated, Any, Literal, Optional

import pytest
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

import gateway
from gateway.declaring import KEYWORDS, Declaration, DeclarationError, declared_in
from gateway.drift import Side, differences, of_code, of_policy
from gateway.load import load_text
from gateway.risk import RiskLevel
from gateway.schema import check_schema
from gateway.typed import parameters_of


class Kind(enum.Enum):
    A = "a"
    B = "b"


@dataclasses.dataclass
class Address:
    street: str
    number: int = 1


class Pair(TypedDict):
    one: str


class Model(BaseModel):
    count: int = Field(ge=0, description="How many.")


@dataclasses.dataclass
class Loop:
    inner: Optional[Loop] = None  # noqa: UP045


def declared(function: Any) -> Declaration:
    found: Declaration = function.__gateway_tool__
    return found


def properties(function: Any) -> dict[str, Any]:
    schema = parameters_of(function)
    assert check_schema(schema, None) == ()
    found: dict[str, Any] = schema["properties"]
    return found


def test_a_declared_function_stays_what_it_is() -> None:
    @gateway.tool
    def twice(number: int) -> int:
        """Double a number.

        Whole ones only.
        """
        return 2 * number

    assert twice(4) == 8
    assert twice.__name__ == "twice"
    one = declared(twice)
    assert (one.function, one.name, one.title, one.risk, one.permissions) == (
        twice,
        "twice",
        None,
        None,
        None,
    )
    assert one.description == "Double a number.\n\nWhole ones only."


def test_what_is_said_stands_before_what_is_read() -> None:
    @gateway.tool(name="x2", title="Twice", description="Said.", risk="HIGH", permissions=["a:b"])
    def twice(number: int) -> int:
        """Read."""
        return 2 * number

    one = declared(twice)
    assert (one.name, one.title, one.description) == ("x2", "Twice", "Said.")
    assert (one.risk, one.permissions) == (RiskLevel.HIGH, ("a:b",))

    @gateway.tool(permissions=[], risk=RiskLevel.LOW)
    def silent() -> None: ...

    assert (declared(silent).description, declared(silent).permissions) == (None, ())


def test_the_schema_is_that_of_the_types() -> None:
    def every(
        text: str,
        number: float,
        flag: bool,
        names: list[str],
        counts: dict[str, int],
        free: dict[str, Any],
        how: Literal["x", "y"],
        anything: Any,
        either: int | str,
        null: str | None,
        most: int = 5,
        schema: str = "z",
        none: Optional[int] = None,  # noqa: UP045
        *,
        named: bool = True,
    ) -> None: ...

    assert parameters_of(every) == {
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "number": {"type": "number"},
            "flag": {"type": "boolean"},
            "names": {"type": "array", "items": {"type": "string"}},
            "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
            "free": {"type": "object", "additionalProperties": True},
            "how": {"enum": ["x", "y"], "type": "string"},
            "anything": {},
            "either": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            "null": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "most": {"type": "integer", "default": 5},
            "schema": {"type": "string", "default": "z"},
            "none": {"type": "integer"},
            "named": {"type": "boolean", "default": True},
        },
        "required": [
            *("text", "number", "flag", "names", "counts"),
            *("free", "how", "anything", "either", "null"),
        ],
    }


def test_enums_and_classes_are_definitions() -> None:
    def some(kind: Kind, address: Address, pair: Pair, model: Model | None = None) -> None: ...

    schema = parameters_of(some)
    assert check_schema(schema, None) == ()
    assert schema["properties"]["model"] == {"$ref": "#/$defs/Model"}
    assert schema["required"] == ["kind", "address", "pair"]
    assert schema["$defs"]["Kind"] == {"enum": ["a", "b"], "type": "string"}
    assert schema["$defs"]["Pair"]["required"] == ["one"]
    assert schema["$defs"]["Address"]["properties"]["number"] == {"type": "integer", "default": 1}
    assert schema["$defs"]["Model"]["properties"]["count"]["description"] == "How many."


def test_marks_and_descriptions_are_annotated_at_any_depth() -> None:
    def send(
        to: Annotated[list[str], {"x-role": "recipient"}],
        body: Annotated[str, "The text.", {"x-sensitive": True}],
        cc: list[Annotated[str, {"x-role": "recipient"}]],
        bcc: Annotated[str | None, {"x-role": "recipient"}] = None,
        more: dict[str, Annotated[int, Field(ge=1)]] | None = None,
    ) -> None: ...

    assert properties(send) == {
        "to": {"type": "array", "items": {"type": "string"}, "x-role": "recipient"},
        "body": {"type": "string", "description": "The text.", "x-sensitive": True},
        "cc": {"type": "array", "items": {"type": "string", "x-role": "recipient"}},
        "bcc": {"type": "string", "x-role": "recipient"},
        "more": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}},
    }


def test_a_default_that_json_lacks_is_left_out() -> None:
    def some(when: object = object(), names: Any = frozenset) -> None: ...

    assert properties(some) == {"when": {}, "names": {}}
    assert "required" not in parameters_of(some)


def no_type(x) -> None: ...  # type: ignore[no-untyped-def]
def several(*names: str) -> None: ...
def any_names(**names: str) -> None: ...
def positional(name: str, /) -> None: ...
def unknown(name: Missing) -> None: ...  # type: ignore[name-defined]  # noqa: F821
def no_json(name: ModuleType) -> None: ...


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (no_type, "the argument `x` of `no_type` has no type"),
        (several, "takes any number of values"),
        (any_names, "takes any names"),
        (positional, "is positional"),
        (unknown, "the types of `unknown` can't be read: name 'Missing' is not defined"),
        (no_json, "an argument of `no_json` has no JSON type"),
    ],
)
def test_arguments_that_a_model_can_not_give_are_told(function: Any, why: str) -> None:
    gateway.tool(function)  # declaring alone reads no types
    with pytest.raises(DeclarationError) as error:
        parameters_of(function)
    assert why in str(error.value)


def call(**words: Any) -> Any:
    return lambda: gateway.tool(**words)


def test_each_keyword_is_described() -> None:
    parameters = inspect.signature(gateway.tool).parameters.values()
    assert [one.name for one in parameters if one.kind is one.KEYWORD_ONLY] == [*KEYWORDS]


@pytest.mark.parametrize(
    ("declare", "why"),
    [
        (lambda: gateway.tool(risk="AWFUL"), "`AWFUL` is no risk"),
        (lambda: gateway.tool(permissions="a:b"), "not one text"),
        (call(permission=["a:b"]), "`@gateway.tool` takes no `permission`: did you mean `permissions`?"),
        (call(colour=1), "it takes `name`, `title`, `description`, `risk`, `permissions`"),
        (lambda: gateway.tool(lambda: None), "`<lambda>` is no name of a tool"),
        (lambda: gateway.tool(name="a/b")(no_type), "`a/b` is no name of a tool"),
        (lambda: gateway.tool(len), "`len` is no function that can be declared"),
    ],
)
def test_what_can_not_be_declared_is_told(declare: Any, why: str) -> None:
    with pytest.raises(DeclarationError) as error:
        declare()
    assert why in str(error.value)


class Mirror:
    """Answers to every name."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"it was asked for `{name}`")


def module(name: str, **values: Any) -> ModuleType:
    made = ModuleType(name)
    vars(made).update(values)
    return made


def function(name: str) -> Any:
    @gateway.tool(name=name)
    def made(number: int) -> None: ...

    return made


def test_a_module_and_a_package_offer_what_they_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = function("read"), function("write")
    package = module("shop", read=read, again=read, mirror=Mirror(), number=1)
    for one in (package, module("shop.deep", write=write), module("shopping", other=function("other"))):
        monkeypatch.setitem(sys.modules, one.__name__, one)
    assert [one.name for one in declared_in(package)] == ["read", "write"]
    package.more = function("write")  # type: ignore[attr-defined]
    with pytest.raises(DeclarationError) as error:
        declared_in(package)
    assert str(error.value) == "the tool `write` is declared twice"


def side(*functions: Any) -> Side:
    return of_code([declared(one) for one in functions])


def policy(tools: str) -> Side:
    from gateway.diff import compiled

    return of_policy(compiled(load_text(f"version: 1\ntools:\n{tools}")).compiled)


def test_a_policy_and_code_are_compared_in_all_that_policies_read() -> None:
    @gateway.tool(risk="HIGH", permissions=["mail:send", "mail:read"])
    def send(to: Annotated[str, {"x-role": "recipient"}], body: str | None = None) -> None:
        """Send a
        mail."""

    same = (
        '  - {name: send, description: "Send a mail.", risk: HIGH, permissions: ["mail:read", "mail:send"],\n'
        "     parameters: {type: object, required: [to], properties: {to: {type: string, x-role: recipient,\n"
        "     description: Whose.}, body: {type: string}}}}\n"
    )
    assert [one.meaning for one in differences(policy(same), side(send))] == ["it is gone"]
    same = same.replace(",\n     description: Whose.", "")
    assert differences(policy(same), side(send)) == ()
    other = (
        same.replace("HIGH", "LOW").replace('"mail:send"', '"mail:all"').replace(", x-role: recipient", "")
    )
    found = differences(policy(other), side(send))
    assert [(one.field, one.meaning) for one in found] == [
        ("risk", "it is HIGH instead of LOW"),
        ("permissions", "they are `mail:read`, `mail:send` instead of `mail:all`, `mail:read`"),
        ("input", "what is marked is `to (x-role: recipient)` instead of none"),
    ]


def test_code_says_nothing_of_servers_tools_nor_what_it_leaves_out() -> None:
    @gateway.tool
    def look() -> None: ...

    tools = "  - {name: look, description: Look., risk: LOW, permissions: [a]}\n"
    assert differences(policy(tools), side(look)) != ()  # the description is gone
    plain = "  - {name: look, risk: LOW, permissions: [a]}\n  - {name: hub/look, permissions: []}\n"
    assert differences(policy(plain), side(look)) == ()


def test_types_that_turn_in_circles_are_refused() -> None:
    @gateway.tool
    def walk(loop: Loop) -> None: ...

    found = side(walk)
    assert found.tools == {}
    assert "refers to itself" in found.refused["walk"]


def test_declaring_imports_nothing_heavy() -> None:
    code = "import sys, gateway\n@gateway.tool\ndef f(x: int) -> None: ...\nprint('pydantic' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "False\n"
