"""The example of the README runs, and says what it does."""

from __future__ import annotations

from pathlib import Path

from tests.reference import shown
from tests.remembering.world import CLERK, SHOP, call, person
from tests.test_readme import README


def test_the_example_asks_takes_an_answer_and_runs_the_call_once(tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text(SHOP)
    code = shown(README, "remembering")
    code = code.replace("/var/lib/agent/gateway.db", f"{tmp_path}/state/gateway.db")
    code = code.replace('"policy.yaml"', f'"{tmp_path}/policy.yaml"')
    assert code.count(str(tmp_path)) == 2
    runs: list[object] = []
    read: list[str] = []
    exec(  # noqa: S102
        code,
        {
            "call": call("pay"),
            "session": CLERK,
            "session_of_the_person": person("u-2"),
            "tool": lambda arguments: runs.append(arguments) or "paid",  # type: ignore[func-returns-value]
            "model_reads": read.append,
        },
    )
    assert runs == [{"id": "a", "amount": 1}]
    assert len(read) == 1
    assert "paid" in read[0]
