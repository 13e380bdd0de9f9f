"""Branches that the settings protect; B23."""

from __future__ import annotations

import pytest

from gateway.decision import Effect
from tests.engine.build import SHOP, decide

PROTECTED = SHOP.replace("settings:\n", 'settings:\n  protected_branches: [delivery, "hotfix/*"]\n', 1)


def effect(command: str, text: str) -> Effect:
    return decide("run", {"command": command}, text=text).effect


@pytest.mark.parametrize(
    "command",
    [
        "git push --force-with-lease origin delivery",
        "git push --force-with-lease origin HEAD:refs/heads/hotfix/1",
        "git push origin --delete hotfix/1",
        "git push origin :delivery",
    ],
)
def test_a_protected_branch_is_not_overwritten(command: str) -> None:
    assert effect(command, PROTECTED) is not Effect.ALLOW


def test_a_lease_on_another_branch_passes() -> None:
    assert effect("git push --force-with-lease origin delivery", SHOP) is Effect.ALLOW
    assert effect("git push --force-with-lease origin topic", PROTECTED) is Effect.ALLOW
    assert effect("git push origin delivery", PROTECTED) is Effect.ALLOW
