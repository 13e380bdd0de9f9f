"""What operators ask for, as the text of a policy, so that it is read and judged as one; and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateway.diagnostic import PolicyError


def policy_text(sections: Mapping[str, Any]) -> str:
    """The text of a policy with these sections; whatever stands in them comes out of it again."""
    import yaml

    class Plain(yaml.SafeDumper):
        def ignore_aliases(self, data: Any) -> bool:
            return True

    return yaml.dump({"version": 1, **sections}, Dumper=Plain, sort_keys=False, width=1_000_000)


def said(error: PolicyError) -> str:
    """What is wrong with something that would be part of a policy, in one line."""
    return "; ".join(
        f"{one.message} ({one.help})" if one.help else one.message for one in error.diagnostics[:5]
    )
