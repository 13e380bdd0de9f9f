"""The actions that only look: tools, declared and effective side by side, and the rows of the audit (B22)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from gateway.call import PREFIX
from gateway.effective import EffectiveTool
from gateway.managing.desk import Desk
from gateway.managing.kept import audit_key


def listing(desk: Desk, given: Mapping[str, Any]) -> object:
    """Every tool of the tenant, and what is wrong with custom tools that are not there."""
    tenant = desk.current()
    tools = [
        _shown(tool, custom=tool.name not in desk.policy.tools)
        for tool in tenant.engine.catalogue.beside(desk.tenant, desk.now)
        if not tool.name.startswith(PREFIX)
    ]
    return {
        "tenant": desk.tenant,
        "tools": tools,
        "problems": {**tenant.extension.problems, **dict.fromkeys(tenant.lost, _LOST)},
    }


def audit(desk: Desk, given: Mapping[str, Any]) -> object:
    """Rows of the audit, and the number to go on from."""
    rows = desk.store.rows(audit_key(desk.tenant), given.get("after", 0), given.get("limit", 100))
    shown = [{"number": row.number, **json.loads(row.value)} for row in rows]
    return {"tenant": desk.tenant, "rows": shown, "after": rows[-1].number if rows else given.get("after", 0)}


_LOST = "the store keeps something under this name that is about no tool"


def _shown(tool: EffectiveTool, *, custom: bool) -> dict[str, Any]:
    keys = [key for key in tool.declared if key != "parameters"]
    return {
        "name": tool.name,
        "custom": custom,
        "source": tool.source,
        "endpoint": tool.endpoint,
        "config": dict(tool.config),
        "declared": {key: tool.declared[key] for key in keys},
        "effective": {key: tool.effective[key] for key in keys},
        "overrides": [
            {
                "overrides": sorted(plan.values),
                "place": plan.place,
                "reason": plan.reason,
                "until": None if plan.until is None else plan.until.text,
                "confirmed_by": plan.confirmed_by,
            }
            for plan in tool.overrides
        ],
    }
