"""The editor knows each place of the language at which a condition stands or tools are named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin

import pytest
from gatewayctl.editor.names import Sort, is_expression, sort_at
from pydantic import WithJsonSchema

from gateway.policy.read import SECTIONS


def expressions(annotation: Any, metadata: Any) -> Iterator[tuple[str, ...]]:
    """The ways from a key to the expressions that it holds: itself, or one by each name."""
    if any(isinstance(each, WithJsonSchema) and _is_cel(each) for each in metadata):
        yield ()
    for index, inner in enumerate(get_args(annotation)):
        for way in expressions(inner, getattr(inner, "__metadata__", ())):
            yield ("name", *way) if index == 1 and get_origin(annotation) in (dict, Mapping) else way


def _is_cel(schema: WithJsonSchema) -> bool:
    return isinstance(schema.json_schema, dict) and schema.json_schema.get("description") == "CEL"


PLACES = sorted(
    {
        (section, 0, key, *way)
        for section, model in SECTIONS.items()
        for key, field in model.model_fields.items()
        for way in expressions(field.annotation, field.metadata)
    },
    key=str,
)


def test_the_places_are_found() -> None:
    assert {("rules", 0, "when"), ("arguments", 0, "set", "name"), ("tools", 0, "read_only_when")} <= set(
        PLACES
    )


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_each_expression_is_known_as_one(place: tuple[str | int, ...]) -> None:
    assert is_expression(place)


@pytest.mark.parametrize(
    "section",
    [name for name, model in SECTIONS.items() if "tools" in model.model_fields and name != "servers"],
)
def test_tools_are_known_wherever_they_are_named(section: str) -> None:
    assert sort_at((section, 0, "tools", 0), is_key=False, in_test=False) == (Sort.TOOL, False)


@pytest.mark.parametrize("section", [name for name, model in SECTIONS.items() if "id" in model.model_fields])
def test_whatever_has_an_id_is_known_by_it(section: str) -> None:
    assert sort_at((section, 0, "id"), is_key=False, in_test=False) == (Sort.RULE, True)
