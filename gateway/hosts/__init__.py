"""The agents that ask: each turns its own message into a call, and a decision into its own answer.

A host is a module with `read`, `answer`, `reviewed`, `prompted`, `notice`, `failure` and `SUPPORTS`; see
`gateway.hosts.claude_code`.
"""

from __future__ import annotations

from collections.abc import Mapping

HOSTS: Mapping[str, str] = {"claude-code": "gateway.hosts.claude_code"}
"""The module of each host that `gatewayctl hook` knows, by the host's name."""
