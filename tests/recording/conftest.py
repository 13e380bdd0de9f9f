"""The stores that logs are kept in."""

from __future__ import annotations

from tests.stores.conftest import schema, server, shared, stores

__all__ = ["schema", "server", "shared", "stores"]
