"""Permissions with run-time parts: which held permission could match before the arguments are known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gateway.plan import ResourceTemplate
from gateway.steps.resource import reach, segment
from gateway.template import Template

_SEGMENT = r"[^:*,{}\s]+"


def plan_resource(template: Template, tool: Mapping[str, Any], config: Mapping[str, Any]) -> ResourceTemplate:
    """A resource permission; what is declared (`tool`, `config`) is filled in when matching."""
    roots = {"tool": tool, "config": config}

    def could_match(held: str, fixed: Mapping[str, str]) -> bool:
        parts: list[str] = []
        for part in template.parts:
            if isinstance(part, str):
                parts.append(re.escape(part))
            elif part.root == "args":
                text = fixed.get(part.path)
                parts.append(_SEGMENT if text is None else re.escape(text))
            else:
                text = segment(reach(roots, (part.root, *part.names)))
                if text is None:
                    return False
                parts.append(re.escape(text))
        return re.fullmatch("".join(parts), held) is not None

    return ResourceTemplate(template, could_match)
