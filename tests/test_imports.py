"""What importing costs, by module: the library and the deciding path load nothing heavy."""

from __future__ import annotations

import subprocess
import sys

import gateway

HEAVY = (
    "pydantic",
    "yaml",
    "click",
    "celpy",
    "re2",
    "tree_sitter",
    "sqlglot",
    "jsonschema",
    "asyncio",
    "sqlite3",
    "psycopg",
    "opentelemetry",
)

DECIDE = """
import sys
from datetime import datetime, timezone
import gateway, gateway.engine, gateway.runtime, gateway.steps, gateway.cel
"""


def loaded(code: str) -> set[str]:
    """The heavy modules in `sys.modules` after running some code in a fresh interpreter."""
    report = f"{code}\nimport sys\nprint(*[m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", report], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.split())


def test_import_gateway_loads_nothing_heavy() -> None:
    assert loaded("import gateway") == set()


def test_every_public_name_but_loading_is_light() -> None:
    assert loaded("import gateway\nfor name in gateway.__all__: getattr(gateway, name)") == set()


def test_the_deciding_path_is_light() -> None:
    assert loaded(DECIDE) == set()


def test_public_names_are_one_sorted_list_and_all_there() -> None:
    assert list(gateway.__all__) == sorted(gateway.__all__)
    for name in gateway.__all__:
        value = getattr(gateway, name)
        assert value.__name__ == name
        assert value.__doc__, name
    assert set(dir(gateway)) == set(gateway.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    try:
        _ = gateway.Gatewy
    except AttributeError as error:
        assert "Gatewy" in str(error)
    else:
        raise AssertionError("a name that does not exist was found")
