"""What must come in pairs: codes with tests that meet them, tools with texts, and rules and tools with cases."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from gateway.checks import CHECKS, check_id
from gateway.compile import Compiled, compile_policy
from gateway.decision import Effect
from gateway.guarded import guard_for
from gateway.load import load_policy
from gateway.risk import RiskLevel

REPOSITORY = Path(__file__).parents[1]
SHIPPED = ("policies/platform", "policies/coding-agent")
SAYING = frozenset(("Diagnostic", "error", "warn", "Malformed"))


def codes() -> Iterator[str]:
    """The codes of everything that can be said about a policy, as the code writes them."""
    for path in sorted((REPOSITORY / "gateway").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            first = node.args[0]
            said = first.value if name in SAYING and isinstance(first, ast.Constant) else None
            if isinstance(said, str) and "-" in said and said.replace("-", "").isalpha():
                yield said


@cache
def said_in_tests() -> str:
    """All that the tests say, but this file."""
    files = [*(REPOSITORY / "tests").rglob("*.py"), *(REPOSITORY / "tests").rglob("*.yaml")]
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(files) if path != Path(__file__))


@pytest.mark.parametrize("code", sorted(set(codes())))
def test_each_code_is_met_by_a_test(code: str) -> None:  # B23
    assert code in said_in_tests()


@pytest.mark.parametrize("check", [check_id(module) for module in CHECKS])
def test_each_check_is_held_to_what_it_says(check: str) -> None:  # B23
    cases = [path.read_text(encoding="utf-8") for path in (REPOSITORY / "tests" / "checks").glob("test_*.py")]
    assert any(f'"{check}"' in text for text in cases)


def compiled(folder: str) -> Compiled:
    return compile_policy(load_policy(REPOSITORY / folder), guard_for(Path("policy.yaml")))


@pytest.mark.parametrize("folder", SHIPPED)
def test_each_tool_that_comes_along_is_described(folder: str) -> None:  # B23 E9
    for name, tool in compiled(folder).declared.items():
        assert tool.get("title") and tool.get("group") and tool.get("description"), name
        assert tool.risk is RiskLevel.READ_ONLY or tool.get("describe"), name
        for argument, schema in (tool.get("parameters") or {}).get("properties", {}).items():
            assert schema.get("description"), (name, argument)


@pytest.mark.parametrize("folder", SHIPPED)
def test_each_tool_and_each_rule_that_refuses_has_a_case(folder: str) -> None:  # B23
    cases = "\n".join(path.read_text(encoding="utf-8") for path in (REPOSITORY / folder).glob("*.test.yaml"))
    policy = load_policy(REPOSITORY / folder)
    named = [
        *(tool.name for tool in policy.tools),
        *(rule.id for rule in policy.rules if rule.effect is not Effect.ALLOW),
    ]
    assert [name for name in named if name not in cases] == []
