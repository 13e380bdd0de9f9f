"""Stores of each kind, every test's own: `stores` runs a test with all, `shared` with those that several processes use."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest

from gateway.state import Store
from gateway.stores import open_store
from tests.stores.server import postgres, with_setting

_numbers = itertools.count(1)


@dataclass
class Stores:
    """Opens the same store as often as one likes, and closes all at the end."""

    url: str
    opened: list[Store] = field(default_factory=list)

    @property
    def outlives(self) -> bool:
        return self.url != "memory:"

    def open(self) -> Store:
        """Another way to the same store; for the one in memory there is only one."""
        if not self.outlives and self.opened:
            return self.opened[0]
        self.opened.append(open_store(self.url))
        return self.opened[-1]

    def quick(self) -> Store:
        """One that does not wait for the disk, for tests that change it thousands of times."""
        if self.url.startswith("sqlite:"):
            self.opened.append(open_store(f"{self.url}?synchronous=normal"))
            return self.opened[-1]
        return self.open()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture
def schema(server: str) -> Iterator[str]:
    """The address of a schema that nobody else uses."""
    name = f"gateway_test_{os.getpid()}_{next(_numbers)}"
    yield with_setting(server, f"schema={name}")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("SET client_min_messages = warning")
        connection.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")


@contextmanager
def _made(kind: str, request: pytest.FixtureRequest) -> Iterator[Stores]:
    if kind == "memory":
        url = "memory:"
    elif kind == "sqlite":
        directory: Path = request.getfixturevalue("tmp_path")
        url = f"sqlite://{directory}/state/store.db"
    else:
        url = request.getfixturevalue("schema")
    made = Stores(url)
    yield made
    for store in made.opened:
        store.close()


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def stores(request: pytest.FixtureRequest) -> Iterator[Stores]:
    with _made(request.param, request) as made:
        yield made


@pytest.fixture(params=["sqlite", "postgres"])
def shared(request: pytest.FixtureRequest) -> Iterator[Stores]:
    with _made(request.param, request) as made:
        yield made
