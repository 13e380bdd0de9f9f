"""Stores that several processes can use."""

from __future__ import annotations

from tests.stores.conftest import schema, server, shared

__all__ = ["schema", "server", "shared"]
